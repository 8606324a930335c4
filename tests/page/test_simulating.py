"""A simulation asked for run by run: the numbers are the ledger's, and what is bad is refused."""

import json

import pytest

from tunables.page.pairs import first_seeds, told
from tunables.page.simulating import Page
from tunables.parts.ledger import ledger
from tunables.parts.registry import case_names, find_case
from tunables.reader.description import defaults, describe
from tunables.reader.tables import ledger_row


@pytest.fixture
def page():
    """The page of a case whose run is quick and draws."""
    return Page(json.dumps(describe(find_case("wlcg_session"))))


def asked(page, **changes):
    """Return the reply to a request, for the first run at the defaults but for changes."""
    usual = {"seed": 1, "replication": 0, "assumptions": {}, "state": defaults(page.description)}
    return json.loads(page.reply(json.dumps({"simulate": usual | changes})))


@pytest.mark.sampled
@pytest.mark.parametrize("name", case_names())
def test_run_by_run_the_numbers_become_the_cases_own(name):
    case = find_case(name)
    page = Page(json.dumps(describe(case)))
    count = asked(page)["needed"]
    reply = asked(page, replication=count - 1)
    simulated = case.simulate(1, **case.settings())
    assert {output: tuple(i) for output, i in reply["intervals"].items()} == simulated
    assert reply["predicted"] == pytest.approx(case.predict(**case.settings()))


def test_an_interval_is_of_the_runs_so_far_whoever_asks_in_whatever_order(page):
    in_order = [asked(page, replication=n)["intervals"] for n in range(4)]
    assert in_order[0]["apply_s"][1] == 0
    again = Page(json.dumps(page.description))
    assert [asked(again, replication=n)["intervals"] for n in (3, 1)] == [in_order[3], in_order[1]]


def test_other_settings_another_seed_and_another_assumption_begin_anew(page):
    first = asked(page, replication=1)["intervals"]
    state = defaults(page.description)
    assert asked(page, seed=2, replication=1)["intervals"] != first
    assert asked(page, state=state | {"replicats": 3}, replication=1)["intervals"] != first
    assert asked(page, replication=1)["intervals"] == first


def test_the_texts_are_those_of_the_ledger():
    case = find_case("rrd")
    page = Page(json.dumps(describe(case)))
    for number, entry in zip(case.numbers, ledger(case), strict=True):
        if number.output:
            reply = asked(page, state=case.settings(**number.settings))
            assert reply["texts"][number.output] == ledger_row(entry)[4]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": -1}, "seed = -1: must be a whole number at least 0 and at most"),
        ({"seed": 1.5}, "seed = 1.5: must be a whole number"),
        ({"seed": None}, "seed = None: must be a whole number"),
        ({"seed": 10**9}, "seed = 1000000000: must be a whole number"),
        ({"replication": -1}, "replication = -1: must be a whole number"),
        ({"replication": 1000}, "replication = 1000: must be a whole number"),
        ({"state": {}}, "replicats = None: must be"),
    ],
)
def test_what_is_bad_is_refused_in_a_sentence(page, changes, sentence):
    assert sentence in asked(page, **changes)["refusal"]


def test_what_the_run_refuses_is_told():
    def run(seed, **_):
        raise ValueError("graphs = 7: must be more")

    page = Page(json.dumps(describe(find_case("rrd"))), run=run)
    assert asked(page) == {"refusal": "graphs = 7: must be more"}


@pytest.mark.parametrize("common", [True, False])
def test_runs_at_other_settings_are_compared_with_these(page, common):
    case = find_case("wlcg_session")
    other = case.settings(replicats=3)
    against = {"state": other, "output": "apply_s", "common": common}
    compared = asked(page, replication=5, against=against)["compared"]
    first, second = first_seeds(1, case.simulation.replications, common)
    runs = [
        [case.simulation.run(seed + n, **settings)["apply_s"] for n in range(6)]
        for seed, settings in ((first, case.settings()), (second, other))
    ]
    assert compared == told(*runs)
    assert (
        asked(page, replication=5, against=against | {"common": not common})["compared"] != compared
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output": "speed"}, "output = 'speed': must be one of"),
        ({"state": {}}, "replicats = None: must be"),
    ],
)
def test_what_is_bad_at_the_other_settings_is_refused(page, changes, sentence):
    usual = {"state": defaults(page.description), "output": "apply_s", "common": True}
    assert sentence in asked(page, against=usual | changes)["refusal"]
