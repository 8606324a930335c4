"""Deadlines: against direct integration of the work in the queue, limits, and a simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.interval import confidence_interval
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.theory.deadlines import deadline_fixed_points, deadline_safe_load, deadline_success

quick = settings(deadline=None, derandomize=True, max_examples=60)


def integrate(offered, service_rate, timeout_s, margin_s):
    """Return P(answered in time) by the density of the work before an arrival, summed up."""
    most = timeout_s - margin_s
    step = most / 200_000
    x = (np.arange(200_000) + 0.5) * step
    density = offered * np.exp((offered - service_rate) * x)
    above = offered * math.exp((offered - service_rate) * most) / service_rate
    in_time = 1 - np.exp(-service_rate * (timeout_s - x))
    idle = 1 / (1 + density.sum() * step + above)
    return idle * (1 - math.exp(-service_rate * timeout_s) + (density * in_time).sum() * step)


@quick
@given(st.floats(1, 400), st.floats(0.01, 0.5), st.floats(0, 1))
def test_success_is_the_integral(offered, timeout_s, share):
    expected = integrate(offered, 100, timeout_s, share * timeout_s)
    assert deadline_success(offered, 100, timeout_s, share * timeout_s) == pytest.approx(
        expected, rel=1e-6
    )


@pytest.mark.parametrize("offered", [99.9999999, 100, 100.0000001])
def test_nothing_jumps_where_load_meets_capacity(offered):
    """At L = u: 1/P0 = 2 + u T, f = P0 u T."""
    assert deadline_success(offered, 100, 0.5) == pytest.approx(50 / 52, rel=1e-6)


def test_far_in_overload_it_is_the_square_of_capacity_over_load():
    for load in (2, 5, 10):
        assert deadline_success(100 * load, 100, 50) == pytest.approx(load**-2)


@pytest.mark.parametrize("offered", [90, 120, 300])
@pytest.mark.parametrize(
    ("timeout_s", "margin_s"), [(0.05, 0), (0.5, 0), (0.5, 0.01), (0.05, 0.02)]
)
def test_success_is_what_a_simulation_without_retries_answers(offered, timeout_s, margin_s):
    shares = []
    for seed in range(12):
        sent, answered = simulate_retry_storm(
            offered, 100, timeout_s, 0, outage_s=0, horizon_s=300, seed=seed, drop="stale",
            margin_s=margin_s,
        )  # fmt: skip
        shares.append(answered[20:].sum() / sent[20:].sum())
    mean, half_width = confidence_interval(shares, level=0.999)
    assert abs(deadline_success(offered, 100, timeout_s, margin_s) - mean) <= half_width
    assert half_width < 0.05 * mean


@quick
@given(st.floats(5, 120), st.floats(0.05, 1), st.integers(0, 8))
def test_fixed_points_sustain_themselves(rate, timeout_s, retries):
    roots = deadline_fixed_points(rate, 100, timeout_s, retries)
    assert roots == sorted(roots)
    assert len(roots) in (1, 3)
    for root in roots:
        late = 1 - deadline_success(root, 100, timeout_s)
        called_for = rate * sum(late**k for k in range(retries + 1))
        assert called_for == pytest.approx(root, rel=1e-6)


@pytest.mark.parametrize("retries", [1, 2, 3, 5, 8])
def test_the_stuck_root_begins_at_the_safe_load(retries):
    """For a timeout of many services; the limit f = (u/L)^2 is then exact above u."""
    safe = deadline_safe_load(100, retries)
    assert len(deadline_fixed_points(0.98 * safe, 100, 2.0, retries)) == 1
    assert len(deadline_fixed_points(1.02 * safe, 100, 2.0, retries)) == 3


def test_safe_load_known_values():
    """x/(2 - 1/x^2) is least at x^2 = 3/2: 0.75 sqrt(3/2)."""
    assert deadline_safe_load(100, 1) == pytest.approx(75 * math.sqrt(1.5))
    assert deadline_safe_load(100, 0) == pytest.approx(100)
    grid = np.linspace(1, 9, 100_001)
    q = 1 - 1 / grid**2
    assert deadline_safe_load(100, 8) == pytest.approx(
        100 * min(grid / sum(q**k for k in range(9))), rel=1e-6
    )


def test_the_stuck_state_of_the_simulation_lies_near_its_root():
    """Nearly: a late attempt's retry is late more often than one that came at random."""
    for rate, retries in ((80, 8), (90, 8), (95, 5)):
        stuck = deadline_fixed_points(rate, 100, 0.5, retries)[-1]
        runs = [
            simulate_retry_storm(
                rate, 100, 0.5, retries, outage_s=10, horizon_s=200, seed=seed, drop="stale"
            )[0][-100:].mean()
            for seed in range(4)
        ]
        assert np.mean(runs) == pytest.approx(stuck, rel=0.05)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (deadline_success, (-1, 100, 0.5), "offered_rate = -1"),
        (deadline_success, (50, 0, 0.5), "service_rate = 0"),
        (deadline_success, (50, 100, 0), "timeout_s = 0"),
        (deadline_success, (50, 100, 0.5, 0.6), "margin_s = 0.6: .* at most 0.5"),
        (deadline_fixed_points, (0, 100, 0.5, 3), "arrival_rate = 0"),
        (deadline_fixed_points, (50, 100, 0.5, 1.5), "retries = 1.5"),
        (deadline_safe_load, (0, 3), "service_rate = 0"),
        (deadline_safe_load, (100, -1), "retries = -1"),
    ],
)
def test_bad_input(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
