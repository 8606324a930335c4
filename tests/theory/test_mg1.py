"""M/G/1 mean responses against public values, each other and Kleinrock's conservation law."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.theory.queueing import (
    cobham_waits,
    mg1_fb_response,
    mg1_fifo_response,
    mg1_ps_response,
)

SETTINGS = settings(deadline=None, max_examples=60, derandomize=True)
SIZES, PROBABILITIES, RATE = [0.5, 5.5], [0.9, 0.1], 0.8


def moments(sizes, probabilities):
    return tuple(
        sum(p * s**power for p, s in zip(probabilities, sizes, strict=True)) for power in (1, 2)
    )


def test_public_values_of_fifo_and_processor_sharing():
    mean, second = moments(SIZES, PROBABILITIES)
    assert mg1_fifo_response(RATE, mean, second) == pytest.approx(7.5)
    responses = [mg1_ps_response(size, RATE * mean) for size in SIZES]
    assert responses[0] == pytest.approx(2.5)
    assert sum(p * t for p, t in zip(PROBABILITIES, responses, strict=True)) == pytest.approx(5)


def test_fifo_is_the_mm1_queue_for_exponential_service():
    assert mg1_fifo_response(0.8, 1.0, 2.0) == pytest.approx(1 / (1 - 0.8))


@SETTINGS
@given(st.floats(0.01, 0.98), st.floats(0.1, 10))
def test_equal_sizes_least_attained_waits_for_all_that_comes_in_the_response(load, size):
    # All jobs end together with the busy period: W0/(1 - rho)^2 + x/(1 - rho).
    rate = load / size
    response = mg1_fb_response(rate, size, [size], [1.0])
    assert response == pytest.approx(rate * size**2 / (2 * (1 - load) ** 2) + size / (1 - load))
    assert response > mg1_fifo_response(rate, size, size**2)


@pytest.mark.slow
@pytest.mark.parametrize("load", [0.2, 0.5, 0.8])
def test_least_attained_has_the_mean_of_fifo_for_exponential_sizes(load):
    # No discipline that is blind to a memoryless size changes the mean (Kleinrock vol. 2).
    atoms = 600
    edges = [-math.log(1 - k / atoms) for k in range(atoms)]
    sizes = [
        atoms * _mean_between(a, b) for a, b in zip(edges, [*edges[1:], math.inf], strict=True)
    ]
    p = [1 / atoms] * atoms
    responses = [mg1_fb_response(load, size, sizes, p) for size in sizes]
    assert sum(responses) / atoms == pytest.approx(1 / (1 - load), rel=0.01)


def _mean_between(a, b):
    """Integral of x exp(-x) from a to b."""
    upper = 0.0 if math.isinf(b) else (1 + b) * math.exp(-b)
    return (1 + a) * math.exp(-a) - upper


def test_cobham_at_public_loads():
    means = [1.2, 7.2]
    rates = [0.2 / 1.2, 0.6 / 7.2]
    waits = cobham_waits(rates, means, [mean**2 for mean in means])
    assert waits == pytest.approx([2.85, 14.25])
    assert 0.2 * waits[0] + 0.6 * waits[1] == pytest.approx(9.12)


classes = st.lists(
    st.tuples(st.floats(0.01, 1), st.floats(0.01, 10), st.floats(1, 5)), min_size=1, max_size=4
)


@SETTINGS
@given(classes, st.floats(0.05, 0.95), st.randoms(use_true_random=False))
def test_conservation_law(drawn, total_load, random):
    scale = total_load / sum(rate * mean for rate, mean, _ in drawn)
    drawn = [(rate * scale, mean, variability * mean**2) for rate, mean, variability in drawn]

    def weighted_wait(order):
        waits = cobham_waits(*map(list, zip(*order, strict=True)))
        return sum(rate * mean * wait for (rate, mean, _), wait in zip(order, waits, strict=True))

    shuffled = list(drawn)
    random.shuffle(shuffled)
    assert weighted_wait(shuffled) == pytest.approx(weighted_wait(drawn))


def test_one_priority_class_waits_as_in_fifo():
    [wait] = cobham_waits([0.8], [1.0], [3.25])
    assert wait + 1.0 == pytest.approx(mg1_fifo_response(0.8, 1.0, 3.25))


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (mg1_fifo_response, (1.0, 1.0, 2.0), "load .* = 1.0: must be a finite number below 1"),
        (mg1_fifo_response, (-0.1, 1.0, 2.0), "arrival_rate = -0.1"),
        (mg1_fifo_response, (0.1, math.nan, 2.0), "mean_service_s = nan"),
        (mg1_fifo_response, (0.1, 1.0, 0.5), "second_moment_s2 = 0.5: must be .* at least 1"),
        (mg1_ps_response, (-1, 0.5), "size_s = -1"),
        (mg1_ps_response, (1, 1.0), "load = 1.0: must be .* below 1"),
        (mg1_fb_response, (0.5, 1, [1, 2], [1.0]), "sizes_s = 2, probabilities = 1: must be equal"),
        (mg1_fb_response, (0.5, 1, [1, 2], [0.5, 0.4]), "sum of probabilities = 0.9"),
        (mg1_fb_response, (0.5, 1, [], []), r"sizes_s = \[\]"),
        (mg1_fb_response, (0.5, 5, [2.5], [1.0]), "load .* = 1.25: must be"),
        (cobham_waits, ([0.5, 0.5], [1, 1], [1, 1]), "total load = 1.0"),
        (
            cobham_waits,
            ([0.5], [1, 1], [1, 1]),
            "arrival_rates = 1, mean_services_s = 2, second_moments_s2 = 2",
        ),
        (cobham_waits, ([0.5], [1], [0.2]), r"second_moments_s2\[0\] = 0.2"),
        (cobham_waits, ([math.inf], [1], [1]), r"arrival_rates\[0\] = inf"),
    ],
)
def test_bad_input_is_refused_by_name(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
