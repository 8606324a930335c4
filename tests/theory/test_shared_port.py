"""The shared port: the published workload, limits, bounds and what it refuses."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.theory.fifo_port import fifo_port
from tunables.evidence.published import published
from tunables.theory.closed_network import solve_closed_network
from tunables.theory.shared_port import (
    calibrate_delay,
    completion_times,
    fifo_response,
    flowlet_priority_fraction,
)

SETTINGS = settings(deadline=None, max_examples=40, derandomize=True)
CAPACITY = 9.5e9
CLASSES = ("extra-small", "small", "medium", "large-1", "large-2")
UNIT_BYTES = {"KB": 1e3, "MB": 1e6}
DATA = published("nexus-dpp")
SIZES = [DATA[f"{c}-size"].value * UNIT_BYTES[DATA[f"{c}-size"].unit] for c in CLASSES]
COUNTS = [DATA[f"{c}-transactions"].value for c in CLASSES]
ALONE = [DATA[f"{c}-alone"].value for c in CLASSES]
USERS = [20] * 5


@pytest.fixture(scope="module")
def delays():
    return calibrate_delay(USERS, SIZES, COUNTS, ALONE, CAPACITY)


def test_the_published_workload_needs_these_delays(delays):
    assert [1e3 * z for z in delays] == pytest.approx([7.16, 8.14, 9.66, 462, 1032], rel=1e-3)


def test_calibrated_delays_give_the_time_alone_back(delays):
    for k in range(5):
        [alone] = completion_times([20], [SIZES[k]], [COUNTS[k]], [delays[k]], CAPACITY)
        assert alone == pytest.approx(ALONE[k], rel=1e-9)


def test_sharing_alone_gives_these_times(delays):
    times = completion_times(USERS, SIZES, COUNTS, delays, CAPACITY)
    assert [round(time) for time in times] == [325, 375, 422, 650, 647]


def test_priority_of_the_first_180_kb_gives_these_times(delays):
    times = completion_times(USERS, SIZES, COUNTS, delays, CAPACITY, priority_bytes=180e3)
    assert [round(time) for time in times] == [300, 301, 301, 650, 648]


def test_the_first_phase_runs_at_the_closed_networks_throughput(delays):
    demands = [8 * size / CAPACITY for size in SIZES]
    [first, *_] = solve_closed_network(USERS, delays, demands)
    times = completion_times(USERS, SIZES, COUNTS, delays, CAPACITY)
    assert times[0] == pytest.approx(20 * COUNTS[0] / first)


def test_the_port_carries_no_more_than_its_capacity(delays):
    bits = 8 * sum(n * s * c for n, s, c in zip(USERS, SIZES, COUNTS, strict=True))
    bound = bits / 10e9
    assert bound == pytest.approx(617.54, abs=0.01)
    for priority in (0, 180e3):
        times = completion_times(USERS, SIZES, COUNTS, delays, 10e9, priority_bytes=priority)
        # The closed form lets a class end all at once, so it may undercut by its own rounding.
        assert max(times) >= bound * (1 - 5e-4)


workloads = st.lists(
    st.tuples(st.integers(1, 8), st.floats(1e3, 1e7), st.integers(1, 1000), st.floats(1e-4, 1.0)),
    min_size=1,
    max_size=4,
)


@SETTINGS
@given(workloads, st.floats(0, 1e5), st.randoms(use_true_random=False))
def test_the_order_of_the_classes_does_not_matter(classes, priority, random):
    def times(order):
        population, sizes, counts, delays = map(list, zip(*order, strict=True))
        return completion_times(population, sizes, counts, delays, 1e9, 0.0, priority)

    order = list(range(len(classes)))
    random.shuffle(order)
    before, after = times(classes), times([classes[k] for k in order])
    assert after == pytest.approx([before[k] for k in order], rel=1e-6)


@SETTINGS
@given(workloads)
def test_nobody_is_faster_than_alone_or_slower_than_in_one_long_line(classes):
    population, sizes, counts, delays = map(list, zip(*classes, strict=True))
    times = completion_times(population, sizes, counts, delays, 1e9)
    work = [8 * n * s * c / 1e9 for n, s, c, _ in classes]
    for k, (n, s, c, z) in enumerate(classes):
        [alone] = completion_times([n], [s], [c], [z], 1e9)
        assert times[k] >= alone * (1 - 1e-9)
        assert times[k] <= c * z + sum(work) * (1 + 1e-9)


def test_priority_of_nothing_and_latency_of_nothing_change_nothing(delays):
    plain = completion_times(USERS, SIZES, COUNTS, delays, CAPACITY)
    assert completion_times(USERS, SIZES, COUNTS, delays, CAPACITY, [0] * 5, 0) == plain
    moved = completion_times(
        USERS, SIZES, COUNTS, [z - 1e-3 for z in delays], CAPACITY, latency_s=1e-3
    )
    assert moved == pytest.approx(plain)


def test_priority_bytes_of_one_class_only(delays):
    ahead = [180e3, 0, 0, 0, 0]
    plain = completion_times(USERS, SIZES, COUNTS, delays, CAPACITY)
    times = completion_times(USERS, SIZES, COUNTS, delays, CAPACITY, priority_bytes=ahead)
    assert times[0] < 0.95 * plain[0]
    assert times[1] > plain[1]


def test_one_user_takes_the_sum_of_its_parts():
    [delay] = calibrate_delay([1], [1250], [10], [50], 1e4)
    assert delay == pytest.approx(4)
    assert completion_times([1], [1250], [10], [4.0], 1e4, 0.5) == pytest.approx([55])


def test_two_equal_classes_end_together():
    times = completion_times([3, 3], [1e6, 1e6], [50, 50], [0.01, 0.01], 1e9)
    assert times[0] == times[1]


def test_flowlets():
    times = [0, 0.001, 0.002, 0.007, 0.008]
    assert flowlet_priority_fraction(times, 1, 0.005) == 2 / 5
    assert flowlet_priority_fraction(times, 2, 0.005) == 4 / 5
    assert flowlet_priority_fraction(times, 2, 0.0051) == 2 / 5
    assert flowlet_priority_fraction(times, 0, 0.005) == 0
    assert flowlet_priority_fraction(times, 5, 0.005) == 1
    assert flowlet_priority_fraction([1.0], 1, 0.005) == 1


@SETTINGS
@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=40).map(sorted),
    st.integers(0, 10),
    st.floats(0.01, 10),
)
def test_more_packets_or_a_shorter_gap_never_prioritise_fewer(times, packets, gap):
    fraction = flowlet_priority_fraction(times, packets, gap)
    assert flowlet_priority_fraction(times, packets + 1, gap) >= fraction
    assert flowlet_priority_fraction(times, packets, gap / 2) >= fraction


@SETTINGS
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 1))
def test_the_fifo_response_solves_its_equation(backlog, work, think):
    response = fifo_response(backlog, work, think)
    assert response * (1 - work / (think + response)) == pytest.approx(backlog, abs=1e-9)


@pytest.mark.parametrize(
    ("backlog", "own", "think", "users"),
    [(0.02304, 0.0028, 0.040, 6), (0.040, 0.010, 0.080, 3), (0.020, 0.018, 0.050, 4)],
)
def test_the_fifo_response_of_a_few_users_is_that_of_a_port_played_through(
    backlog, own, think, users
):
    played = fifo_port(backlog, own, think, users, seconds=600.0)
    assert fifo_response(backlog, users * own, think, users) == pytest.approx(played, rel=0.03)
    # With oneself among those who are found, and without one's own packets, it is too short.
    assert fifo_response(backlog, users * own, think) < 0.965 * played


@SETTINGS
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.integers(1, 40))
def test_no_user_is_through_a_fifo_port_before_the_backlog_and_the_own_packets(
    backlog, work, think, users
):
    response = fifo_response(backlog, work, think, users)
    assert response >= backlog + work / users
    assert response <= backlog + work * (1 + 1e-12)
    alone = fifo_response(backlog, work, think, 1)
    assert alone == pytest.approx(backlog + work)


def test_a_thousand_users_are_very_many():
    many = fifo_response(0.023, 0.0168, 0.040, 1000)
    assert many == pytest.approx(fifo_response(0.023, 0.0168, 0.040), rel=1e-3)


GOOD = ([20], [18e3], [41805], [7e-3], 9.5e9)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, [0], "population = 0.0: must be a whole number at least 1"),
        (0, [20, 20], "population = 2, size_bytes = 1, transactions = 1: must be equal"),
        (0, "20", "population = '20'"),
        (1, [-1], r"size_bytes\[0\] = -1"),
        (1, [math.nan], r"size_bytes\[0\] = nan"),
        (2, [2.5], "transactions = 2.5"),
        (2, [], r"transactions = \[\]"),
        (3, [math.inf], r"delay_s\[0\] = inf"),
        (3, [1, 2], "delay_s has 2 entries: must have 1"),
        (4, 0, "capacity_bps = 0"),
    ],
)
def test_bad_input_of_completion_times_is_refused_by_name(place, value, message):
    arguments = list(GOOD)
    arguments[place] = value
    with pytest.raises(ValueError, match=message):
        completion_times(*arguments)


def test_bad_options_are_refused_by_name():
    with pytest.raises(ValueError, match="latency_s = -1"):
        completion_times(*GOOD, latency_s=-1)
    with pytest.raises(ValueError, match="priority_bytes has 2 entries"):
        completion_times(*GOOD, priority_bytes=[1, 2])
    with pytest.raises(ValueError, match=r"alone_s\[0\] = 0.1: must be .* above"):
        calibrate_delay([20], [18e3], [41805], [0.1], 9.5e9)
    with pytest.raises(ValueError, match=r"packet_times_s\[1\] = 0.0: must be .* at least 1"):
        flowlet_priority_fraction([1, 0], 1, 1)
    with pytest.raises(ValueError, match="gap_s = 0"):
        flowlet_priority_fraction([1], 1, 0)
    with pytest.raises(ValueError, match="max_packets = -1"):
        flowlet_priority_fraction([1], -1, 1)
    with pytest.raises(ValueError, match=r"packet_times_s = \[\]"):
        flowlet_priority_fraction([], 1, 1)
    with pytest.raises(ValueError, match="think_s = nan"):
        fifo_response(0, 0, math.nan)
    with pytest.raises(ValueError, match="users = 0: must be a whole number at least 1"):
        fifo_response(0.02, 0.01, 0.04, users=0)
