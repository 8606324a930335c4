"""The closed network against exact mean value analysis and its asymptotes."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.theory.closed_network import solve_closed_network
from tunables.theory.queueing import closed_network_throughput

SETTINGS = settings(deadline=None, max_examples=60, derandomize=True)


def mean_value_analysis(population, delay_s, demand_s):
    """Throughputs by the recursion over all smaller populations (Reiser & Lavenberg 1980)."""
    classes = range(len(population))
    at_station: dict = {}
    for people in itertools.product(*(range(n + 1) for n in population)):
        throughputs = []
        for k in classes:
            without_one = tuple(n - (k == j) for j, n in enumerate(people))
            response = demand_s[k] * (1 + at_station[without_one]) if people[k] else 0.0
            throughputs.append(people[k] / (delay_s[k] + response) if people[k] else 0.0)
        at_station[people] = sum(
            n - x * z for n, x, z in zip(people, throughputs, delay_s, strict=True)
        )
    return throughputs


times = st.floats(-4, 4).map(lambda exponent: 10**exponent)
a_class = st.tuples(st.integers(0, 6), st.one_of(st.just(0.0), times), times)
networks = st.lists(a_class, min_size=1, max_size=3)


@SETTINGS
@given(networks)
def test_throughputs_are_those_of_mean_value_analysis(classes):
    population, delays, demands = map(list, zip(*classes, strict=True))
    throughputs, _ = closed_network_throughput(population, delays, demands)
    assert throughputs == pytest.approx(mean_value_analysis(population, delays, demands), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("population", [1, 5, 20, 100, 500, 150_000])
@pytest.mark.parametrize("delay_s", [0.0, 0.01, 1.0, 20.0, 100.0, 1e4, 2e5])
def test_one_class_at_light_critical_and_heavy_load(population, delay_s):
    throughputs, at_station = closed_network_throughput([population], [delay_s], [1.0])
    [exact] = mean_value_analysis([population], [delay_s], [1.0])
    assert throughputs[0] == pytest.approx(exact, rel=1e-9)
    assert at_station[0] == pytest.approx(population - exact * delay_s, rel=1e-8, abs=1e-6)


@pytest.mark.parametrize("delay_s", [0.0, 1e5, 2e6])
def test_a_million_customers_beside_a_few_others(delay_s):
    """The others meet a station that is as busy as the many of them make it."""
    many, few = [10**6, delay_s, 1.0], [2, 5.0, 1e-3]
    throughputs, at_station = closed_network_throughput(*map(list, zip(many, few, strict=True)))
    [alone], [queue] = closed_network_throughput(*[[each] for each in many])
    assert throughputs[0] == pytest.approx(alone, rel=1e-3)
    assert throughputs[1] == pytest.approx(2 / (5.0 + 1e-3 * (1 + queue)), rel=1e-3)
    assert at_station[0] == pytest.approx(queue, rel=5e-3)


def test_the_published_value_of_mva():
    throughputs, _ = closed_network_throughput([20], [15.0], [1.0])
    assert throughputs[0] == pytest.approx(0.954407, abs=5e-7)


@SETTINGS
@given(networks)
def test_the_station_is_never_more_than_busy_and_littles_law_holds(classes):
    population, delays, demands = map(list, zip(*classes, strict=True))
    throughputs, at_station = closed_network_throughput(population, delays, demands)
    assert sum(x * d for x, d in zip(throughputs, demands, strict=True)) <= 1 + 1e-9
    for n, z, x, q in zip(population, delays, throughputs, at_station, strict=True):
        assert q == pytest.approx(n - x * z, abs=1e-9 * max(n, 1))
        assert x <= n / (z or math.inf) * (1 + 1e-9) or not z


@SETTINGS
@given(networks, st.randoms(use_true_random=False))
def test_the_order_of_the_classes_does_not_matter(classes, random):
    order = list(range(len(classes)))
    random.shuffle(order)
    before, _ = closed_network_throughput(*map(list, zip(*classes, strict=True)))
    after, _ = closed_network_throughput(*map(list, zip(*[classes[k] for k in order], strict=True)))
    assert after == pytest.approx([before[k] for k in order], rel=1e-9)


@SETTINGS
@given(networks, st.floats(0.01, 100))
def test_a_clock_that_runs_faster_scales_throughputs(classes, factor):
    population, delays, demands = map(list, zip(*classes, strict=True))
    once = solve_closed_network(population, delays, demands)
    scaled = solve_closed_network(
        population, [factor * z for z in delays], [factor * d for d in demands]
    )
    assert [factor * x for x in scaled] == pytest.approx(once, rel=1e-9)


def test_a_class_without_demand_only_thinks():
    throughputs, at_station = closed_network_throughput([3, 2], [6.0, 1.0], [0.0, 0.5])
    assert throughputs[0] == 0.5
    assert at_station[0] == 0.0
    assert throughputs[1] == pytest.approx(mean_value_analysis([2], [1.0], [0.5])[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [1], [1]), r"population = \[\]"),
        (([-1], [1], [1]), r"population\[0\] = -1: must be a finite number at least 0"),
        (([1.5], [1], [1]), r"population = 1.5: must be a whole number"),
        (([1], [math.nan], [1]), r"delay_s\[0\] = nan"),
        (([1], [1], [-1]), r"demand_s\[0\] = -1"),
        (([1], [math.inf], [1]), r"delay_s\[0\] = inf"),
        (([1, 1], [1], [1]), "entries: population = 2, delay_s = 1, demand_s = 1: must be equal"),
        (([1], [0], [0]), r"delay_s\[0\] \+ demand_s\[0\] = 0.0: must be .* above 0"),
        ((["x"], [1], [1]), r"population\[0\] = 'x'"),
        ((3, [1], [1]), "population = 3: must be a non-empty sequence"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        closed_network_throughput(*arguments)
