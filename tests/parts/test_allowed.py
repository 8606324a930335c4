"""What digits allow: held against closed forms, against points drawn at random, and whole."""

import math

import numpy as np
import pytest

from tunables.parts.allowed import Allowed, digits_interval
from tunables.parts.registry import allowed, cases, find_case
from tunables.reader.digits import intervals, predictions_table, ranges_table, verdict

GIB = 2**30


def simple(answers, start=(1.0, 1.0), bounds=None, names=("x", "y")):
    return Allowed(
        case="rrd",
        names=names,
        start=start,
        bounds=bounds or {"sum": (1.9, 2.1)},
        answers=answers,
        means="",
    )


def test_a_linear_set_is_found_to_its_corners():
    told = simple(
        lambda v: {"sum": v[0] + v[1], "difference": v[0] - v[1], "asked": 3 * v[0] + v[1]},
        bounds={"sum": (1.9, 2.1), "difference": (-0.2, 0.2)},
    )
    assert told.extremes("asked") == pytest.approx((3 * 0.85 + 1.05, 3 * 1.15 + 0.95), abs=1e-6)
    assert told.range_of("x") == pytest.approx((0.85, 1.15), abs=1e-6)


def test_a_round_set_is_found_to_its_rim():
    told = simple(
        lambda v: {"square": (v[0] - 1) ** 2 + (v[1] - 1) ** 2, "asked": v[0] + v[1]},
        bounds={"square": (-1.0, 0.04)},
    )
    low, high = told.extremes("asked")
    assert (low, high) == pytest.approx((2 - 0.2 * math.sqrt(2), 2 + 0.2 * math.sqrt(2)), rel=1e-4)


def test_a_start_that_misses_a_number_is_refused():
    with pytest.raises(ValueError, match=r"sum = 3.0 at the start: must be from 1\.9 to 2\.1"):
        simple(lambda v: {"sum": v[0] + v[1]}, start=(1.0, 2.0))


def test_each_predicted_number_has_its_interval_and_no_other_has():
    predicted = {
        (name, number.record.row_id)
        for name, case in cases().items()
        for number in case.numbers
        if number.status == "predicted"
    }
    assert predicted == {(name, row) for name, told in allowed().items() for row in told.predicted}
    assert len(predictions_table().rows) == len(predicted) == 5


def test_chapter_3s_interval_is_the_rule_of_three():
    low, high = intervals("rrd")["graphs-at-80-percent"]
    for end, printed in ((low, 85_000), (high, 95_000)):
        assert end == pytest.approx(printed * 80 / 98, abs=1)
    graph = allowed()["rrd"].range_of("bytes_per_graph")
    assert graph == pytest.approx((8 * GIB / 95_000, 8 * GIB / 85_000), rel=2e-5)


@pytest.mark.slow
def test_no_point_of_chapter_4_that_meets_the_digits_lies_beyond_the_interval():
    told, rng = allowed()["dpp"], np.random.default_rng(4)
    low, high = intervals("dpp")["large-1-with"]
    start, met = np.array(told.start), []
    ranges = np.array([told.range_of(name) for name in told.names])
    assert (ranges[:, 0] < start).all()
    assert (start < ranges[:, 1]).all()
    for shares in rng.random((1500, len(start))):
        point = ranges[:, 0] + shares * (ranges[:, 1] - ranges[:, 0])
        if told.meets(point):
            met.append(told.answers(point)["large-1-with"])
    assert len(met) > 150
    assert low <= min(met)
    assert max(met) <= high
    assert max(met) - min(met) > 0.8 * (high - low)  # and it is no wider than it must be


@pytest.mark.slow
def test_no_queue_of_chapter_6_lies_beyond_the_interval():
    told, rng = allowed()["quagga"], np.random.default_rng(6)
    bounds = np.array([told.bounds[name] for name in told.names])
    for row in ("slice", "blocked-before-lowest"):
        low, high = intervals("quagga")[row]
        seen = [
            told.answers(bounds[:, 0] + shares * (bounds[:, 1] - bounds[:, 0]))[row]
            for shares in rng.random((200, 2))
        ]
        assert low <= min(seen)
        assert max(seen) <= high
        assert max(seen) - min(seen) > 0.8 * (high - low)


def test_no_port_rate_gives_both_large_classes_within_their_digits():
    told, case = allowed()["dpp"], find_case("dpp")
    rows = case.by_row
    first, second = (rows[f"large-{n}-without"] for n in (1, 2))
    assert first.value < second.value
    for rate in np.linspace(9.2, 9.9, 50):
        answers = told.answers([rate, *told.start[1:]])
        assert answers["large-1-without"] > answers["large-2-without"]


def test_the_verdicts():
    number = find_case("rrd").by_row["graphs-at-80-percent"]
    assert digits_interval(number) == (65_000, 75_000)
    assert verdict(number, (69_000, 71_000)) == "inside"
    assert verdict(number, (74_000, 90_000)) == "within its digits"
    assert verdict(number, (60_000, 65_000)) == "within its digits"
    assert verdict(number, (75_001, 90_000)) == "outside"


def test_the_tables_say_what_was_found():
    told = {row[0]: row for row in predictions_table().rows}
    assert {name: row[-1] for name, row in told.items()} == {
        "3. Graphs that fit in 8 GiB at 80 %": "inside",
        "4. Large 1, with DPP": "outside",
        "6. Blocked before, lowest": "outside",
        "6. Blocked before, highest": "outside",
        "6. A slice": "outside",
    }
    for case in allowed():
        for parameter, fitted, span, width in ranges_table(case).rows:
            low, high = (float(end.replace(",", "")) for end in span.split(" to "))
            assert low < float(fitted.replace(",", "")) < high, parameter
            assert width.endswith(" %")
