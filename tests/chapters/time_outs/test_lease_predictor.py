"""The cost of one lease query, and of a pool of threads that waits for it."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.chapters.time_outs.lease_predictor import predict
from tunables.simulators.interval import confidence_interval

quick = settings(deadline=None, derandomize=True, max_examples=80)


def test_black_hole_totals_of_the_document():
    assert predict(timeout_s=1.0, retries=3)["latency_s"] == 4.0
    assert predict(timeout_s=0.5, retries=1)["latency_s"] == 1.0


def test_a_pool_of_25_halves_the_tuned_throughput():
    pool = predict(timeout_s=0.5, retries=1, threads=25)
    assert (pool["throughput_per_s"], pool["response_s"]) == (25.0, 2.0)
    enough = predict(timeout_s=0.5, retries=1, threads=50)
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


@pytest.mark.parametrize("p", [0.2, 0.7, 1.0])
def test_latency_with_pauses_is_the_mean_of_a_simulation(p):
    arguments = (p, 0.5, 4, 0.05, 0.2, 0.9)
    runs = [simulated_latencies(*arguments, seed) for seed in range(10)]
    mean, half_width = confidence_interval([np.mean(run) for run in runs], level=0.999)
    result = predict(
        failure_probability=p, timeout_s=0.5, retries=4, backoff_base_s=0.2, backoff_cap_s=0.9
    )
    assert abs(result["latency_s"] - mean) <= half_width
    assert half_width < 0.05 * mean


def test_percentile_counts_the_pauses_before_the_last_attempt():
    arguments = {"failure_probability": 0.1, "retries": 3, "reply_s": 0.05}
    assert predict(**arguments)["latency_p99_s"] == pytest.approx(1.05)
    paused = predict(**arguments, backoff_base_s=0.4, backoff_cap_s=0.4)
    assert paused["latency_p99_s"] == pytest.approx(1.05 + 0.2)
    hole = predict(backoff_base_s=0.4, backoff_cap_s=0.4)
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
def test_bounds(arguments):
    result = predict(**arguments)
    assert result["latency_s"] <= result["longest_s"] + 1e-9
    assert result["latency_p99_s"] <= result["longest_s"] + 1e-9
    assert result["response_s"] >= result["latency_s"] * (1 - 1e-9)
    cycle = result["response_s"] + arguments["think_s"]
    assert result["throughput_per_s"] * cycle == pytest.approx(arguments["clients"])
    assert result["throughput_per_s"] * result["latency_s"] <= arguments["threads"] * (1 + 1e-9)
    more = predict(**arguments | {"retries": arguments["retries"] + 1})
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
def test_bad_input(argument, value, message):
    with pytest.raises(ValueError, match=message):
        predict(**{argument: value})


def test_a_query_that_takes_no_time_is_refused():
    with pytest.raises(ValueError, match=r"latency_s = 0.0: must be a finite number above 0"):
        predict(failure_probability=0, reply_s=0)
