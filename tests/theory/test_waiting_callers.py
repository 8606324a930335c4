"""Callers who wait: the laws beside simulations of their server."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import gamma

from tunables.simulators.retry_callers import simulate_retry_callers
from tunables.theory.waiting_callers import any_answer_rates, safe_callers, waiting_callers_rate


def simulate_callers(callers, service_rate, timeout_s, retries=3, think_s=0.0318, seeds=6):
    return np.array(
        [
            simulate_retry_callers(
                callers, think_s, service_rate, timeout_s, retries, outage_s=0, horizon_s=600,
                seed=seed,
            )[1][-300:].mean()
            for seed in range(seeds)
        ]
    )  # fmt: skip


@pytest.mark.parametrize("callers", [20, 40, 46, 50, 54, 58, 70])
@pytest.mark.parametrize("think_s", [0, 0.0318])
def test_what_is_answered_against_the_number_of_callers(callers, think_s):
    law = waiting_callers_rate(callers, 60, 1.0, 3, think_s)
    share = 0.1 if callers == 58 else 0.05
    found = simulate_callers(callers, 60, 1.0, think_s=think_s).mean()
    assert law == pytest.approx(found, abs=share * 60)


@pytest.mark.parametrize("service_rate", [50, 52, 55, 60, 65, 70])
def test_what_is_answered_against_the_service_rate(service_rate):
    law = waiting_callers_rate(50, service_rate, 1.0)
    found = simulate_callers(50, service_rate, 1.0, think_s=1e-6).mean()
    assert law == pytest.approx(found, abs=0.1 * service_rate)


def test_a_line_shorter_than_the_timeout_is_not_enough_and_two_roots_of_it_are():
    """N/T < u alone, at 52 a second, serves half; N + 2 sqrt(N) < u T serves 97% and more."""
    assert 50 / 1.0 < 52
    assert simulate_callers(50, 52, 1.0).max() < 0.7 * 52
    for callers, service_rate, timeout_s in ((50, 64.2, 1.0), (46, 60, 1.0), (400, 441, 1.0)):
        assert callers <= safe_callers(service_rate, timeout_s)
        found = simulate_callers(callers, service_rate, timeout_s, seeds=3)
        assert found.min() > 0.96 * service_rate
    assert safe_callers(100, 1.0) + 2 * safe_callers(100, 1.0) ** 0.5 == pytest.approx(100)


def test_it_is_the_fluid_step_for_many_callers_and_the_retries_drop_out_without_pauses():
    for service_rate, answered in ((0.9e6, 0), (1.01e6, 1.01e6)):
        assert waiting_callers_rate(10**6, service_rate, 1.0) == pytest.approx(answered, rel=1e-3)
    rates = {waiting_callers_rate(50, 55, 1.0, retries) for retries in (0, 1, 8)}
    assert len(rates) == 1
    assert waiting_callers_rate(50, 50, 1.0) == 0
    assert waiting_callers_rate(50, 49, 1.0, 0, 0.05) > 0  # the pause takes callers out of the line


@pytest.mark.parametrize("timeout_s", [0.4, 1.0, 2.5])
@pytest.mark.parametrize(("retries", "think_s"), [(0, 0.0), (3, 0.1)])
def test_the_law_by_integrating_the_time_of_an_attempt(timeout_s, retries, think_s):
    """E[min(R, T)] is the integral of P(R > t) from 0 to T, for R of a gamma distribution."""
    rate, callers = 60, round(0.95 * 60 * timeout_s)

    def surplus_s(line):
        late = gamma.sf(timeout_s, line, scale=1 / rate)
        attempts = sum(late**n for n in range(retries + 1))
        waits_s = quad(gamma.sf, 0, timeout_s, args=(line, 0, 1 / rate))[0]
        return waits_s + think_s / attempts - callers / rate

    line = brentq(surplus_s, 1, 4 * callers, xtol=1e-12)
    answered = rate * gamma.cdf(timeout_s, line, scale=1 / rate)
    assert 0.1 * rate < answered < 0.99 * rate
    law = waiting_callers_rate(callers, rate, timeout_s, retries, think_s)
    assert law == pytest.approx(answered, rel=1e-6)


def test_rates_if_any_answer_counts():
    """k attempts a request: (k - 1) T < k N/u - Z <= k T."""
    assert any_answer_rates(50, 60, 1.0, 3) == [60, 30, 20, 15]
    assert any_answer_rates(50, 60, 1.0, 1) == [60, 30]
    assert any_answer_rates(50, 110, 1.0, 3) == [110]
    assert any_answer_rates(50, 60, 0.5, 9) == []
    assert any_answer_rates(50, 60, 0.8, 1, 0.1) == [60, 30]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"callers": 0}, "callers = 0"),
        ({"callers": 1.5}, "callers = 1.5"),
        ({"service_rate": 0}, "service_rate = 0"),
        ({"timeout_s": 0}, "timeout_s = 0"),
        ({"retries": -1}, "retries = -1"),
        ({"think_time_s": -1}, "think_time_s = -1"),
    ],
)
def test_bad_input(changes, message):
    given = {"callers": 50, "service_rate": 60, "timeout_s": 1.0, "retries": 3} | changes
    for law in (waiting_callers_rate, any_answer_rates):
        with pytest.raises(ValueError, match=message):
            law(**given)


def test_callers_who_do_not_fill_the_server_are_refused():
    with pytest.raises(
        ValueError, match=r"callers = 6: must be above service_rate \* think_time_s"
    ):
        waiting_callers_rate(6, 60, 1.0, 3, 0.1)
    with pytest.raises(ValueError, match="timeout_s = 0"):
        safe_callers(60, 0)
