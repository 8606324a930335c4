"""Flow simulation against closed forms and public values, and against the same model in SimPy."""

import numpy as np
import pytest
from scipy.integrate import quad

from benchmarks.flows_peer import simpy_shared
from tunables.page.chapters import module
from tunables.simulators.cycles import closed_cycles
from tunables.simulators.flows import serve, simulate_flows, simulate_queue
from tunables.simulators.interval import confidence_interval
from tunables.theory.queueing import mg1_fb_response, mg1_fifo_response, mg1_ps_response
from tunables.theory.shared_port import calibrate_delay, completion_times

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


def test_users_with_work_of_their_own_end_within_a_percent_and_a_half_of_a_pool():
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
    """Mean response of M/M/1 under SRPT, service rate 1 (Schrage & Miller 1966, eq. 4)."""

    def loaded(x):  # load of the jobs up to size x
        return load * (1 - (1 + x) * np.exp(-x))

    def second(x):  # int_0^x t^2 exp(-t) dt + x^2 exp(-x)
        return 2 - (2 + 2 * x) * np.exp(-x)

    def response(x):
        residence, _ = quad(lambda t: 1 / (1 - loaded(t)), 0, x)
        return load * second(x) / (2 * (1 - loaded(x)) ** 2) + residence

    mean, _ = quad(lambda x: response(x) * np.exp(-x), 0, 60, limit=200)
    return mean


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
    # All jobs within the priority share as one class; the rest of the long ones waits for all
    # priority work, which is FB with two levels: for the short class it is plain sharing.
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
