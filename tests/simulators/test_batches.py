"""The published experiment: against its reference, the closed forms and the published table."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.evidence.published import published
from tunables.simulators.batches import FLUSHERS, experiment, simulate_batches, trace_batches
from tunables.simulators.batches_kernel import ANSWERED, ASKS, run_batches
from tunables.simulators.batches_reference import batches_reference
from tunables.simulators.interval import confidence_interval

DATA = published("rdu-batch-tuning")
THINK_S = 50 / DATA["both-throughput"].value - DATA["both-response"].value / 1000
ROWS = ("original", "flush", "both")
TWO_CAPS: dict[str, Any] = {"commits": 2, "base_s": 0.076}
# What each rival of the predictor is in the simulation.
RIVALS: dict[str, dict[str, Any]] = {
    "one cap": {"commits": 1, "base_s": 0.101},
    "two caps": TWO_CAPS,
    "thread pool": {"commits": 0, "batch_threads": 25, "base_s": 0.0519},
    "commit stage": {"commits": 1, "commit_threads": 13, "base_s": 0.101},
    "ideal adaptive flusher": TWO_CAPS | {"flusher": "adaptive"},
    "adaptive flusher with a stuck transaction": TWO_CAPS
    | {"flusher": "adaptive", "long_transactions": 1},
}


def row_settings(row):
    return {
        "max_delay_s": DATA[f"{row}-flush-delay-max"].value / 1000,
        "timeout_s": DATA[f"{row}-lease-timeout"].value / 1000,
        "retries": int(DATA[f"{row}-lease-retries"].value),
    }


def intervals(seeds=20, level=0.95, **settings):
    """Return (mean, half-width) of throughput and response time over a number of seeds."""
    runs = [simulate_batches(think_time_s=THINK_S, seed=seed, **settings) for seed in range(seeds)]
    return [confidence_interval(samples, level) for samples in zip(*runs, strict=True)]


def assert_fast_is_the_reference(arguments):
    """Check results and all events, and that the events give the results; return their number.

    The sum of the responses is taken in the order of the answers.
    """
    draws, rules = experiment(**arguments)
    *results, expected = batches_reference(draws, rules)
    trace = trace_batches(**arguments)
    assert list(run_batches(draws, rules)) == results
    assert list(zip(*(column.tolist() for column in trace[1:]), strict=True)) == expected
    assert trace.rows == len(expected)
    asked, total_s = {}, 0.0
    for time_s, kind, client, *_ in expected:
        if kind == ASKS:
            asked[client] = time_s
        elif kind == ANSWERED:
            total_s += time_s - asked[client]
    assert [time_s, total_s / len(draws.think_s)] == results
    return trace.rows


any_experiment = st.fixed_dictionaries(
    {
        "clients": st.integers(1, 12),
        "batches": st.integers(1, 80),
        "think_time_s": st.sampled_from([0.0, 0.03]),
        "base_s": st.sampled_from([0.0, 0.07]),
        "timeout_s": st.sampled_from([0.0, 0.5, 1.0]),
        "retries": st.integers(0, 3),
        "max_delay_s": st.sampled_from([0.0, 0.025, 2.0]),
        "commits": st.integers(0, 3),
        "flusher": st.sampled_from(FLUSHERS),
        "lease_first": st.booleans(),
        "batch_threads": st.integers(0, 6),
        "commit_threads": st.integers(0, 6),
        "failure_probability": st.sampled_from([0.0, 0.5, 1.0]),
        "abort_probability": st.sampled_from([0.0, 0.1, 1.0]),
        "long_transactions": st.integers(0, 1),
        "seed": st.integers(0, 99),
    }
)


@pytest.mark.slow
@settings(deadline=None, derandomize=True, max_examples=300)
@given(any_experiment)
def test_kernel_equals_reference_bit_for_bit(arguments):
    """Times that are 0 or multiples of each other make events coincide, so ties are tested too."""
    assert_fast_is_the_reference(arguments)


@pytest.mark.parametrize("hypothesis", RIVALS)
def test_kernel_equals_reference_on_the_published_experiment(hypothesis):
    rows = assert_fast_is_the_reference({"think_time_s": THINK_S, "seed": 1} | RIVALS[hypothesis])
    assert 3000 * 4 <= rows < 50_000  # all are recorded, in 2 MB


def test_aborts_desynchronise_the_adaptive_flusher():
    """The document's other scenario: one abort in a hundred costs nearly both caps."""
    settings = RIVALS["ideal adaptive flusher"] | row_settings("original")
    (_, _), (clean_s, _) = intervals(**settings)
    (_, _), (aborting_s, _) = intervals(abort_probability=0.01, **settings)
    assert clean_s < 4.5
    assert aborting_s > 7.5


def test_the_place_of_the_lease_query_matters_to_the_ideal_flusher_only():
    """Before the last commit it separates the clients, and some wait for the cap: still no 8 s."""
    settings = RIVALS["ideal adaptive flusher"] | row_settings("original")
    (_, _), (response_s, half_width) = intervals(lease_first=False, **settings)
    assert 5.5 < response_s < 6.5
    assert half_width < 0.2
    stuck = [
        intervals(lease_first=first, long_transactions=1, **settings) for first in (True, False)
    ]
    assert stuck[0][1][0] == pytest.approx(stuck[1][1][0], rel=0.001)


@pytest.mark.parametrize(("p", "expected_s"), [(0.0, 0.05), (0.5, 0.9375 + 0.9375 * 0.05), (1, 4)])
def test_lease_query_that_sometimes_answers(p, expected_s):
    settings = {"failure_probability": p, "reply_s": 0.05, "commits": 0, "batches": 20_000}
    _, (response_s, half_width) = intervals(seeds=5, level=0.999, **settings)
    assert abs(response_s - expected_s) <= half_width + 1e-9


@pytest.mark.parametrize("rows", [0, 1, 17])
def test_a_short_trace_is_the_beginning_of_a_long_one(rows):
    settings = RIVALS["commit stage"] | {"batches": 200}
    whole, short = trace_batches(**settings), trace_batches(rows=rows, **settings)
    assert short.rows == whole.rows > len(short.time_s) == rows
    for column, beginning in zip(whole[1:], short[1:], strict=True):
        assert column[:rows].tolist() == beginning.tolist()


def test_common_random_numbers_and_seeds():
    draws, _ = experiment(base_s=0.1, seed=5)
    other_settings, _ = experiment(base_s=0.1, seed=5, max_delay_s=0.025, timeout_s=0.5)
    assert (draws.work_s == other_settings.work_s).all()
    first, again, other = (simulate_batches(base_s=0.1, seed=seed) for seed in (5, 5, 6))
    assert first == again != other


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("clients", 0, "clients = 0"),
        ("batches", 0, "batches = 0"),
        ("think_time_s", -1, "think_time_s = -1"),
        ("base_s", math.nan, "base_s = nan"),
        ("timeout_s", math.inf, "timeout_s = inf"),
        ("retries", 1.5, "retries = 1.5"),
        ("max_delay_s", -1, "max_delay_s = -1"),
        ("commits", -1, "commits = -1"),
        ("flusher", "lazy", "flusher = 'lazy': must be one of fixed, adaptive"),
        ("batch_threads", -1, "batch_threads = -1"),
        ("commit_threads", 0.5, "commit_threads = 0.5"),
        ("failure_probability", 1.1, "failure_probability = 1.1"),
        ("reply_s", 1.5, "reply_s = 1.5: .* at most 1"),
        ("abort_probability", -0.1, "abort_probability = -0.1"),
        ("long_transactions", -1, "long_transactions = -1"),
        ("seed", 1.5, "seed = 1.5"),
    ],
)
def test_bad_input(argument, value, message):
    with pytest.raises(ValueError, match=message):
        simulate_batches(**{argument: value})


def test_times_that_are_all_zero_are_refused():
    with pytest.raises(ValueError, match=r"time of all batches = 0.0"):
        simulate_batches(timeout_s=0, max_delay_s=0)
