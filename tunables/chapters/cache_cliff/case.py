"""Chapter 3's case: an RRD collector's files in the Windows System Cache (Han, 2007).

It holds what the case fits and assumes, what the published digits allow, and the map of disorder.
"""

from functools import cache

from tunables.chapters.cache_cliff import CASES
from tunables.chapters.cache_cliff.predictor import GIB_BYTES, SCHEMES, capacity_graphs, predict
from tunables.chapters.cache_cliff.simulation import (
    MAP_RUNS,
    RUNS,
    run,
    run_of_map,
    runs_needed,
)
from tunables.core.allowed import Allowed, digits_interval
from tunables.core.case import Baseline, Calibration, Case, Choice, Published, Simulation
from tunables.core.model import Output, Parameter, View
from tunables.core.validity import MapAxis, ValidityMap
from tunables.evidence.published import Record, published
from tunables.theory.caching import slowdown

FITTED, PREDICTED = "graphs-at-98-percent", "graphs-at-80-percent"


@cache
def data() -> dict[str, Record]:
    """Return the report's numbers by row id."""
    return published("rrd-system-cache")


# As menus and the animation name them.
SCHEME_TEXTS = {
    "lru": "LRU",
    "fifo": "FIFO",
    "clock": "CLOCK",
    "random": "random: evict a random file",
    "mru": "MRU: evict the file just used",
    "sieve": "SIEVE",
    "arc": "ARC",
    "2q": "2Q",
    "opt": "the optimum, which knows the future",
    "bypass": "bypass: admit only what fits",
    "lru, zigzag": "LRU, every second scan backwards",
    "lru, shuffled": "LRU, each scan in a random order",
}


def value(row_id: str) -> float:
    """Return one of the report's numbers."""
    return data()[row_id].value


def bytes_per_graph(row_id: str = "graphs-at-98-percent") -> float:
    """Return the calibrated memory per graph: 8 GiB over the number of graphs in that row."""
    return value("memory-upgraded-server") * GIB_BYTES / value(row_id)


def production_percent() -> float:
    """Return the setting that production is assumed to have run at; the report does not say.

    It is the default if the old servers could hold their load at that, and otherwise the test's.
    """
    default, set_in_test = value("usage-maximum-default"), value("usage-maximum-set")
    fit = capacity_graphs(value("memory-old-server"), default, bytes_per_graph())
    return default if fit >= value("graphs-fit-old-server") else set_in_test


def share_that_fits() -> float:
    """Return the share of the production load that the new servers have room for."""
    memory_bytes = value("usable-memory-new-server") * GIB_BYTES
    return memory_bytes / bytes_per_graph() / value("graphs-in-production")


def miss_cost_of_a_slope() -> float:
    """Return the miss cost (in hits) that would explain the slowdown if only the excess missed.

    It solves S = c + R (1 - c) for R at the published slowdown.
    """
    c = share_that_fits()
    return (value("slowdown-after-overflow") - c) / (1 - c)


def proportion() -> dict[str, float]:
    """Return the baseline: capacity in proportion, and only the files that don't fit miss."""
    per_gib_percent = value("graphs-at-98-percent") / (
        value("memory-upgraded-server") * value("usage-maximum-set")
    )
    servers = {
        "graphs-fit-old-server": ("memory-old-server", production_percent()),
        "graphs-fit-new-server": ("usable-memory-new-server", production_percent()),
        "graphs-at-80-percent": ("memory-upgraded-server", value("usage-maximum-default")),
    }
    room = {row: per_gib_percent * value(gib) * u for row, (gib, u) in servers.items()}
    return room | {
        "slowdown-after-overflow": slowdown(share_that_fits(), value("slowdown-after-overflow"))
    }


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case, each with how its default is known."""
    return (
        Parameter(
            name="graphs",
            label="Graphs updated in each scan",
            unit="graphs",
            default=value("graphs-in-production"),
            origin="published",
            source="paragraph 2: a little over 40,000",
            low=1_000,
            high=200_000,
            scale="log",
            integer=True,
        ),
        Parameter(
            name="memory_gib",
            label="Usable memory",
            unit="GiB",
            default=value("usable-memory-new-server"),
            origin="published",
            source="paragraph 2: of the new servers' memory, 3.25 GiB was usable",
            low=1,
            high=16,
        ),
        Parameter(
            name="usage_maximum_percent",
            label="PoolUsageMaximum",
            unit="%",
            default=production_percent(),
            origin="assumed",
            source="paragraphs 7 and 8 give the default, 80, and the test's setting, 98; we "
            "assume 98 for production",
            low=10,
            high=100,
            integer=True,
        ),
        Parameter(
            name="bytes_per_graph",
            label="Cache space of one graph",
            unit="B",
            default=bytes_per_graph(),
            origin="calibrated",
            source="fitted to 90,000 graphs in 8 GiB at a PoolUsageMaximum of 98%",
            low=20_000,
            high=400_000,
            scale="log",
        ),
        Parameter(
            name="cost_ratio",
            label="Cost of a miss relative to a hit",
            unit="1",
            default=value("slowdown-after-overflow"),
            origin="calibrated",
            source="fitted to the factor of 20 in paragraph 1",
            low=1,
            high=200,
            scale="log",
        ),
        Parameter(
            name="scheme",
            label="Eviction policy and scan order",
            unit="",
            default="lru",
            origin="published",
            source="paragraph 3: LRU, updated in sequence",
            choices=SCHEMES,
            choice_texts=tuple(SCHEME_TEXTS[scheme] for scheme in SCHEMES),
        ),
    )


def _number(row_id, label, status, output="", remark="", rests_on=(), **settings):
    return Published(
        data()[row_id], label, status, output, settings, remark=remark, rests_on=rests_on
    )


_ASSUMED_98 = (
    "assumes that production ran at 98, the setting of the test, because at the default of 80 the "
    "old servers could not have held their load"
)
_LITTLE_OVER = "only a bound is known: the load that did not fit was a little over 40,000 graphs"
_REBOOT = "no model here predicts which size Windows picks at a reboot"


@cache
def case() -> Case:
    """Return the case: its model, and every number of the report with its status."""
    title, document = CASES["rrd"]
    production = {
        "graphs": value("graphs-in-production"),
        "usage_maximum_percent": production_percent(),
    }
    upgraded = {"memory_gib": value("memory-upgraded-server")}
    return Case(
        name="rrd",
        chapter="cache_cliff",
        title=title,
        document=document,
        parameters=parameters(),
        outputs=(
            Output("capacity_graphs", "Graphs that fit", "graphs", 0),
            Output("hit_ratio", "Hit ratio", "1", 4),
            Output("slowdown", "Slowdown", "1", 2),
        ),
        numbers=(
            _number(
                "slowdown-after-overflow",
                "Slowdown with 40,000 graphs in 3.25 GiB",
                "calibrated",
                "slowdown",
                memory_gib=value("usable-memory-new-server"),
                **production,
            ),
            _number(
                "graphs-fit-old-server",
                "Graphs that fit in 4 GiB",
                "consistent",
                "capacity_graphs",
                _ASSUMED_98,
                memory_gib=value("memory-old-server"),
                **production,
            ),
            _number(
                "graphs-fit-new-server",
                "Graphs that fit in 3.25 GiB",
                "consistent",
                "capacity_graphs",
                _LITTLE_OVER,
                rests_on=("graphs-fit-old-server",),
                memory_gib=value("usable-memory-new-server"),
                **production,
            ),
            _number(
                "auto-sized-lowest",
                "Smallest cache that Windows chose with 8 GiB",
                "unexplained",
                remark=_REBOOT,
            ),
            _number(
                "auto-sized-highest",
                "Largest cache that Windows chose with 8 GiB",
                "unexplained",
                remark=_REBOOT,
            ),
            _number(
                "graphs-at-80-percent",
                "Graphs that fit in 8 GiB at a setting of 80%",
                "predicted",
                "capacity_graphs",
                usage_maximum_percent=value("usage-maximum-default"),
                **upgraded,
            ),
            _number(
                "graphs-at-98-percent",
                "Graphs that fit in 8 GiB at a setting of 98%",
                "calibrated",
                "capacity_graphs",
                usage_maximum_percent=value("usage-maximum-set"),
                **upgraded,
            ),
        ),
        main_outputs=("slowdown", "hit_ratio", "capacity_graphs"),
        main_parameters=("memory_gib", "scheme", "graphs"),
        views=(
            View("graphs", "slowdown", "Slowdown against the number of graphs", 121),
            View("memory_gib", "capacity_graphs", "Number of graphs that fit, against memory", 31),
        ),
        predict=predict,
        simulation=Simulation(run, RUNS, runs_needed),
        fits=(
            Calibration(("bytes_per_graph",), ("graphs-at-98-percent",)),
            Calibration(("cost_ratio",), ("slowdown-after-overflow",)),
        ),
        choices=(
            Choice(
                'the reading of the printed "90,0000" as 90,000, the only value that fits both '
                "servers",
                ("graphs-fit-old-server", "graphs-fit-new-server"),
                ("bytes_per_graph",),
            ),
            Choice(
                "a PoolUsageMaximum of 98% in production, since at the default of 80% the old "
                "servers would have overflowed",
                ("graphs-fit-old-server",),
                ("usage_maximum_percent",),
            ),
        ),
        baseline=Baseline(
            "a capacity proportional to the memory and to PoolUsageMaximum, and misses only for "
            "the files that don't fit",
            proportion(),
            ("graphs-at-98-percent",),
            "Like the baseline, the model takes the capacity to be proportional to the memory, so "
            "it predicts capacities no better. It does better at the cliff: according to simple "
            "proportion, a scan would take "
            f"{proportion()['slowdown-after-overflow']:.1f} times as long as without misses, but "
            f"in the report it took {value('slowdown-after-overflow'):.0f} times as long. For "
            "simple proportion to explain that, a miss would have to cost as much as "
            f"{miss_cost_of_a_slope():.0f} hits.",
        ),
    )


@cache
def allowed() -> Allowed:
    """Return the values of memory per graph that the report's digits allow."""
    numbers = case().by_row

    def answers(values) -> dict[str, float]:
        return {
            row: case().answer(numbers[row], bytes_per_graph=values[0])
            for row in (FITTED, PREDICTED)
        }

    return Allowed(
        case="rrd",
        names=("bytes_per_graph",),
        start=(bytes_per_graph(),),
        bounds={FITTED: digits_interval(numbers[FITTED])},
        answers=answers,
        means="The space per graph may have any value at which 90,000 graphs, give or take 5,000, "
        "fit into 8 GiB at a PoolUsageMaximum of 98%.",
        asked=(PREDICTED,),
    )


@cache
def validity() -> ValidityMap:
    """Return the map of memory and disorder."""
    return ValidityMap(
        case=case(),
        title="Slowdown with LRU when the scan's order varies",
        x=MapAxis(
            "memory_gib",
            "Usable memory",
            "memory",
            "GiB",
            (1, 1.5, 2, 2.25, 2.5, 2.75, 3, 3.125, 3.25, 3.375, 3.5, 3.625, 4, 5),
        ),
        y=MapAxis(
            "disorder",
            "Disorder: how late a graph can be, as a share of the scan",
            "disorder",
            "1",
            (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 2, 5),
            assumed=0,
        ),
        output="slowdown",
        simulation=Simulation(run_of_map, MAP_RUNS),
        why="The formula needs the same order in every scan. As long as the order never changes "
        "(the lowest row), the formula is exact for every memory size. If graphs are late by "
        "varying amounts, some are written again sooner than others. Their files may still be in "
        "the cache, so the cliff becomes a slope. The more files fit, the less disorder is needed "
        "for such a slope.",
    )
