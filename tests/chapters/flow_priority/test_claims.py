"""What chapter 4 and its lesson claim beyond the numbers in their text, and the model answers."""

import pytest

from tests.assignments.submissions import model_answers
from tests.chapters.flow_priority.prose import (
    BACKLOG_S,
    CYCLE_MS,
    INTERCEPT_MS,
    ONE_RESIDUAL_WITH,
    OWN_S,
    PAUSE_S,
    RATE_BPS,
    SAVED_MS,
    SIZE,
    SIZE_BYTES,
    SLOPE_NS,
    SLOWDOWN,
    WITH,
    WITHOUT,
    left,
    left_by_equal_shares,
    packets,
    payload_gbps,
    percent,
    priority_load,
    response_ms,
    rounding_ms,
    users_at_most,
)
from tests.chapters.lessons import lesson
from tests.theory.fifo_port import fifo_port
from tunables.chapters.flow_priority.calibration import (
    NAMES,
    goodput_bps,
    times,
    users_bound,
)
from tunables.chapters.flow_priority.predictor import ALONE_S


def test_one_residual_misses_small_and_medium_by_the_same():
    misses = [round(percent(ONE_RESIDUAL_WITH[k], WITH[k])) for k in (1, 2)]
    assert misses[0] == misses[1] < 0


def test_with_15_users_the_port_would_have_been_idle_for_a_quarter_of_the_run():
    assert users_bound(goodput_bps(10e9, 9000), WITH.large_2) == pytest.approx(15 / 0.73, rel=0.01)


def test_the_savings_are_on_a_line_within_the_rounding_of_whole_seconds():
    """They are within 0.003 ms of it, and rounding alone is ten times as large."""
    off = abs(INTERCEPT_MS + SLOPE_NS * 1e-6 * SIZE.small - SAVED_MS.small)
    assert off < min(rounding_ms())


def test_dpp_priority_costs_hundredths_of_a_millisecond():
    mean_s, load = 8 * sum(SIZE_BYTES[:3]) / 3 / RATE_BPS, priority_load() / 100
    assert 1e-5 < mean_s * load / (1 - load) < 1e-4


def test_the_factors_of_the_bound_of_users_give_what_the_exact_ones_give():
    """It is 20.59 or 20.58 with two decimals."""
    assert f"{payload_gbps(9000):.1f}" == "9.9"
    assert f"{9.9 * 642 / (8 * 38.596):.1f}" == f"{users_at_most(9000):.1f}"


def test_the_theory_of_the_lab_is_what_its_port_does():
    simulated_s = fifo_port(BACKLOG_S, OWN_S, PAUSE_S, 6, seconds=600.0)
    assert response_ms(6) == pytest.approx(1e3 * simulated_s, rel=0.02)


def test_small_takes_nearly_twice_as_long_and_priority_gives_back_two_thirds():
    regained = (WITHOUT.small - WITH.small) / (WITHOUT.small - ALONE_S[1])
    assert SLOWDOWN.small == pytest.approx(2, abs=0.06)
    assert SLOWDOWN.small < 2
    assert regained == pytest.approx(2 / 3, abs=0.01)


def test_medium_is_the_slowest_small_class_in_both_columns():
    for column in (WITHOUT, WITH):
        assert max(column[:3]) == column.medium


def test_the_smallest_is_slowed_down_the_least():
    assert min(SLOWDOWN) == SLOWDOWN.extra_small


def test_the_margin_between_a_cycle_and_the_pause_that_ends_a_flow_is_thin():
    assert 5 < CYCLE_MS < 2 * 5


def test_packets_of_1500_bytes_leave_the_last_one_of_small_behind():
    for size_bytes, ahead in zip(SIZE_BYTES[:3], (True, False, False), strict=True):
        assert packets(size_bytes, 9000) <= 20
        assert (packets(size_bytes, 1500) <= 20) == ahead


def test_the_lesson_gives_each_structure_the_times_that_it_was_told_and_no_others():
    text = lesson("flow_priority")
    for structure in NAMES:
        small = [time for time in times(structure) if not time.output.startswith("large")]
        told = [f"{time.published:.0f}" for time in small if time.status == "calibrated"]
        found = [
            [f"{t.modelled:.0f}" for t in small if t.error is not None and which in t.output]
            for which in ("_without_", "_with_")
        ]
        [row] = [line for line in text.splitlines() if line.startswith(f"| {NAMES[structure]} |")]
        _, _, besides, *columns, _ = (cell.strip() for cell in row.split("|"))
        assert sorted(besides.replace(";", ",").split(", ")) == (sorted(told) or ["nothing"])
        assert columns == [", ".join(found[0]), ", ".join(found[1]) or "none left"]


def medium_seconds(percent_left):
    return WITHOUT.medium - percent_left / 100 * (WITHOUT.medium - WITH.medium)


def test_the_model_answers_to_the_open_questions():
    text = model_answers("flow_priority")
    less, more = sorted(left(buffer_mb, 200) for buffer_mb in (1, 5))
    assert f"keeps {less} to {more}% with queues of 1 and 5 MB" in text
    assert f"which is {medium_seconds(more):.0f} to {medium_seconds(less):.0f} s" in text
    equal = round(left_by_equal_shares())
    assert (
        f"A port with equal shares keeps {equal}%, which is {medium_seconds(equal):.0f} s" in text
    )
    assert f"predicted_s = {medium_seconds(equal):.0f}  # SOLUTION" in text
