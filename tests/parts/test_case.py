"""What a case refuses, and what its ledger says of agreement."""

import dataclasses
from typing import Any

import pytest

from tunables.evidence.published import published
from tunables.parts.case import Published
from tunables.parts.freedom import degrees_of_freedom, freedom
from tunables.parts.ledger import entry, ledger
from tunables.parts.model import Parameter
from tunables.parts.origin import Baseline
from tunables.parts.registry import cases, find_case
from tunables.plain.agreement import agrees, relative_error

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
        ({"default": 1.5, "whole": True}, "x = 1.5: must be a whole number"),
        ({"default": "c", "choices": ("a", "b")}, "x = 'c': must be one of a, b"),
        (
            {"default": "a", "choices": ("a", "b"), "choice_texts": ("first",)},
            "choice_texts of x = .*: must be one a choice",
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


@pytest.mark.parametrize("case", cases().values(), ids=lambda case: case.name)
def test_every_prediction_returns_exactly_the_declared_outputs(case):
    assert set(case.predict(**case.settings())) == {output.name for output in case.outputs}
    simulated = case.simulate(1, **case.settings())
    assert set(simulated) <= {output.name for output in case.outputs}
    assert simulated == case.simulate(1, **case.settings())
