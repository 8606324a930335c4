"""The ring of servers against its plain reference, mean value analysis, and SimPy."""

import math

import numpy as np
import pytest
import simpy

from tunables.simulators.cyclic_queues import last_departures, simulate_cyclic_queues
from tunables.simulators.interval import confidence_interval
from tunables.theory.queueing import mva

RUNS = 12


def throughputs(demands, customers, delay_s, completions):
    runs = [
        simulate_cyclic_queues(demands, customers, delay_s, completions, seed)
        for seed in range(RUNS)
    ]
    return confidence_interval(runs, level=0.999)


@pytest.mark.parametrize("customers", [1, 2, 7, 50])
def test_kernel_equals_reference_exactly(customers):
    service_s = np.random.default_rng(customers).standard_exponential((60, 3))
    plain = last_departures.py_func(service_s, customers, 0.3)
    assert (plain == last_departures(service_s, customers, 0.3)).all()


@pytest.mark.parametrize("customers", [1, 2, 4, 8])
@pytest.mark.parametrize(("demands", "delay_s"), [([2, 1, 0.1], 0.2), ([1, 1], 0), ([1], 5)])
def test_throughput_is_that_of_mean_value_analysis(demands, delay_s, customers):
    exact, _, _ = mva(demands, customers, delay_s)
    mean, half_width = throughputs(demands, customers, delay_s, completions=50_000)
    assert abs(mean - exact) <= half_width
    assert half_width < 0.02 * exact


def test_times_that_never_vary_reach_the_bound():
    service_s = np.tile([2.0, 1.0], (1000, 1))
    ends_s = last_departures(service_s, 2, 0.0)
    assert np.diff(ends_s[10:]) == pytest.approx(2.0)


@pytest.mark.parametrize("rounds", [100, 100.5, 137.7])
@pytest.mark.parametrize("busy_share", [1e-9, 0.1, 0.55, 0.9])
def test_customers_in_one_bunch_count_as_many_times_as_they_come_round(busy_share, rounds):
    """All begin together, and a long delay never spreads them: half a round is all or none."""
    customers, delay_s = 400, 3600.0
    demand_s = busy_share * delay_s / customers
    exact, _, _ = mva([demand_s], customers, delay_s)
    found = simulate_cyclic_queues([demand_s], customers, delay_s, round(rounds * customers))
    assert found == pytest.approx(exact, rel=0.012)


def test_fewer_than_a_hundred_completions_of_each_customer_are_refused():
    with pytest.raises(ValueError, match="completions = 1999: must be a whole number at least"):
        simulate_cyclic_queues([1.0], 20, 1e18, completions=1999)
    assert simulate_cyclic_queues([1.0], 20, 1e18, completions=2000) == pytest.approx(2e-17)


def test_many_customers_are_refused_unless_more_completions_are_requested():
    with pytest.raises(ValueError, match=r"completions = 100000: must be a .* at least 2e\+07"):
        simulate_cyclic_queues([0.01], 200_000, 3600.0)


def simpy_throughput(demands, customers, delay_s, completions, seed):
    """Simulate the same ring with SimPy."""
    rng = np.random.default_rng(seed)
    world = simpy.Environment()
    servers = [simpy.Resource(world) for _ in demands]
    ends = []

    def customer():
        while True:
            yield world.timeout(delay_s)
            for server, demand in zip(servers, demands, strict=True):
                with server.request() as turn:
                    yield turn
                    yield world.timeout(demand * rng.standard_exponential())
            ends.append(world.now)

    for _ in range(customers):
        world.process(customer())
    while len(ends) < 1.1 * completions:
        world.step()
    return completions / (ends[-1] - ends[-1 - completions])


@pytest.mark.slow
def test_simpy_agrees():
    demands, delay_s = [2.0, 1.0, 0.1], 0.2
    peer, peer_half = confidence_interval(
        [simpy_throughput(demands, 3, delay_s, 3_000, seed) for seed in range(8)], level=0.999
    )
    ours, half = throughputs(demands, 3, delay_s, completions=20_000)
    assert abs(ours - peer) <= math.hypot(half, peer_half)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"service_demands_s": []}, "service_demands_s"),
        ({"service_demands_s": [1, -1]}, r"service_demands_s\[1\] = -1"),
        ({"customers": 0}, "customers = 0"),
        ({"customers": 1.5}, "customers = 1.5"),
        ({"delay_s": math.nan}, "delay_s = nan"),
        ({"completions": 0}, "completions = 0"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_bad_input_is_named(keywords, message):
    with pytest.raises(ValueError, match=message):
        simulate_cyclic_queues(**{"service_demands_s": [1.0], "customers": 1} | keywords)
