"""A closed population: against the reference, machine repair, and the law of its stuck state."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulators.test_retry_storm import attempts
from tunables.simulators.interval import confidence_interval
from tunables.simulators.retry_callers import scenario, simulate_retry_callers
from tunables.simulators.retry_storm_reference import retry_storm_reference
from tunables.theory.queueing import machine_repair
from tunables.theory.retries import closed_storm_rate

NOTE = {"callers": 50, "think_time_s": 0.0318, "service_rate": 60}


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.integers(1, 60),
    st.sampled_from([0.01, 0.5]),
    st.sampled_from([0.05, 0.5]),
    st.integers(0, 3),
    st.sampled_from([0, 1]),
    st.sampled_from([{}, {"drop": "stale"}, {"drop": "remaining"}, {"queue_limit": 5}]),
    st.integers(0, 99),
)
def test_fast_is_the_reference_to_the_last_bit(
    callers, think_s, timeout_s, retries, outage_s, rules, seed
):
    arguments = scenario(callers, think_s, 60, timeout_s, retries, 2, outage_s, 6, seed, rules)
    found = attempts(arguments)
    assert found == retry_storm_reference(*arguments)
    assert len(found) < len(arguments[0].service_s)  # enough was drawn


def test_patient_callers_are_machine_repair():
    expected, _ = machine_repair(8, 1, 0.1, 1 / 60)
    rates = [
        simulate_retry_callers(8, 0.1, 60, 50, 0, outage_s=0, horizon_s=400, seed=seed)[1][50:]
        for seed in range(12)
    ]
    mean, half_width = confidence_interval([run.mean() for run in rates], level=0.999)
    assert abs(expected - mean) <= half_width
    assert half_width < 0.02 * mean


def ends(timeout_s, retries, outage_s):
    """Return (attempts, answers) a second at the end of each of six runs."""
    runs = [
        simulate_retry_callers(
            **NOTE,
            timeout_s=timeout_s,
            retries=retries,
            outage_s=outage_s,
            horizon_s=300,
            seed=seed,
        )
        for seed in range(6)
    ]
    return np.array([[series[-100:].mean() for series in run] for run in runs])


@pytest.mark.parametrize("outage_s", [0, 2, 10])
@pytest.mark.parametrize(
    ("timeout_s", "retries", "stuck"), [(1.0, 3, False), (1.0, 1, False), (0.5, 1, True)]
)
def test_the_notes_callers_overload_the_server_under_the_advice_and_not_by_default(
    timeout_s, retries, stuck, outage_s
):
    """Stuck if N (r + 1)/((r + 1) T + Z) is above u = 60: the time-out decides, not the retries."""
    most = closed_storm_rate(50, timeout_s, retries, 0.0318)
    assert (most > 60) == stuck
    attempts, answers = ends(timeout_s, retries, outage_s).T
    if stuck:
        assert answers.max() == 0
        assert attempts.mean() == pytest.approx(most, rel=0.005)
    else:
        assert answers.min() > 50


def test_half_the_advice_each_way():
    """Fewer retries alone change next to nothing; the shorter time-out alone does the harm."""
    assert ends(1.0, 1, 10)[:, 1].min() > 50
    assert ends(0.5, 3, 0)[:, 1].max() == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"callers": 0}, "callers = 0"),
        ({"think_time_s": -1}, "think_time_s = -1"),
        ({"service_rate": 0}, "service_rate = 0"),
        ({"timeout_s": 0}, "timeout_s = 0"),
        ({"retries": 0.5}, "retries = 0.5"),
        ({"horizon_s": 0}, "horizon_s = 0"),
        ({"drop": "late"}, "drop = 'late'"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_retry_callers(**NOTE | arguments)
