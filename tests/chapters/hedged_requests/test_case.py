"""Chapter 8's cases: the article's arithmetic, what was fitted, and what table 1 allows."""

import pytest

from tunables.chapters.hedged_requests.calibration import (
    SCENES,
    benchmark_leaf,
    exponential_benchmark_ms,
    fitted_floor_ms,
    fitted_shared,
    independent_copies,
    least_slow_share,
    table_leaves,
    value,
)
from tunables.chapters.hedged_requests.case import (
    FITTED,
    allowed,
    tied_case,
)
from tunables.chapters.hedged_requests.predictor import PERCENTILES, predict_fanout
from tunables.core.registry import find_case


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("name", PERCENTILES)
def test_the_changes_in_brackets_follow_from_the_latencies(scene, name):
    change = value(f"{scene}-tied-{name}") / value(f"{scene}-once-{name}") - 1
    assert round(100 * change) == value(f"{scene}-change-{name}")


def test_half_of_the_99th_percentile_is_the_last_five_percent():
    assert 100 * (1 - value("most-p99") / value("all-p99")) == value("slowest-share-of-p99")


def test_the_fitted_numbers_come_back_and_no_other_does():
    case = tied_case()
    for row, number in case.by_row.items():
        assert (abs(case.answer(number) - number.value) < 1e-6) == (row in FITTED)


@pytest.mark.parametrize("scene", SCENES)
def test_independent_copies_need_no_curve_at_the_99th_percentile(scene):
    """S(t) S(t - d) = 0.01 lies between the 90th percentile of one copy and d more."""
    low = value(f"{scene}-once-p90")
    found = independent_copies()[f"{scene}-tied-p99"]
    assert low < found < low + value("tied-delay")
    assert value(f"{scene}-tied-p99") > low + value("tied-delay") + 0.5  # and it is refuted


def test_the_rows_of_table_1_contradict_each_other():
    assert value("most-p50") > value("leaf-p99") + 1  # beyond what rounding explains
    assert least_slow_share() > 0.01


def test_independent_leaves_are_too_fast_in_the_middle_and_too_slow_at_the_end():
    """What the chapter says of them, though the first row cannot be of the same requests."""
    found = predict_fanout(leaves=table_leaves())
    for name in ("p50", "p95", "p99"):
        assert found[f"most_{name}_ms"] < 0.5 * value(f"most-{name}")
    for name in ("p95", "p99"):
        assert found[f"all_{name}_ms"] > 1.4 * value(f"all-{name}")


def test_the_leaves_of_table_1_give_its_median():
    assert predict_fanout(leaves=table_leaves())["all_p50_ms"] == pytest.approx(40, abs=0.02)


def test_the_benchmarks_leaf_goes_through_what_is_printed():
    leaf = benchmark_leaf()
    once = predict_fanout(leaves=1000, **leaf)
    assert once["all_p999_ms"] == pytest.approx(1800)
    again = predict_fanout(leaves=1000, copies="twice", delay_ms=10, **leaf)
    assert again["copies_percent"] == pytest.approx(2)
    assert exponential_benchmark_ms() > 7 * value("hedged-p999")  # what the other curve leaves


def test_the_digits_allow_a_narrow_range():
    low, high = allowed().range_of("shared")
    assert low < fitted_shared() < high < 0.1
    assert fitted_floor_ms() < value("idle-tied-p50")


@pytest.mark.parametrize("name", ["tied", "hedge"])
def test_the_simulation_agrees_with_the_closed_form(name):
    case = find_case(name)
    outputs = case.simulation.run(1, **case.settings())
    closed = case.predict(**case.settings())
    for output, simulated in outputs.items():
        assert simulated == pytest.approx(closed[output], rel=0.05, abs=1.0), output
