"""What a case refuses, and what its ledger says of agreement."""

import dataclasses
import random
from typing import Any

import pytest

from tunables.base.agreement import agrees, relative_error
from tunables.core.case import Baseline, Published, Simulation, interval
from tunables.core.ledger import degrees_of_freedom, entry, freedom, ledger
from tunables.core.model import Parameter
from tunables.core.registry import cases, find_case
from tunables.evidence.published import published
from tunables.page.explorer import answer
from tunables.simulators.interval import confidence_interval
from tunables.views.explorer import describe
from tunables.views.tables import LEDGER_COLUMNS, ledger_row

RRD = find_case("rrd")
CLOSED = RRD.predict(**RRD.settings())


def parameter(**changes):
    given: dict[str, Any] = {
        "name": "x",
        "label": "X",
        "unit": "1",
        "default": 1.0,
        "origin": "assumed",
    }
    return Parameter(**(given | {"source": "test", "low": 0, "high": 2} | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"origin": "guessed"}, "origin of x = 'guessed': must be one of"),
        ({"scale": "cubic"}, "scale of x = 'cubic'"),
        ({"default": 3.0}, "x = 3.0: must be a finite number at least 0 and at most 2"),
        ({"default": 1.5, "integer": True}, "x = 1.5: must be a whole number"),
        ({"default": "c", "choices": ("a", "b")}, "x = 'c': must be one of a, b"),
        (
            {"default": "a", "choices": ("a", "b"), "choice_texts": ("first",)},
            "choice_texts of x = .*: must have one text per choice",
        ),
    ],
)
def test_a_parameter_refuses_what_it_cannot_be(changes, message):
    with pytest.raises(ValueError, match=message):
        parameter(**changes)


def test_a_number_without_an_output_must_be_unexplained():
    record = published("rrd-system-cache")["slowdown-after-overflow"]
    with pytest.raises(ValueError, match="output = ''"):
        Published(record, "label", "predicted")
    with pytest.raises(ValueError, match="status of slowdown-after-overflow = 'explained'"):
        Published(record, "label", "explained")


def test_only_a_bound_has_a_side_and_it_must_have_one():
    record = find_case("rrd").numbers[0].record
    for status, side in (("bound", ""), ("bound", "above"), ("predicted", "at least")):
        with pytest.raises(ValueError, match="side"):
            Published(record, "a label", status, "slowdown", side=side)


@pytest.mark.parametrize(
    ("side", "factor", "shown", "error"),
    [
        ("at least", 0.5, "≥", "holds"),
        ("at least", 2.0, "≥", "fails"),
        ("at most", 2.0, "≤", "holds"),
        ("at most", 0.5, "≤", "fails"),
    ],
)
def test_a_number_that_the_model_bounds_holds_or_fails_and_has_no_error(side, factor, shown, error):
    """The model says that the number is at least, or at most, `factor` times the number."""
    case = find_case("rrd")
    number = next(n for n in case.numbers if n.output == "slowdown")

    def predict(**settings):
        return {name: factor * number.value for name in case.predict(**settings)}

    bounded = dataclasses.replace(number, status="bound", side=side)
    assumed = tuple(dataclasses.replace(each, origin="assumed") for each in case.parameters)
    toy = dataclasses.replace(
        case,
        numbers=(bounded,),
        predict=predict,
        parameters=assumed,
        fits=(),
        choices=(),
        baseline=None,
    )
    toy_entry = entry(toy, number.record.row_id)
    assert toy_entry.error is None
    assert toy_entry.agrees == (error == "holds")
    cells = dict(zip(LEDGER_COLUMNS, ledger_row(toy_entry), strict=True))
    assert cells["Closed form"].startswith(shown)
    assert (cells["Error"], cells["Status"]) == (error, "bound")
    reply = answer(describe(toy), predict, toy.settings(**number.settings))["rows"][0]
    assert reply["model_text"] == cells["Closed form"]
    assert reply["error_text"] == error


def test_a_case_refuses_a_number_that_names_an_unknown_output_or_parameter():
    number = RRD.numbers[0]
    for changes in ({"output": "speed"}, {"settings": {"colour": 1.0}}):
        with pytest.raises(ValueError, match="must be one of"):
            dataclasses.replace(RRD, numbers=(dataclasses.replace(number, **changes),))
    with pytest.raises(ValueError, match="graphs = 0: must be a whole number at least 1000"):
        RRD.settings(graphs=0)
    with pytest.raises(ValueError, match="output = 'speed'"):
        RRD.output("speed")
    with pytest.raises(ValueError, match="case = 'rdd': must be one of"):
        find_case("rdd")


@pytest.mark.parametrize(
    ("predicted", "value", "resolution", "relation", "expected"),
    [
        (6.5, 6, 1, "=", True),
        (6.51, 6, 1, "=", False),
        (5.49, 6, 1, "about", False),
        (3.9, 4, 0, "at least", False),
        (3.9, 4, 0, "at most", True),
        (4.1, 4, 0, "below", False),
        (4.1, 4, 0, "above", True),
    ],
)
def test_agreement_is_the_rounding_interval_or_the_bound(
    predicted, value, resolution, relation, expected
):
    assert agrees(predicted, value, resolution, relation) is expected


def test_a_bound_has_no_relative_error():
    assert relative_error(5, 4, "at least") is None
    assert relative_error(5, 4, "about") == 0.25
    assert relative_error(5, 0, "=") is None


def test_a_baseline_of_nought_misses_by_all_of_the_number():
    nothing = Baseline("nothing fits", {"graphs-at-80-percent": 0.0})
    entries = ledger(dataclasses.replace(RRD, baseline=nothing), simulate=False)
    told = [each.baseline_error for each in entries if each.baseline is not None]
    assert told == [-1.0]


def test_one_number_s_entry_asks_the_closed_form_once():
    asked = []

    def predict(**settings):
        asked.append(settings)
        return CLOSED

    found = entry(dataclasses.replace(RRD, predict=predict), "graphs-at-80-percent")
    assert (len(asked), found.predicted) == (1, CLOSED["capacity_graphs"])
    assert found.rests_on == ()


@pytest.mark.parametrize("case", cases().values(), ids=lambda case: case.name)
def test_every_ledger_counts_all_numbers_and_claims_nothing_for_fitted_ones(case):
    entries = ledger(case, simulate=False)
    assert len(entries) == len(case.numbers)
    for each in entries:
        if each.number.status == "calibrated" and each.error is not None:
            assert each.agrees is False  # a misfit, which is news
        elif each.number.status in ("calibrated", "unexplained"):
            assert each.error is None
            assert each.agrees is None
        else:
            assert each.agrees is not None
    found = freedom(case)
    assert f"Fitted parameters: {len(found.fitted)} (" in degrees_of_freedom(case)
    assert f"= {found.left}." in degrees_of_freedom(case)
    assert sum(n.status == "calibrated" for n in case.numbers) >= bool(found.fitted)


@pytest.mark.slow
@pytest.mark.parametrize("case", cases().values(), ids=lambda case: case.name)
def test_every_prediction_returns_exactly_the_declared_outputs(case):
    assert set(case.predict(**case.settings())) == {output.name for output in case.outputs}
    simulated = case.simulate(1, **case.settings())
    assert set(simulated) <= {output.name for output in case.outputs}
    assert simulated == case.simulate(1, **case.settings())


def draw(seed, *, mean):
    return {"x": mean + random.Random(seed).random(), "seed": float(seed)}


def test_a_seed_has_runs_that_no_other_seed_shares():
    simulation = Simulation(draw, replications=3)
    seeds = [[run["seed"] for run in simulation.runs(seed, mean=0)] for seed in (0, 1, 2)]
    assert seeds == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_settings_compared_under_one_seed_have_the_same_draws():
    simulation = Simulation(draw, replications=3)
    low, high = (simulation.runs(7, mean=mean) for mean in (0, 1))
    gaps = [b["x"] - a["x"] for a, b in zip(low, high, strict=True)]
    assert gaps == pytest.approx([1, 1, 1])


def test_the_interval_is_student_s_over_the_runs():
    simulation = Simulation(draw, replications=4)
    samples = [run["x"] for run in simulation.runs(1, mean=2)]
    assert simulation.intervals(1, mean=2)["x"] == confidence_interval(samples)


def test_arguments_may_need_fewer_runs_from_the_same_first_seed():
    simulation = Simulation(draw, replications=5, needed=lambda mean: 1 if mean == 0 else 5)
    assert simulation.intervals(2, mean=0) == {"x": (draw(10, mean=0)["x"], 0.0), "seed": (10, 0)}
    assert len(simulation.runs(2, mean=1)) == 5


def test_a_single_run_has_no_width():
    assert interval([2]) == (2.0, 0.0)


@pytest.mark.parametrize("seed", [-1, 1.5, "one", True])
def test_a_seed_that_is_not_whole_is_refused(seed):
    with pytest.raises(ValueError, match=f"seed = {seed!r}: must be a whole number at least 0"):
        Simulation(draw).runs(seed, mean=0)


@pytest.mark.parametrize("scheme", ["lru", "opt"])
def test_a_scheme_that_draws_nothing_runs_once(scheme):
    settings = find_case("rrd").settings(scheme=scheme, graphs=2_000)
    simulated = find_case("rrd").simulate(1, **settings)
    assert [half_width for _, half_width in simulated.values()] == [0, 0, 0]
    assert simulated == find_case("rrd").simulate(2, **settings)
