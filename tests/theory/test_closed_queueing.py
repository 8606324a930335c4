"""Closed systems against hand computations, a Markov chain, and each other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.theory import queueing
from tunables.theory.closed_queueing import (
    asymptotic_bounds,
    interactive_throughput,
    machine_repair,
    mva,
)

seconds = st.floats(0.001, 100)
populations = st.integers(1, 40)
quick = settings(deadline=None, derandomize=True, max_examples=60)


def markov_chain(customers, servers, think_s, service_s):
    """Solve the birth-death chain of M/M/c//N as a linear system."""
    generator = np.zeros((customers + 1, customers + 1))
    for k in range(customers):
        generator[k, k + 1] = (customers - k) / think_s
        generator[k + 1, k] = min(k + 1, servers) / service_s
    np.fill_diagonal(generator, -generator.sum(axis=1))
    equations = np.vstack([generator.T, np.ones(customers + 1)])
    target = np.append(np.zeros(customers + 1), 1)
    p = np.linalg.lstsq(equations, target, rcond=None)[0]
    at_servers = np.arange(customers + 1)
    throughput = p @ np.minimum(at_servers, servers) / service_s
    return throughput, p @ at_servers / throughput


def test_published_rows_by_little():
    """N/R of the three rows, in batches a second."""
    rates = [interactive_throughput(50, r) for r in (8.072, 4.126, 1.131)]
    assert rates == pytest.approx([6.194, 12.118, 44.209], abs=5e-4)


def test_machine_repair_known_value():
    throughput, response_s = machine_repair(4, 1, 10.0, 2.0)
    assert throughput == pytest.approx(0.30082855, abs=5e-9)
    assert response_s == pytest.approx(4 / 0.30082855 - 10, abs=1e-6)


@quick
@given(st.integers(1, 12), st.integers(1, 14), st.floats(0.1, 10), st.floats(0.1, 10))
def test_machine_repair_is_the_markov_chain(customers, servers, think_s, service_s):
    expected = markov_chain(customers, servers, think_s, service_s)
    assert machine_repair(customers, servers, think_s, service_s) == pytest.approx(expected)


@quick
@given(populations, seconds, seconds)
def test_one_server_is_also_mean_value_analysis(customers, think_s, service_s):
    throughput, response_s, queues = mva([service_s], customers, think_s)
    by_chain = machine_repair(customers, 1, think_s, service_s)
    assert (throughput, response_s) == pytest.approx(by_chain)
    assert queues == pytest.approx([throughput * response_s])


def test_balanced_network():
    """N / ((N + M - 1) D), Lazowska et al. (1984), section 5.4."""
    throughput, response_s, queues = mva([0.1, 0.1, 0.1], 10)
    assert throughput == pytest.approx(10 / (12 * 0.1))
    assert response_s == pytest.approx(1.2)
    assert queues == pytest.approx([10 / 3] * 3)


@quick
@given(st.lists(seconds, min_size=1, max_size=5), populations, st.floats(0, 100))
def test_little_and_bounds_hold(demands, customers, think_s):
    throughput, response_s, queues = mva(demands, customers, think_s)
    assert throughput * (response_s + think_s) == pytest.approx(customers)
    assert sum(queues) + throughput * think_s == pytest.approx(customers)
    most, least = asymptotic_bounds(demands, customers, think_s)
    assert throughput <= most * (1 + 1e-12)
    assert response_s >= least * (1 - 1e-12)
    assert interactive_throughput(customers, response_s, think_s) == pytest.approx(throughput)


@quick
@given(st.lists(seconds, min_size=1, max_size=4), populations)
def test_one_more_customer_never_lowers_throughput(demands, customers):
    assert mva(demands, customers + 1)[0] >= mva(demands, customers)[0] * (1 - 1e-12)


def test_limits():
    assert machine_repair(7, 3, 0.0, 2.0) == (1.5, pytest.approx(7 / 1.5))  # all always there
    assert machine_repair(7, 9, 0.0, 2.0) == (3.5, pytest.approx(2.0))
    assert machine_repair(7, 7, 5.0, 2.0) == (pytest.approx(1.0), pytest.approx(2.0))
    assert machine_repair(20_000, 1, 1.0, 0.1)[0] == pytest.approx(10.0)  # logarithms, no overflow
    assert mva([0.0], 5, 2.0)[:2] == (2.5, 0.0)
    assert asymptotic_bounds([0.0, 0.0], 5, 2.0) == (2.5, 0.0)
    assert interactive_throughput(0, 1.0) == 0.0


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (interactive_throughput, (50, -1.0), "response_time_s = -1.0"),
        (interactive_throughput, (50, 0.0), r"response_time_s \+ think_time_s = 0.0"),
        (interactive_throughput, (2.5, 1.0), "customers = 2.5"),
        (interactive_throughput, (50, 1.0, math.nan), "think_time_s = nan"),
        (mva, ([], 1), r"service_demands_s = \[\]: must be a non-empty"),
        (mva, ([0.1, -0.1], 1), r"service_demands_s\[1\] = -0.1"),
        (mva, ([0.1], 0), "customers = 0"),
        (mva, ([0.0], 3), r"sum of service_demands_s \+ think_time_s = 0.0"),
        (asymptotic_bounds, ([math.inf], 1), r"service_demands_s\[0\] = inf"),
        (asymptotic_bounds, ("0.1", 1), "service_demands_s = '0.1'"),
        (machine_repair, (0, 1, 1.0, 1.0), "customers = 0"),
        (machine_repair, (4, 0, 1.0, 1.0), "servers = 0"),
        (machine_repair, (4, 1, -1.0, 1.0), "think_time_s = -1.0"),
        (machine_repair, (4, 1, 1.0, 0.0), "service_time_s = 0.0"),
    ],
)
def test_bad_input(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)


def test_one_door_for_all_laws():
    assert queueing.mva is mva
    assert sorted(queueing.__all__) == queueing.__all__
    assert all(callable(getattr(queueing, name)) for name in queueing.__all__)
