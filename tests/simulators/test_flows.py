"""Flow simulation: its reference, what every discipline must keep, closed forms, SimPy, errors."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from benchmarks.flows_peer import simpy_shared
from tunables.page.chapters import module
from tunables.simulators import flows_reference
from tunables.simulators.cycles import closed_cycles
from tunables.simulators.flows import DISCIPLINES, serve, simulate_flows, simulate_queue
from tunables.simulators.interval import confidence_interval
from tunables.theory.queueing import mg1_fb_response, mg1_fifo_response, mg1_ps_response
from tunables.theory.shared_port import calibrate_delay, completion_times

SETTINGS = settings(deadline=None, max_examples=25, derandomize=True)

users = st.lists(
    st.tuples(st.integers(1, 4), st.floats(0.1, 5), st.integers(1, 8), st.floats(0.1, 5)),
    min_size=1,
    max_size=3,
)


def cycles_of(classes, seed, pooled=True, spread=0.7):
    population, sizes, counts, delays = map(np.array, zip(*classes, strict=True))
    cycles, class_of_pool = closed_cycles(population, counts, delays, seed, spread, pooled)
    return cycles, sizes[class_of_pool]


@SETTINGS
@given(
    users,
    st.integers(0, 99),
    st.booleans(),
    st.sampled_from(DISCIPLINES),
    st.floats(0, 3) | st.lists(st.sampled_from([0.0, 0.4, 2.0, 9.0]), min_size=12, max_size=12),
)
def test_kernel_equals_reference(classes, seed, pooled, discipline, priority_s):
    cycles, service_s = cycles_of(classes, seed, pooled)
    if isinstance(priority_s, list):  # one per pool
        priority_s = priority_s[: len(service_s)]
    plain = flows_reference.serve(cycles, service_s, discipline, priority_s)
    fast = serve(cycles, service_s, discipline, priority_s)
    # Virtual clocks and remaining times round differently, in the last digits only.
    assert fast.tolist() == pytest.approx(plain, rel=1e-11)


@SETTINGS
@given(users, st.integers(0, 99), st.floats(0, 3))
def test_no_discipline_idles_or_ends_before_the_work_is_done(classes, seed, priority_s):
    cycles, service_s = cycles_of(classes, seed)
    work = sum(n * s * c for n, s, c, _ in classes)
    for discipline in DISCIPLINES:
        done = serve(cycles, service_s, discipline, priority_s).max()
        assert work * (1 - 1e-12) <= done
        idle = (cycles[0] * 0, *cycles[1:])  # without think times the server never idles
        assert serve(idle, service_s, discipline, priority_s).max() == pytest.approx(work)


@SETTINGS
@given(st.integers(0, 99), st.floats(0.2, 1.5), st.floats(0, 3))
def test_conservation_all_disciplines_empty_the_queue_at_the_same_times(seed, load, priority_s):
    # The unfinished work is one function of time, so the last departure is one number.
    rng = np.random.default_rng(seed)
    arrivals = np.cumsum(rng.exponential(1 / load, 60))
    sizes = rng.choice([0.3, 1.0, 2.5], 60)
    each = np.arange(60)
    cycles = (arrivals, each, np.ones(60, np.int64), each)
    ends = [serve(cycles, sizes, d, priority_s).max() for d in DISCIPLINES]
    assert ends == pytest.approx([ends[0]] * 5, rel=1e-12)


@SETTINGS
@given(st.integers(0, 99), st.floats(0.3, 1.2))
def test_no_discipline_has_a_shorter_mean_response_than_srpt(seed, load):
    def mean(discipline):
        _, responses = simulate_queue(load, [0.2, 1.0, 4.0], [0.5, 0.3, 0.2], discipline, 300, seed)
        return responses.mean()

    best = mean("srpt")
    assert all(mean(discipline) >= best - 1e-9 for discipline in DISCIPLINES)


@SETTINGS
@given(users, st.sampled_from(["ps", "fb", "dpp"]), st.randoms(use_true_random=False))
def test_the_order_of_the_classes_does_not_matter(classes, discipline, random):
    def times(order):
        population, sizes, counts, delays = map(list, zip(*order, strict=True))
        return simulate_flows(population, sizes, counts, delays, 8, discipline, 0, 0.5, spread=0)

    order = list(range(len(classes)))
    random.shuffle(order)
    before, after = times(classes), times([classes[k] for k in order])
    assert after == pytest.approx(before[order], rel=1e-9)


def test_priority_of_no_bytes_or_of_all_bytes_is_sharing():
    workload = ([3, 2], [100, 5000], [50, 10], [0.1, 0.4], 80_000)
    sharing = simulate_flows(*workload, "ps", seed=4)
    assert simulate_flows(*workload, "dpp", seed=4).tolist() == pytest.approx(sharing.tolist())
    everything = simulate_flows(*workload, "dpp", seed=4, priority_bytes=5000)
    assert everything.tolist() == pytest.approx(sharing.tolist())


def test_priority_of_one_class_only():
    workload = ([3, 2], [100, 5000], [50, 10], [0.1, 0.4], 80_000)
    sharing = simulate_flows(*workload, "ps", seed=4)
    both = simulate_flows(*workload, "dpp", seed=4, priority_bytes=100)
    one = simulate_flows(*workload, "dpp", seed=4, priority_bytes=[100, 0])
    assert one[0] < both[0] < sharing[0]
    with pytest.raises(ValueError, match="priority_bytes has 3 entries: must have 2, one per"):
        simulate_flows(*workload, "dpp", priority_bytes=[100, 0, 0])


def test_the_seed_decides():
    workload = ([3], [100], [50], [0.1], 8_000, "ps")
    assert simulate_flows(*workload, seed=1) == simulate_flows(*workload, seed=1)
    assert simulate_flows(*workload, seed=1) != simulate_flows(*workload, seed=2)


BYTES_OF_ALL = """
from tunables.simulators.flows import DISCIPLINES, simulate_flows, simulate_queue
from tunables.simulators.packets import simulate_packets
for discipline in DISCIPLINES:
    workload = [3, 4], [900, 5000], [20, 9], [0.1, 0.4], 80_000
    print(simulate_flows(*workload, discipline, 1, 300).tobytes().hex())
    print(simulate_queue(0.8, [0.5, 5.5], [0.9, 0.1], discipline, 50, 1)[1].tobytes().hex())
workload = [4, 4], [18_000, 640_000], [20, 9], [0.001, 0.01], 1e9
print(simulate_packets(*workload, max_packets=3, buffer_bytes=1e5))
"""


@pytest.mark.slow
def test_the_same_bytes_without_numba():
    hidden = "import sys; sys.modules['numba'] = None"
    with_numba, without = (
        subprocess.run(
            [sys.executable, "-c", f"{first}\n{BYTES_OF_ALL}"], check=True, capture_output=True
        ).stdout
        for first in ("", hidden)
    )
    assert with_numba == without
    assert with_numba.count(b"\n") == 11


GOOD = {
    "population": [2],
    "size_bytes": [100],
    "transactions": [3],
    "delay_s": [1.0],
    "capacity_bps": 1e4,
    "discipline": "ps",
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"population": [0]}, "population = 0.0: must be a whole number at least 1"),
        ({"population": [1, 2]}, "population = 2, size_bytes = 1, transactions = 1, delay_s = 1"),
        ({"size_bytes": [0]}, r"size_bytes\[0\] = 0"),
        ({"transactions": []}, r"transactions = \[\]"),
        ({"delay_s": [math.nan]}, r"delay_s\[0\] = nan"),
        ({"capacity_bps": math.inf}, "capacity_bps = inf"),
        ({"discipline": "lifo"}, "discipline = 'lifo': must be one of fifo, ps, srpt, fb, dpp"),
        ({"seed": -1}, "seed = -1"),
        ({"priority_bytes": -1}, "priority_bytes = -1"),
        ({"spread": 1.5}, "spread = 1.5: must be .* at most 1"),
    ],
)
def test_bad_input_of_simulate_flows_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        simulate_flows(**{**GOOD, **change})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, [1], [1], "ps", 9), "arrival_rate = 0"),
        ((1, [0], [1], "ps", 9), r"sizes_s\[0\] = 0"),
        ((1, [1, 2], [1], "ps", 9), "sizes_s = 2, probabilities = 1"),
        ((1, [1], [0.9], "ps", 9), "sum of probabilities = 0.9"),
        ((1, [1], [1], "PS", 9), "discipline = 'PS'"),
        ((1, [1], [1], "ps", 0), "customers = 0"),
        ((1, [1], [1], "ps", 9, 0.5), "seed = 0.5"),
        ((1, [1], [1], "dpp", 9, 0, -1), "priority_s = -1"),
    ],
)
def test_bad_input_of_simulate_queue_is_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_queue(*arguments)


DPP = module("dpp", "predictor")  # a workload that was measured

CAPACITY = 9.5e9
USERS = [20] * 5
DELAYS = calibrate_delay(USERS, DPP.SIZE_BYTES, DPP.TRANSACTIONS, DPP.ALONE_S, CAPACITY)
PUBLISHED = (USERS, DPP.SIZE_BYTES, DPP.TRANSACTIONS, DELAYS, CAPACITY)


def test_the_whole_published_experiment_is_the_closed_form_within_three_per_mille():
    assert 20 * sum(DPP.TRANSACTIONS) == 2_194_980
    simulated = simulate_flows(*PUBLISHED, "ps", seed=1)
    assert simulated.tolist() == pytest.approx(completion_times(*PUBLISHED), rel=3e-3)


@pytest.mark.parametrize("packets", [1, 5, 20, 100])
def test_priority_is_the_closed_form_within_three_per_mille(packets):
    ahead = packets * 8948
    simulated = simulate_flows(*PUBLISHED, "dpp", seed=2, priority_bytes=ahead)
    predicted = completion_times(*PUBLISHED, priority_bytes=ahead)
    assert simulated.tolist() == pytest.approx(predicted, rel=3e-3)


@pytest.mark.parametrize("spread", [0.2, 1.0])
def test_the_closed_form_does_not_care_how_think_times_are_spread(spread):
    simulated = simulate_flows(*PUBLISHED, "ps", seed=3, spread=spread)
    assert simulated.tolist() == pytest.approx(completion_times(*PUBLISHED), rel=5e-3)


def test_users_in_step_are_not_the_closed_form():
    simulated = simulate_flows(*PUBLISHED, "ps", seed=3, spread=0.0)
    assert (simulated > 1.03 * np.array(completion_times(*PUBLISHED))).all()


def test_users_with_separate_work_end_within_one_and_a_half_percent_of_a_pool():
    simulated = simulate_flows(*PUBLISHED, "ps", seed=4, pooled=False)
    assert simulated.tolist() == pytest.approx(completion_times(*PUBLISHED), rel=1.5e-2)


SIZES, PROBABILITIES, RATE = [0.5, 5.5], [0.9, 0.1], 0.8
CUSTOMERS, WARM_UP, RUNS = 200_000, 20_000, 12


def means(sizes, probabilities, discipline):
    """Return each run's mean response, of all customers and of each size."""
    overall, by_size = [], []
    for seed in range(RUNS):
        drawn, responses = simulate_queue(RATE, sizes, probabilities, discipline, CUSTOMERS, seed)
        drawn, responses = drawn[WARM_UP:], responses[WARM_UP:]
        overall.append(responses.mean())
        if len(sizes) < 5:
            by_size.append([responses[drawn == size].mean() for size in sizes])
    return overall, np.transpose(by_size)


def assert_within(samples, exact):
    mean, half_width = confidence_interval(samples, level=0.999)
    assert abs(mean - exact) < half_width
    assert half_width < 0.06 * exact  # an interval that could fail


def test_fifo_queue():
    overall, _ = means(SIZES, PROBABILITIES, "fifo")
    assert_within(overall, mg1_fifo_response(RATE, 1.0, 3.25))


def test_processor_sharing_queue():
    overall, by_size = means(SIZES, PROBABILITIES, "ps")
    assert_within(overall, 5.0)
    for samples, size in zip(by_size, SIZES, strict=True):
        assert_within(samples, mg1_ps_response(size, 0.8))


def test_least_attained_queue():
    _, by_size = means(SIZES, PROBABILITIES, "fb")
    for samples, size in zip(by_size, SIZES, strict=True):
        assert_within(samples, mg1_fb_response(RATE, size, SIZES, PROBABILITIES))


def srpt_exponential_mean(load):
    """Return the mean response of M/M/1 under SRPT, rate 1 (Schrage & Miller 1966, eq. 4)."""

    def load_up_to(x):  # load of jobs up to size x
        return load * (1 - (1 + x) * np.exp(-x))

    def second(x):  # int_0^x t^2 exp(-t) dt + x^2 exp(-x)
        return 2 - (2 + 2 * x) * np.exp(-x)

    def response(x):
        residence, _ = quad(lambda t: 1 / (1 - load_up_to(t)), 0, x)
        return load * second(x) / (2 * (1 - load_up_to(x)) ** 2) + residence

    mean, _ = quad(lambda x: response(x) * np.exp(-x), 0, 60, limit=200)
    return mean


@pytest.mark.slow
def test_shortest_remaining_queue():
    exact = srpt_exponential_mean(0.8)
    assert exact == pytest.approx(2.3528, abs=5e-5)
    atoms = 1000  # the exponential, cut into slices of equal probability, each at its mean
    edges = -np.log1p(-np.arange(atoms) / atoms)
    upper = np.append((1 + edges[1:]) * np.exp(-edges[1:]), 0.0)
    sizes = atoms * ((1 + edges) * np.exp(-edges) - upper)
    overall, _ = means(sizes.tolist(), [1 / atoms] * atoms, "srpt")
    assert_within(overall, exact)


def test_two_preemptive_levels_of_equal_short_jobs():
    # Within the priority all jobs share as one class; the rest of the long jobs waits for all
    # priority work. This is FB with two levels; for the short class it is plain sharing.
    samples = []
    for seed in range(RUNS):
        drawn, responses = simulate_queue(
            RATE, SIZES, PROBABILITIES, "dpp", CUSTOMERS, seed, priority_s=0.5
        )
        samples.append(responses[WARM_UP:][drawn[WARM_UP:] == 0.5].mean())
    assert_within(samples, mg1_ps_response(0.5, RATE * 0.5))


@pytest.mark.parametrize("pooled", [True, False])
def test_simpy_gives_the_same_answer(pooled):
    counts = np.maximum(np.array(DPP.TRANSACTIONS) // 200, 1)
    cycles, class_of_pool = closed_cycles(np.array(USERS), counts, np.array(DELAYS), 5, 0.5, pooled)
    service_s = 8 * np.array(DPP.SIZE_BYTES)[class_of_pool] / CAPACITY
    fast = serve(cycles, service_s, "ps")
    assert fast.tolist() == pytest.approx(simpy_shared(cycles, service_s), rel=1e-10)
