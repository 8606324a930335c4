"""Chapter 8's cases: two copies of a read, many leaves, and copies that load the servers.

It holds what the cases fit and assume, what the published digits allow, and the map of the copies.
"""

import math
from functools import cache
from itertools import pairwise

from tunables.chapters.hedged_requests import CASES
from tunables.chapters.hedged_requests.calibration import (
    SCENES,
    WORDS,
    benchmark_leaf,
    data,
    exponential_benchmark_ms,
    fitted_floor_ms,
    fitted_shared,
    independent_copies,
    leaf,
    scene_settings,
    value,
)
from tunables.chapters.hedged_requests.predictor import (
    COPIES,
    PERCENTILES,
    predict_duplicates,
    predict_fanout,
    predict_tied,
)
from tunables.chapters.hedged_requests.simulation import (
    DUPLICATES_RUNS,
    FANOUT_RUNS,
    MAP_RUNS,
    TIED_RUNS,
    run_duplicates,
    run_fanout,
    run_of_map,
    run_tied,
)
from tunables.core.allowed import Allowed, digits_interval
from tunables.core.case import Baseline, Calibration, Case, Choice, Published, Simulation
from tunables.core.model import Output, Parameter, View
from tunables.core.validity import MapAxis, ValidityMap

FITTED = ("idle-tied-p50", "idle-tied-p99")


def _tied_parameters() -> tuple[Parameter, ...]:
    settings = scene_settings("idle")
    ratios = tuple(
        Parameter(
            f"{name}_ratio",
            f"{WORDS[name]} percentile of one copy, divided by the {WORDS[before]}",
            "1",
            settings[f"{name}_ratio"],
            "published",
            f"table 2, mostly idle, no hedge: {value(f'idle-once-{name}'):g} ms divided by "
            f"{value(f'idle-once-{before}'):g} ms",
            low=1.05,
            high=10,
            scale="log",
        )
        for before, name in pairwise(PERCENTILES)
    )
    return (
        Parameter(
            "p50_ms",
            "Median of one copy",
            "ms",
            settings["p50_ms"],
            "published",
            f"table 2, mostly idle, no hedge: {settings['p50_ms']:g} ms",
            low=14,
            high=500,
            scale="log",
        ),
        *ratios,
        Parameter(
            "floor_ms",
            "Floor: the shortest possible read time",
            "ms",
            fitted_floor_ms(),
            "calibrated",
            "fitted to the median of 16 ms with tied requests on the mostly idle machines",
            high=13.9,
        ),
        Parameter(
            "delay_ms",
            "Delay before the second copy",
            "ms",
            value("tied-delay"),
            "published",
            "table 2: tied request after 1 ms",
            high=100,
        ),
        Parameter(
            "shared",
            "Share of reads that take the same time at every server",
            "1",
            fitted_shared(),
            "calibrated",
            "fitted to the 99th percentile of 42 ms with tied requests on the mostly idle machines",
        ),
    )


def _tied_number(scene: str, name: str) -> Published:
    row = f"{scene}-tied-{name}"
    return Published(
        data()[row],
        f"{SCENES[scene]}, {WORDS[name]} percentile",
        "calibrated" if row in FITTED else "consistent",
        f"hedged_{name}_ms",
        scene_settings(scene) | {"delay_ms": value("tied-delay")},
    )


@cache
def tied_case() -> Case:
    """Return the case of table 2: a read and its second copy."""
    title, document = CASES["tied"]
    numbers = tuple(_tied_number(scene, name) for scene in SCENES for name in PERCENTILES)
    return Case(
        name="tied",
        chapter="hedged_requests",
        title=title,
        document=document,
        parameters=_tied_parameters(),
        outputs=(
            *(
                Output(f"hedged_{name}_ms", f"{WORDS[name]} percentile with a second copy", "ms", 1)
                for name in PERCENTILES
            ),
            Output("copies_percent", "Reads sent twice", "%", 1),
        ),
        numbers=numbers,
        main_outputs=("hedged_p99_ms", "hedged_p999_ms", "copies_percent"),
        main_parameters=("delay_ms", "shared", "p99_ratio"),
        views=(
            View("delay_ms", "hedged_p99_ms", "The 99th percentile against the delay", 101),
            View(
                "shared",
                "hedged_p99_ms",
                "The 99th percentile against the share of reads that are equally slow everywhere",
                51,
            ),
        ),
        predict=predict_tied,
        simulation=Simulation(run_tied, TIED_RUNS),
        fits=(
            Calibration(("shared",), ("idle-tied-p99",)),
            Calibration(("floor_ms",), ("idle-tied-p50",)),
        ),
        choices=(
            Choice(
                "a floor and a share of reads that take the same time at every server, because "
                "this form has the smallest error on the eight numbers, among all that we tried",
                tuple(f"{scene}-tied-{name}" for scene in SCENES for name in PERCENTILES),
                ("floor_ms", "shared"),
            ),
        ),
        baseline=Baseline(
            "two independent copies of the whole read, with no parameters",
            independent_copies(),
            earns="For the 99th percentile alone, the baseline hardly needs a curve between the "
            "percentiles: in one read in a hundred, both copies are slower than the 90th "
            "percentile of one copy.",
        ),
    )


@cache
def allowed() -> Allowed:
    """Return the floors and shared shares that the digits of the two fitted numbers allow."""
    numbers = tied_case().by_row

    def answers(values) -> dict[str, float]:
        return {
            row: tied_case().answer(number, floor_ms=float(values[0]), shared=float(values[1]))
            for row, number in numbers.items()
        }

    return Allowed(
        case="tied",
        names=("floor_ms", "shared"),
        start=(fitted_floor_ms(), fitted_shared()),
        bounds={row: digits_interval(numbers[row]) for row in FITTED},
        answers=answers,
        means="The floor is fitted to the idle machines' median, 16 ms, and the share c to their "
        "99th percentile, 42 ms, each give or take 0.5 ms. The percentiles of one copy stay as "
        "printed.",
        asked=tuple(row for row in numbers if row not in FITTED),
    )


def _fanout_parameters() -> tuple[Parameter, ...]:
    random_leaf = leaf()
    return (
        Parameter(
            "leaves",
            "Leaves that a request waits for",
            "leaves",
            value("slow-leaf-servers"),
            "published",
            "component-level variability, paragraph 2: 100 servers",
            low=1,
            high=10_000,
            scale="log",
            integer=True,
        ),
        Parameter(
            "slow_percent",
            "Share of a leaf's answers that are slow",
            "%",
            value("slow-leaf-share"),
            "published",
            "component-level variability, paragraph 2: one in 100",
            low=0.001,
            high=20,
            scale="log",
        ),
        Parameter(
            "leaf_p50_ms",
            "Median of one leaf",
            "ms",
            random_leaf["leaf_p50_ms"],
            "published",
            f"table 1: {value('leaf-p50'):g} ms",
            low=0.1,
            high=100,
            scale="log",
        ),
        *(
            Parameter(
                f"leaf_{name}_ratio",
                f"{WORDS[name]} percentile of one leaf, divided by the {WORDS[before]}",
                "1",
                random_leaf[f"leaf_{name}_ratio"],
                "published",
                f"table 1: {value(f'leaf-{name}'):g} ms divided by {value(f'leaf-{before}'):g} ms",
                low=1.1,
                high=20,
                scale="log",
            )
            for before, name in (("p50", "p95"), ("p95", "p99"))
        ),
        Parameter(
            "copies",
            "Ask each leaf",
            "",
            "once",
            "assumed",
            "table 1 doesn't mention second requests",
            choices=COPIES,
            choice_texts=("once", "again after the delay"),
        ),
        Parameter(
            "delay_ms",
            "Delay before the second copy",
            "ms",
            value("hedge-delay"),
            "published",
            "hedged requests, paragraph 2: 10 ms",
            high=50,
        ),
        Parameter(
            "shared",
            "Share of requests that take the same time at every server",
            "1",
            0.0,
            "assumed",
            "independent copies",
        ),
    )


_APART = (
    "The table contradicts itself: according to the middle row, at least 2.5% of the leaves take "
    "12 ms or more, but according to the first row, only 1% take more than 10 ms."
)


def _fanout_numbers() -> tuple[Published, ...]:
    def slow(row: str, name: str, label: str) -> Published:
        settings = {"leaves": int(value(f"{name}-servers")), "slow_percent": value(f"{name}-share")}
        return Published(data()[row], label, "identity", "slow_requests_percent", settings)

    def of_table(which: str, name: str, label: str) -> Published:
        row = data()[f"{which}-{name}"]
        return Published(row, f"{label}, {WORDS[name]} percentile", "unexplained", remark=_APART)

    benchmark: dict[str, float | str] = {
        "leaves": int(value("keys")),
        "delay_ms": value("hedge-delay"),
        **benchmark_leaf(),
    }
    twice: dict[str, float | str] = benchmark | {"copies": "twice"}
    return (
        slow("slow-requests", "slow-leaf", "Slow requests, 100 servers"),
        slow("rare-requests", "rare-leaf", "Slow requests, 2,000 servers"),
        *(of_table("most", name, "Time for 95% of the leaves") for name in ("p50", "p95", "p99")),
        *(of_table("all", name, "Time for all leaves") for name in ("p50", "p95", "p99")),
        Published(data()["unhedged-p999"], "1,000 keys, not hedged", "calibrated", "all_p999_ms",
                  benchmark | {"copies": "once"}),
        Published(data()["hedged-p999"], "1,000 keys, hedged", "consistent", "all_p999_ms",
                  twice),
        Published(data()["hedge-extra-load"], "1,000 keys, extra requests", "calibrated",
                  "copies_percent", twice),
    )  # fmt: skip


@cache
def fanout_case() -> Case:
    """Return the case of a request that waits for many leaves."""
    title, document = CASES["fanout"]
    names = ("p50", "p95", "p99", "p999")
    return Case(
        name="fanout",
        chapter="hedged_requests",
        title=title,
        document=document,
        parameters=_fanout_parameters(),
        outputs=(
            Output("slow_requests_percent", "Slow requests", "%", 1),
            *(Output(f"all_{each}_ms", f"Time for all leaves, {WORDS[each]} percentile", "ms", 1)
              for each in names),
            *(Output(f"most_{each}_ms", f"Time for 95% of the leaves, {WORDS[each]} percentile",
                     "ms", 1)
              for each in names[:-1]),
            Output("copies_percent", "Leaf requests sent twice", "%", 1),
        ),
        numbers=_fanout_numbers(),
        main_outputs=("slow_requests_percent", "all_p99_ms", "all_p50_ms"),
        main_parameters=("leaves", "copies", "slow_percent"),
        views=(
            View(
                "leaves", "slow_requests_percent", "Slow requests against the number of leaves", 81
            ),
            View("leaves", "all_p99_ms", "The 99th percentile against the number of leaves", 81),
        ),
        predict=predict_fanout,
        simulation=Simulation(run_fanout, FANOUT_RUNS),
        fits=(
            Calibration(
                (),
                ("unhedged-p999", "hedge-extra-load"),
                ("share of the benchmark's leaf requests over 10 ms", "exponent of the tail"),
            ),
        ),
        choices=(
            Choice(
                "a power law for the tail beyond the 95th percentile, because with an "
                "exponential tail, the hedged benchmark would take more than half a second",
                ("hedged-p999",),
            ),
        ),
        baseline=Baseline(
            "an exponential tail through the same two points",
            {"hedged-p999": exponential_benchmark_ms()},
            ("unhedged-p999", "hedge-extra-load"),
        ),
    )  # fmt: skip


@cache
def fanout_allowed() -> Allowed:
    """Return the leaves of the benchmark that its digits allow."""
    numbers = fanout_case().by_row
    found = benchmark_leaf()

    def answers(values) -> dict[str, float]:
        tail = {"leaf_p50_ms": float(values[0]), "leaf_p99_ratio": float(values[1])}
        rows = ("unhedged-p999", "hedge-extra-load", "hedged-p999")
        return {row: fanout_case().answer(numbers[row], **tail) for row in rows}

    return Allowed(
        case="fanout",
        names=("leaf_p50_ms", "leaf_p99_ratio"),
        start=(found["leaf_p50_ms"], found["leaf_p99_ratio"]),
        bounds={
            row: digits_interval(numbers[row]) for row in ("unhedged-p999", "hedge-extra-load")
        },
        answers=answers,
        means="The benchmark's leaf is slower than 10 ms in 2% of the cases, give or take half a "
        "percentage point. The slowest of 1,000 leaves exceeds 1,800 ms, give or take 50 "
        "ms, one time in 1,000.",
        asked=("hedged-p999",),
    )


def _duplicates_parameters() -> tuple[Parameter, ...]:
    return (
        Parameter("load_percent", "Load if every request is sent once", "%", 60.0, "assumed",
                  "busy, but far from full", low=5, high=90),
        Parameter("service_ms", "Mean service time of one copy", "ms", 10.0, "assumed",
                  "a round number", low=1, high=100, scale="log"),
        Parameter("delay_ms", "Delay before the second copy", "ms", 70.0, "assumed",
                  "about the 94th percentile of one copy at this load", high=300),
        Parameter("budget_percent", "Budget: second copies per 100 requests", "%", 100.0,
                  "assumed", "no budget: every request may be sent twice", high=100),
        Parameter("deadline_ms", "Time after which an answer is late", "ms", 100.0, "assumed",
                  "ten mean service times", low=10, high=1000, scale="log"),
    )  # fmt: skip


@cache
def duplicates_case() -> Case:
    """Return the case of servers that serve every copy to its end."""
    title, document = CASES["hedge"]
    light = {"load_percent": 5.0, "service_ms": 10.0}
    p95_ms = 10.0 * -math.log(0.05) / 0.95
    return Case(
        name="hedge",
        chapter="hedged_requests",
        title=title,
        document=document,
        parameters=_duplicates_parameters(),
        outputs=(
            Output("late_percent", "Late answers, starting from rest", "%", 2),
            Output("late_after_percent", "Late answers, after an overload", "%", 2),
            Output("late_once_percent", "Late answers without second copies", "%", 2),
            Output("copies_percent", "Second copies, starting from rest", "%", 1),
            Output("copies_after_percent", "Second copies, after an overload", "%", 1),
            Output("busy_percent", "Load with the copies", "%", 1),
            Output("least_delay_ms", "Shortest delay with a quiet state", "ms", 1),
            Output("safe_budget_percent", "Budget at which the servers are fully busy", "%", 0),
        ),
        numbers=(
            Published(
                data()["p95-extra-load"],
                "Copies if the delay is the 95th percentile",
                "identity",
                "copies_percent",
                light | {"delay_ms": p95_ms},
                remark="at a load of 5%, to which the copies hardly add",
            ),
            Published(
                data()["tied-overhead"],
                "Extra disk work with tied requests",
                "unexplained",
                remark="this model serves every copy, whereas of two tied requests one is "
                "cancelled",
            ),
        ),
        main_outputs=("late_percent", "late_after_percent", "copies_percent"),
        main_parameters=("delay_ms", "load_percent", "budget_percent"),
        views=(
            View("delay_ms", "late_percent", "Late answers against the delay", 101),
            View(
                "delay_ms",
                "copies_after_percent",
                "Copies after an overload, against the delay",
                101,
            ),
        ),
        predict=predict_duplicates,
        simulation=Simulation(run_duplicates, DUPLICATES_RUNS),
        baseline=Baseline(
            "copies that add no load, one for each request slower than the delay",
            {"p95-extra-load": 5.0},
            earns="Under light load, the baseline and the model agree. The model also covers the "
            "storm, for which the article gives no number.",
        ),
    )


@cache
def validity() -> ValidityMap:
    """Return the map of the delay and of a stop of all servers at the start."""
    return ValidityMap(
        case=duplicates_case(),
        title="Load with copies, long after a brief stop of all servers (%)",
        x=MapAxis(
            "delay_ms",
            "Delay before the second copy",
            "the delay",
            "ms",
            (20, 30, 40, 50, 60, 80, 90, 100, 120, 150, 200),
        ),
        y=MapAxis(
            "stop_ms",
            "Initial stop of all servers",
            "the stop",
            "ms",
            (0, 50, 100, 150, 200, 250, 300, 500),
            assumed=0,
        ),
        output="busy_percent",
        simulation=Simulation(run_of_map, MAP_RUNS),
        why="The formula assumes that the servers start from rest, as in the lowest row. A stop "
        "makes every answer late, so every request is sent twice. If these copies keep the wait "
        "longer than the delay, the servers never recover: the load stays at twice what it would "
        "be without copies, however long ago the stop was.",
    )
