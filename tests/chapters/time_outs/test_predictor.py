"""The closed forms of a lease query, of a server whose clients retry, and of lab 2 in the page."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.chapters.time_outs.lab_law import SETTING
from tunables.chapters.group_commit.predictor import predict as predict_rdu
from tunables.chapters.time_outs.predictor import predict_lease, predict_storm
from tunables.page.labs.time_outs import batches
from tunables.simulators.interval import confidence_interval
from tunables.simulators.retry_storm import simulate_retry_storm

quick = settings(deadline=None, derandomize=True, max_examples=80)


def test_the_documents_totals_of_an_unanswered_query():
    assert predict_lease(timeout_s=1.0, retries=3)["latency_s"] == 4.0
    assert predict_lease(timeout_s=0.5, retries=1)["latency_s"] == 1.0


def test_a_pool_of_25_halves_the_tuned_throughput():
    pool = predict_lease(timeout_s=0.5, retries=1, threads=25)
    assert (pool["throughput_per_s"], pool["response_s"]) == (25.0, 2.0)
    enough = predict_lease(timeout_s=0.5, retries=1, threads=50)
    assert (enough["throughput_per_s"], enough["response_s"]) == (50.0, 1.0)


def simulated_latencies(p, timeout_s, retries, reply_s, base_s, cap_s, seed, queries=20_000):
    generator = np.random.default_rng(seed)
    latencies = []
    for _ in range(queries):
        elapsed = 0.0
        for attempt in itertools.count():
            if generator.random() >= p:
                elapsed += reply_s
                break
            elapsed += timeout_s
            if attempt == retries:
                break
            elapsed += generator.random() * min(cap_s, base_s * 2**attempt)
        latencies.append(elapsed)
    return latencies


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.2, 0.7, 1.0])
def test_the_latency_with_pauses_is_the_mean_of_a_simulation(p):
    arguments = (p, 0.5, 4, 0.05, 0.2, 0.9)
    runs = [simulated_latencies(*arguments, seed) for seed in range(10)]
    mean, half_width = confidence_interval([np.mean(run) for run in runs], level=0.999)
    result = predict_lease(
        failure_probability=p, timeout_s=0.5, retries=4, backoff_base_s=0.2, backoff_cap_s=0.9
    )
    assert abs(result["latency_s"] - mean) <= half_width
    assert half_width < 0.05 * mean


def test_the_percentile_counts_the_pauses_before_the_last_attempt():
    arguments = {"failure_probability": 0.1, "retries": 3, "reply_s": 0.05}
    assert predict_lease(**arguments)["latency_p99_s"] == pytest.approx(1.05)
    paused = predict_lease(**arguments, backoff_base_s=0.4, backoff_cap_s=0.4)
    assert paused["latency_p99_s"] == pytest.approx(1.05 + 0.2)
    hole = predict_lease(backoff_base_s=0.4, backoff_cap_s=0.4)
    assert hole["latency_p99_s"] == hole["longest_s"] == pytest.approx(4 + 3 * 0.2)


@quick
@given(
    st.fixed_dictionaries(
        {
            "failure_probability": st.floats(0, 1),
            "timeout_s": st.floats(0.1, 3),
            "retries": st.integers(0, 6),
            "backoff_base_s": st.floats(0, 1),
            "backoff_cap_s": st.floats(0, 2),
            "threads": st.integers(1, 80),
            "clients": st.integers(1, 80),
            "think_s": st.floats(0, 2),
        }
    )
)
def test_the_lease_querys_outputs_are_within_their_bounds(arguments):
    result = predict_lease(**arguments)
    assert result["latency_s"] <= result["longest_s"] + 1e-9
    assert result["latency_p99_s"] <= result["longest_s"] + 1e-9
    assert result["response_s"] >= result["latency_s"] * (1 - 1e-9)
    cycle = result["response_s"] + arguments["think_s"]
    assert result["throughput_per_s"] * cycle == pytest.approx(arguments["clients"])
    assert result["throughput_per_s"] * result["latency_s"] <= arguments["threads"] * (1 + 1e-9)
    more = predict_lease(**arguments | {"retries": arguments["retries"] + 1})
    assert more["attempts"] >= result["attempts"]
    assert more["all_fail_probability"] <= result["all_fail_probability"]


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("failure_probability", 2, "failure_probability = 2"),
        ("timeout_s", -1, "timeout_s = -1"),
        ("retries", 0.5, "retries = 0.5"),
        ("reply_s", 1.5, "mean_reply_s = 1.5|reply_s = 1.5"),
        ("backoff_base_s", -1, "base_s = -1"),
        ("backoff_cap_s", float("nan"), "cap_s = nan"),
        ("threads", 0, "threads = 0"),
        ("clients", 0, "clients = 0"),
        ("think_s", -1, "think_time_s = -1"),
    ],
)
def test_bad_settings_of_the_lease_query_are_refused(argument, value, message):
    with pytest.raises(ValueError, match=message):
        predict_lease(**{argument: value})


def test_a_query_that_takes_no_time_is_refused():
    with pytest.raises(ValueError, match=r"latency_s = 0.0: must be a finite number above 0"):
        predict_lease(failure_probability=0, reply_s=0)


def test_the_states_at_the_default_load():
    result = predict_storm()
    assert result["offered_per_s"] == pytest.approx(40)
    assert result["goodput_per_s"] == pytest.approx(40)
    assert result["tipping_per_s"] == pytest.approx(99.25, abs=0.005)
    assert result["offered_after_overload_per_s"] == 160
    assert result["goodput_after_overload_per_s"] == 0


def test_a_request_is_given_up_after_all_its_attempts():
    assert predict_storm(timeout_s=1.0, retries=3)["longest_s"] == 4
    assert predict_storm(timeout_s=0.5, retries=1)["longest_s"] == 1


def test_the_safe_arrival_rates():
    assert predict_storm(retries=3)["safe_arrivals_per_s"] == 25
    assert predict_storm(retries=1)["safe_arrivals_per_s"] == 50


def test_a_safe_server_has_one_state():
    result = predict_storm(arrival_rate_per_s=24)
    assert result["offered_per_s"] == result["offered_after_overload_per_s"]
    assert result["tipping_per_s"] == result["offered_per_s"]


def at_rest(rate, timeout_s, pause_s):
    """Return offered and answered requests per second of twelve long runs without an outage."""
    runs = [
        simulate_retry_storm(
            rate, 100, timeout_s, outage_s=0, horizon_s=1500, seed=seed,
            backoff_base_s=pause_s, backoff_cap_s=pause_s,
        )
        for seed in range(12)
    ]  # fmt: skip
    return [[run[series][100:-100].mean() for run in runs] for series in (0, 1)]


@pytest.mark.parametrize(("rate", "timeout_s"), [(10, 0.01), (24, 0.03), (40, 0.06)])
def test_the_load_at_rest_is_the_lowest_root_if_pauses_spread_the_retries(rate, timeout_s):
    exact = predict_storm(arrival_rate_per_s=rate, timeout_s=timeout_s)
    for output, samples in zip(
        ("offered_per_s", "goodput_per_s"), at_rest(rate, timeout_s, 5), strict=True
    ):
        mean, half_width = confidence_interval(samples, level=0.999)
        assert abs(exact[output] - mean) <= half_width
        assert half_width < 0.03 * mean


def test_immediate_retries_meet_the_queue_that_delayed_them():
    """The fixed points leave this out: without pauses the load at rest is higher."""
    exact = predict_storm(arrival_rate_per_s=20, timeout_s=0.03)
    mean, half_width = confidence_interval(at_rest(20, 0.03, 0)[0], level=0.999)
    assert mean - half_width > 1.2 * exact["offered_per_s"]


def test_the_load_after_an_overload_is_the_highest_root():
    runs = [simulate_retry_storm(40, 100, horizon_s=200, seed=seed)[0][-100:] for seed in range(12)]
    mean, half_width = confidence_interval([run.mean() for run in runs], level=0.999)
    assert abs(predict_storm()["offered_after_overload_per_s"] - mean) <= half_width


def test_bad_settings_of_the_storm_are_refused():
    with pytest.raises(ValueError, match="service_rate = 0"):
        predict_storm(service_rate_per_s=0)
    with pytest.raises(ValueError, match="retries = -1"):
        predict_storm(retries=-1)


@pytest.mark.parametrize(("timeout_s", "retries", "max_delay_s"), [(1, 3, 2), (0.5, 1, 0.025)])
def test_with_a_thread_for_each_caller_lab_2s_law_is_chapter_1s(timeout_s, retries, max_delay_s):
    tunables = {"timeout_s": timeout_s, "retries": retries, "max_delay_s": max_delay_s}
    law = batches(**SETTING | tunables)
    theory = predict_rdu(**tunables, base_s=SETTING["work_s"], think_s=SETTING["think_s"])
    assert {name: law[name] for name in theory} == pytest.approx(theory, rel=1e-12)


@pytest.mark.parametrize("threads", [1, 25, 49, 50])
def test_with_a_pool_lab_2s_law_is_chapter_2s(threads):
    tunables = {"timeout_s": 0.5, "retries": 1}
    law = batches(**SETTING | tunables | {"commits": 0, "work_s": 0, "threads": threads})
    theory = predict_lease(**tunables, threads=threads, think_s=SETTING["think_s"])
    assert law["response_s"] == pytest.approx(theory["response_s"], rel=1e-12)
    assert law["throughput_per_s"] == pytest.approx(theory["throughput_per_s"], rel=1e-12)
    assert law["least_s"] == theory["longest_s"]
