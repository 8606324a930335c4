"""Where retries settle, beside a simulation of the server."""

import pytest

from tunables.chapters.time_outs.storm_predictor import predict
from tunables.simulators.interval import confidence_interval
from tunables.simulators.retry_storm import simulate_retry_storm


def test_states_of_the_default():
    result = predict()
    assert result["offered_per_s"] == pytest.approx(40)
    assert result["goodput_per_s"] == pytest.approx(40)
    assert result["tipping_per_s"] == pytest.approx(99.25, abs=0.005)
    assert result["offered_after_overload_per_s"] == 160
    assert result["goodput_after_overload_per_s"] == 0


def test_a_request_is_given_up_after_all_its_attempts():
    assert predict(timeout_s=1.0, retries=3)["longest_s"] == 4
    assert predict(timeout_s=0.5, retries=1)["longest_s"] == 1


def test_safe_rates():
    assert predict(retries=3)["safe_arrivals_per_s"] == 25
    assert predict(retries=1)["safe_arrivals_per_s"] == 50


def test_a_safe_server_has_one_state():
    result = predict(arrival_rate_per_s=24)
    assert result["offered_per_s"] == result["offered_after_overload_per_s"]
    assert result["tipping_per_s"] == result["offered_per_s"]


def at_rest(rate, timeout_s, pause_s):
    """Return (offered, answered) a second, each of twelve long runs without an outage."""
    runs = [
        simulate_retry_storm(
            rate, 100, timeout_s, outage_s=0, horizon_s=1500, seed=seed,
            backoff_base_s=pause_s, backoff_cap_s=pause_s,
        )
        for seed in range(12)
    ]  # fmt: skip
    return [[run[series][100:-100].mean() for run in runs] for series in (0, 1)]


@pytest.mark.parametrize(("rate", "timeout_s"), [(10, 0.01), (24, 0.03), (40, 0.06)])
def test_load_at_rest_is_the_lowest_root_if_pauses_spread_the_retries(rate, timeout_s):
    exact = predict(arrival_rate_per_s=rate, timeout_s=timeout_s)
    for output, samples in zip(
        ("offered_per_s", "goodput_per_s"), at_rest(rate, timeout_s, 5), strict=True
    ):
        mean, half_width = confidence_interval(samples, level=0.999)
        assert abs(exact[output] - mean) <= half_width
        assert half_width < 0.03 * mean


def test_retries_at_once_meet_the_queue_that_delayed_them():
    """What the fixed points leave out: without pauses the load at rest is higher."""
    exact = predict(arrival_rate_per_s=20, timeout_s=0.03)
    mean, half_width = confidence_interval(at_rest(20, 0.03, 0)[0], level=0.999)
    assert mean - half_width > 1.2 * exact["offered_per_s"]


def test_load_after_an_overload_is_the_highest_root():
    runs = [simulate_retry_storm(40, 100, horizon_s=200, seed=seed)[0][-100:] for seed in range(12)]
    mean, half_width = confidence_interval([run.mean() for run in runs], level=0.999)
    assert abs(predict()["offered_after_overload_per_s"] - mean) <= half_width


def test_bad_input():
    with pytest.raises(ValueError, match="service_rate = 0"):
        predict(service_rate_per_s=0)
    with pytest.raises(ValueError, match="retries = -1"):
        predict(retries=-1)
