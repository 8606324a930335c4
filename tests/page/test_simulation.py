"""A simulation asked for run by run: the numbers are the ledger's, and what is bad is refused."""

import json
import random

import pytest

from tunables.base.statistics import confidence_interval
from tunables.core.case import Simulation
from tunables.core.ledger import ledger
from tunables.core.registry import case_names, find_case
from tunables.page.simulation import (
    APART,
    SERIES,
    SimulationSession,
    compare_runs,
    first_seeds,
    interval_words,
    steps,
    summarize_comparison,
    two_digits,
    verdict,
)
from tunables.views.explorer import defaults, describe
from tunables.views.tables import LEDGER_COLUMNS, ledger_row


@pytest.fixture
def page():
    """The page of a case whose run is quick and draws."""
    return SimulationSession(json.dumps(describe(find_case("wlcg_session"))))


def reply_to_run(page, **changes):
    """Return the reply to a request, for the first run at the defaults but for changes."""
    usual = {"seed": 1, "replication": 0, "assumptions": {}, "state": defaults(page.description)}
    return json.loads(page.reply(json.dumps({"simulate": usual | changes})))


@pytest.mark.sampled
@pytest.mark.parametrize("name", case_names())
def test_run_by_run_the_numbers_become_the_cases_own(name):
    case = find_case(name)
    page = SimulationSession(json.dumps(describe(case)))
    count = reply_to_run(page)["needed"]
    reply = reply_to_run(page, replication=count - 1)
    simulated = case.simulate(1, **case.settings())
    assert {output: tuple(i) for output, i in reply["intervals"].items()} == simulated
    assert reply["predicted"] == pytest.approx(case.predict(**case.settings()))


def test_an_interval_is_of_the_runs_so_far_whoever_asks_in_whatever_order(page):
    in_order = [reply_to_run(page, replication=n)["intervals"] for n in range(4)]
    assert in_order[0]["apply_s"][1] == 0
    again = SimulationSession(json.dumps(page.description))
    assert [reply_to_run(again, replication=n)["intervals"] for n in (3, 1)] == [
        in_order[3],
        in_order[1],
    ]


def test_other_settings_another_seed_and_another_assumption_start_again(page):
    first = reply_to_run(page, replication=1)["intervals"]
    state = defaults(page.description)
    assert reply_to_run(page, seed=2, replication=1)["intervals"] != first
    assert reply_to_run(page, state=state | {"replicats": 3}, replication=1)["intervals"] != first
    assert reply_to_run(page, replication=1)["intervals"] == first


def test_the_texts_are_those_of_the_ledger():
    case = find_case("rrd")
    page = SimulationSession(json.dumps(describe(case)))
    simulated = LEDGER_COLUMNS.index("Simulated")
    for number, entry in zip(case.numbers, ledger(case), strict=True):
        if number.output:
            reply = reply_to_run(page, state=case.settings(**number.settings))
            alone = ledger_row(entry)[simulated].removesuffix(" in every run")
            assert (reply["needed"], reply["texts"][number.output]) == (1, alone)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": -1}, "seed = -1: must be a whole number at least 0 and at most"),
        ({"seed": 1.5}, "seed = 1.5: must be a whole number"),
        ({"seed": None}, "seed = None: must be a whole number"),
        ({"seed": 10**9}, "seed = 1000000000: must be a whole number"),
        ({"replication": -1}, "replication = -1: must be a whole number"),
        ({"replication": 1000}, "replication = 1000: must be a whole number"),
        ({"state": {}}, "must be a whole number at least 1"),
    ],
)
def test_what_is_bad_is_refused_in_a_sentence(page, changes, sentence):
    assert sentence in reply_to_run(page, **changes)["refusal"]


def test_a_refusal_of_the_run_is_passed_on():
    def run(seed, **_):
        raise ValueError("graphs = 7: must be more")

    page = SimulationSession(json.dumps(describe(find_case("rrd"))), run=run)
    said = "Graphs updated in each scan (graphs) must be more, not 7."
    assert reply_to_run(page) == {"refusal": said}


@pytest.mark.parametrize("common", [True, False])
def test_runs_at_other_settings_are_compared_with_these(page, common):
    case = find_case("wlcg_session")
    other = case.settings(replicats=3)
    against = {"state": other, "output": "apply_s", "common": common}
    compared = reply_to_run(page, replication=5, against=against)["compared"]
    first, second = first_seeds(1, case.simulation.replications, common)
    runs = [
        [case.simulation.run(seed + n, **settings)["apply_s"] for n in range(6)]
        for seed, settings in ((first, case.settings()), (second, other))
    ]
    assert compared == summarize_comparison(*runs)
    assert (
        reply_to_run(page, replication=5, against=against | {"common": not common})["compared"]
        != compared
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output": "speed"}, "output = 'speed': must be one of"),
        ({"state": {}}, "must be a whole number at least 1"),
    ],
)
def test_what_is_bad_at_the_other_settings_is_refused(page, changes, sentence):
    usual = {"state": defaults(page.description), "output": "apply_s", "common": True}
    assert sentence in reply_to_run(page, against=usual | changes)["refusal"]


def test_common_seeds_are_those_of_the_simulation():
    seen: list[int] = []

    def run(seed):
        seen.append(seed)
        return {"x": 0.0}

    Simulation(run, replications=3).runs(7)
    assert first_seeds(7, 3, common=True) == [seen[0], seen[0]]


@pytest.mark.parametrize("replications", [1, 20])
def test_independent_seeds_share_no_run_within_a_thousand(replications):
    first, second = first_seeds(3, replications, common=False)
    assert second - first == APART * replications


def test_the_intervals_are_those_of_the_samples_and_of_their_differences():
    draw = random.Random(4)
    a, b = ([draw.random() for _ in range(9)] for _ in range(2))
    gaps = [y - x for x, y in zip(a, b, strict=True)]
    assert compare_runs(a, b) == [confidence_interval(samples) for samples in (a, b, gaps)]


def test_common_noise_leaves_the_difference():
    noise = [random.Random(seed).random() for seed in range(8)]
    _, _, (mean, half_width) = compare_runs(noise, [each + 0.01 for each in noise])
    assert mean == pytest.approx(0.01)
    assert half_width < 1e-15


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        ((2.0, 1.0), "B is above A"),
        ((-2.0, 1.0), "B is below A"),
        ((1.0, 1.0), "no clear difference yet"),
        ((0.0, 0.0), "A and B are equal"),
        ((0.1, 0.0), "B is above A"),
    ],
)
def test_the_verdict(difference, words):
    assert verdict(difference) == words


@pytest.mark.parametrize("runs", [2, 4, 5, 6, 40, 1000])
def test_steps_double_and_end_with_all_runs(runs):
    shown = steps(runs)
    assert shown[-1] == runs
    assert shown == sorted(set(shown))
    assert all(step in (5 * 2**n for n in range(9)) for step in shown[:-1])


def test_the_comparison_covers_the_runs_so_far():
    draw = random.Random(4)
    a, b = ([draw.random() for _ in range(12)] for _ in range(2))
    said = summarize_comparison(a, b)
    assert said["texts"] == [interval_words(each) for each in compare_runs(a, b)]
    assert said["verdict"] == verdict(compare_runs(a, b)[2])
    assert [row[0] for row in said["widths"]] == ["5", "10", "12"]
    half, _, gap = [half_width for _, half_width in compare_runs(a[:5], b[:5])]
    assert said["widths"][0] == ["5", *map(two_digits, (half, half * 5**0.5, gap))]


def test_an_interval_is_shown_once_there_is_one(page):
    """The first of several runs gives a mean alone; runs that all agree say so."""
    page.runs.run = lambda seed, **_: {"apply_s": 5629.0}
    replies = [reply_to_run(page, replication=n) for n in range(2)]
    shown, spoken = ([reply[key]["apply_s"] for reply in replies] for key in ("texts", "spoken"))
    assert shown == ["5,629.00", "5,629.00 in every run"]
    assert spoken == ["5,629.00 s", "5,629.00 s in every run"]


def test_one_run_that_is_enough_is_shown_without_an_interval(page):
    page.runs.run = lambda seed, **_: {"apply_s": 5629.0}
    page.needed = lambda **_: 1
    reply = reply_to_run(page, replication=0)
    assert (reply["needed"], reply["texts"]["apply_s"]) == (1, "5,629.00")


def test_one_run_has_no_interval():
    assert summarize_comparison([1.5], [2.0]) == {
        "texts": ["1.5", "2", "–"],
        "verdict": "one run gives no error bar",
        "widths": [],
        "points": [],
    }


def test_the_points_are_the_half_widths_and_a_law_through_the_first():
    draw = random.Random(4)
    a, b = ([draw.random() for _ in range(20)] for _ in range(2))
    points = {
        (point["of"], point["x"]): point["y"] for point in summarize_comparison(a, b)["points"]
    }
    assert set(points) == {(name, runs) for name in SERIES for runs in (5, 10, 20)}
    for runs in (5, 10, 20):
        half, _, gap = [half_width for _, half_width in compare_runs(a[:runs], b[:runs])]
        law = points[SERIES[0], 5] * (5 / runs) ** 0.5
        assert [points[name, runs] for name in SERIES] == pytest.approx([half, law, gap])


def test_no_width_has_no_point():
    assert summarize_comparison([1.0] * 5, [2.0] * 5)["points"] == []
