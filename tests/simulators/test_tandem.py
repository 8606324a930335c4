import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from benchmarks.tandem import ciw_tandem, simpy_tandem, tunables_tandem
from tunables.simulators.tandem import _places, begins, departures, simulate_tandem, trace_tandem
from tunables.theory.pipelines import pipeline_throughput, two_stage_throughput

few = settings(deadline=None, max_examples=60, derandomize=True)


def exponential(customers, means, seed):
    return np.random.default_rng(seed).exponential(means, (customers, len(means)))


@st.composite
def tandems(draw):
    """Draw service times (some 0, some equal, so that events coincide) and buffers."""
    customers = draw(st.integers(1, 12))
    stages = draw(st.integers(1, 4))
    times = st.one_of(st.sampled_from([0.0, 1.0, 2.0]), st.floats(0, 10))
    service_s = draw(arrays(np.float64, (customers, stages), elements=times))
    places = st.one_of(st.integers(0, 3), st.just(math.inf))
    buffers = draw(st.lists(places, min_size=stages - 1, max_size=stages - 1))
    return service_s, buffers


@given(tandems())
@few
def test_kernel_equals_reference_exactly(tandem):
    service_s, buffers = tandem
    plain = departures.py_func(service_s, _places(buffers, *service_s.shape))
    trace = trace_tandem(service_s, buffers)
    assert (trace.departed_s == plain).all()
    assert (trace.begun_s == begins.py_func(plain)).all()
    assert (simulate_tandem(service_s, buffers) == trace.departed_s[:, -1]).all()


@given(tandems())
@few
def test_a_server_holds_one_customer_and_a_stage_its_places(tandem):
    service_s, buffers = tandem
    begun_s, served_s, departed_s = trace_tandem(service_s, buffers)
    assert (begun_s[1:] >= departed_s[:-1]).all()
    assert (begun_s[:, 1:] >= departed_s[:, :-1]).all()
    assert (served_s == begun_s + service_s).all()
    places = _places(buffers, *service_s.shape)
    for j in range(1, len(places)):
        left, entered = departed_s[: -places[j], j], departed_s[places[j] :, j - 1]
        assert (entered >= left).all()


@given(tandems(), st.floats(0, 5))
@few
def test_simpy_gives_the_same_departure_times(tandem, gap_s):
    service_s, buffers = tandem
    present = np.zeros(len(service_s))
    departure_s = simpy_tandem(present, service_s, buffers)
    assert (simulate_tandem(service_s, buffers) == departure_s).all()
    arriving = present + gap_s
    departure_s = simpy_tandem(arriving, service_s, buffers)
    assert (tunables_tandem(arriving, service_s, buffers) == departure_s).all()


@pytest.mark.parametrize("buffers", [[0, 0, 0], [3, 0, 2], [math.inf, 1, math.inf]])
@pytest.mark.parametrize("mean_s", [0.5, 2])
def test_both_peers_give_the_same_departure_times(mean_s, buffers):
    interarrival_s = exponential(300, [mean_s], seed=5)[:, 0]
    service_s = exponential(300, [1, 0.8, 1.1, 0.9], seed=4)
    departure_s = tunables_tandem(interarrival_s, service_s, buffers)
    assert (departure_s == simpy_tandem(interarrival_s, service_s, buffers)).all()
    assert (departure_s == ciw_tandem(interarrival_s, service_s, buffers)).all()


def test_a_blocked_customer_by_hand():
    # Customer 1 is done at stage 0 at time 2, but customer 0 holds stage 1 until 11.
    assert simulate_tandem([[1, 10], [1, 1], [1, 1]], [0]).tolist() == [11, 12, 13]
    assert simulate_tandem([[1, 10], [1, 1], [20, 1]], [0]).tolist() == [11, 12, 32]
    assert simulate_tandem([[1, 10], [1, 1], [20, 1]], [1]).tolist() == [11, 12, 23]


def test_where_a_blocked_customer_is_by_hand():
    trace = trace_tandem([[1, 10], [1, 1], [20, 1]], [0])
    assert trace.begun_s.tolist() == [[0, 1], [1, 11], [11, 31]]
    assert trace.served_s.tolist() == [[1, 11], [2, 12], [31, 32]]
    assert trace.departed_s.tolist() == [[1, 11], [11, 12], [31, 32]]


def test_one_stage_serves_one_after_another():
    assert simulate_tandem([[1.0], [2.0], [3.0]], []).tolist() == [1, 3, 6]


@pytest.mark.parametrize("buffers", [[0, 0, 0], [5, 5, 5], [math.inf] * 3])
def test_deterministic_stages_run_at_the_minimum(buffers):
    stage_s = [0.2, 0.5, 0.3, 0.4]
    customers = 5000
    departure_s = simulate_tandem(np.tile(stage_s, (customers, 1)), buffers)
    rate, _ = pipeline_throughput({str(j): 1 / s for j, s in enumerate(stage_s)})
    assert customers / departure_s[-1] == pytest.approx(rate, rel=1e-3)


@given(tandems())
@few
def test_the_minimum_is_an_upper_bound(tandem):
    service_s, buffers = tandem
    departure_s = simulate_tandem(service_s, buffers)
    busiest_s = service_s.sum(axis=0).max()
    assert departure_s[-1] >= busiest_s * (1 - 1e-12)


@given(tandems())
@few
def test_departures_are_in_order_and_more_room_never_delays(tandem):
    service_s, buffers = tandem
    departure_s = simulate_tandem(service_s, buffers)
    assert (np.diff(departure_s) >= 0).all()
    assert (simulate_tandem(service_s, [b + 1 for b in buffers]) <= departure_s).all()
    unlimited = simulate_tandem(service_s, [math.inf] * len(buffers))
    assert (simulate_tandem(service_s, [len(service_s)] * len(buffers)) == unlimited).all()


def test_random_stages_with_small_buffers_fall_below_the_minimum():
    customers = 200_000
    for buffer in (0, 2, 10):
        runs = [
            customers / simulate_tandem(exponential(customers, [1, 0.8], seed), [buffer])[-1]
            for seed in range(10)
        ]
        mean, half_width = np.mean(runs), 4.78 * np.std(runs, ddof=1) / math.sqrt(10)  # 99.9%
        exact = two_stage_throughput(1, 1 / 0.8, buffer)
        assert abs(mean - exact) < half_width
        minimum, _ = pipeline_throughput({"first": 1, "second": 1 / 0.8})
        assert mean + half_width < minimum


def test_an_open_tandem_of_two_mm1_queues():
    means = []
    for seed in range(10):
        service_s = exponential(200_000, [1 / 0.5, 1, 1 / 0.8], seed)  # times between arrivals
        arrival_s = np.cumsum(service_s[:, 0])
        means.append(np.mean(simulate_tandem(service_s, [math.inf, math.inf]) - arrival_s))
    half_width = 4.78 * np.std(means, ddof=1) / math.sqrt(10)  # 99.9%
    exact = 1 / (1 - 0.5) + 1 / (0.8 - 0.5)
    assert exact == pytest.approx(5.3333, abs=1e-4)
    assert half_width < 0.05 * exact
    assert abs(np.mean(means) - exact) < half_width


def test_no_argument_is_changed():
    service_s = exponential(10, [1, 1], seed=1)
    before = service_s.copy()
    simulate_tandem(service_s, np.array([2]))
    assert (service_s == before).all()


@pytest.mark.parametrize(
    ("service_s", "buffers", "name"),
    [
        ([], [], "service_s"),
        ([1, 2, 3], [], "service_s"),
        ([[1, 2], [3]], [1], "service_s"),
        ([[1, -2]], [1], "service_s"),
        ([[1, math.nan]], [1], "service_s"),
        ([[1, math.inf]], [1], "service_s"),
        ([["one", "two"]], [1], "service_s"),
        (np.zeros((2, 0)), [], "service_s"),
        ([[1, 2]], [], "buffers"),
        ([[1, 2]], [1, 1], "buffers"),
        ([[1, 2]], 1, "buffers"),
        ([[1, 2]], "1", "buffers"),
        ([[1, 2]], [-1], r"buffers\[0\]"),
        ([[1, 2]], [0.5], r"buffers\[0\]"),
        ([[1, 2]], [math.nan], r"buffers\[0\]"),
        ([[1, 2]], [None], r"buffers\[0\]"),
    ],
)
def test_bad_input_is_named(service_s, buffers, name):
    with pytest.raises(ValueError, match=name):
        simulate_tandem(service_s, buffers)
