"""The simulations against the closed form, the document and the public simulators."""

import pytest

from tunables.chapters.time_outs.case import data
from tunables.chapters.time_outs.predictor import predict_lease
from tunables.chapters.time_outs.simulation import BATCHES, run_lease, run_of_map, run_storm
from tunables.core.registry import find_case
from tunables.simulators.batches import experiment
from tunables.simulators.batches_kernel import run_batches
from tunables.simulators.interval import confidence_interval
from tunables.simulators.queries import simulate_queries
from tunables.simulators.retry_storm import simulate_retry_storm


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_the_simulators_means_agree_with_the_closed_form(p):
    arguments = {"timeout_s": 0.5, "retries": 3, "reply_s": 0.05}
    arguments |= {"backoff_base_s": 0.2, "backoff_cap_s": 0.5}
    exact = predict_lease(failure_probability=p, **arguments)
    runs = [simulate_queries(p, **arguments, seed=seed) for seed in range(30)]
    means = {
        "attempts": [run.attempts.mean() for run in runs],
        "all_fail_probability": [1 - run.answered.mean() for run in runs],
        "latency_s": [run.latency_s.mean() for run in runs],
    }
    for output, samples in means.items():
        mean, half_width = confidence_interval(samples, level=0.999)
        assert abs(exact[output] - mean) <= half_width
        assert half_width < 0.1 * mean + 1e-3


def test_the_number_of_batches_is_the_documents():
    assert data()["batches"].value == BATCHES


@pytest.mark.parametrize("changes", [{}, {"failure_probability": 0.4, "backoff_base_s": 0.2}])
@pytest.mark.parametrize(("clients", "threads"), [(50, 50), (40, 13), (3, 50)])
def test_the_lease_experiment_equals_queries_whose_callers_share_threads(changes, clients, threads):
    settings = find_case("lease").settings(clients=clients, threads=threads, **changes)
    callers = {name: settings.pop(name) for name in ("clients", "threads", "think_s")}
    queries = simulate_queries(**settings, seed=3)
    longest = simulate_queries(**settings | {"failure_probability": 1.0}, seed=3)
    draws, rules = experiment(
        clients=clients, batch_threads=threads, think_time_s=callers["think_s"], commits=0, seed=3
    )
    makespan_s, response_s = run_batches(draws._replace(lease_s=queries.latency_s), rules)
    assert run_lease(3, **settings, **callers) == {
        "attempts": queries.attempts.mean(),
        "all_fail_probability": 1 - queries.answered.mean(),
        "latency_s": pytest.approx(queries.latency_s.mean(), rel=1e-12),
        "longest_s": pytest.approx(longest.latency_s.mean(), rel=1e-12),
        "throughput_per_s": 3000 / makespan_s,
        "response_s": response_s,
    }


@pytest.mark.parametrize("rate", [24, 70])
def test_the_storms_experiments_equal_the_public_simulator_bit_for_bit(rate):
    settings = find_case("storm").settings(arrival_rate_per_s=rate)
    ends = []
    for outage_s, seconds in ((0, 600), (10, 600), (0, 200)):
        series = simulate_retry_storm(
            rate, 100, settings["timeout_s"], int(settings["retries"]),
            outage_s=outage_s, horizon_s=seconds, seed=7,
        )  # fmt: skip
        ends.append([float(counts[-100:].mean()) for counts in series])
    assert list(run_storm(7, **settings).values()) == ends[0] + ends[1]
    assert run_of_map(7, **settings) == {"offered_per_s": ends[2][0]}


@pytest.mark.parametrize(
    ("case", "changes", "message"),
    [
        ("lease", {"failure_probability": 1.1}, "failure_probability = 1.1"),
        ("lease", {"timeout_s": 0}, "timeout_s = 0"),
        ("lease", {"retries": 1.5}, "retries = 1.5"),
        ("lease", {"reply_s": 9}, "reply_s = 9"),
        ("lease", {"backoff_base_s": -1}, "backoff_base_s = -1"),
        ("lease", {"backoff_cap_s": -1}, "backoff_cap_s = -1"),
        ("lease", {"clients": 0}, "clients = 0"),
        ("lease", {"threads": 0}, "threads = 0"),
        ("lease", {"think_s": -1}, "think_s = -1"),
        ("lease", {"failure_probability": 0, "reply_s": 0}, "time of all batches = 0"),
        ("storm", {"arrival_rate_per_s": -1}, "arrival_rate_per_s = -1"),
        ("storm", {"arrival_rate_per_s": 1e9}, "attempts in a run = "),
        ("storm", {"service_rate_per_s": 0}, "service_rate_per_s = 0"),
        ("storm", {"timeout_s": 0}, "timeout_s = 0"),
        ("storm", {"retries": 1.5}, "retries = 1.5"),
    ],
)
def test_bad_settings_are_refused(case, changes, message):
    found = find_case(case)
    with pytest.raises(ValueError, match=message):
        found.simulation.run(1, **found.settings() | changes)
