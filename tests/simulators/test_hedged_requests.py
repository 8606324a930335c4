"""Hedged requests: against the reference, M/M/1, a simulator by SimPy, and the rules' promises."""

import math

import numpy as np
import pytest
import simpy
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.hedged_requests import (
    RULES,
    scenario,
    simulate_hedged_requests,
    spells_of,
)
from tunables.simulators.hedged_requests_reference import hedged_requests_reference
from tunables.simulators.interval import confidence_interval

SPELLS = [(0, 0.25, 0.5), (None, 1.0, 0.125), (1, 2.0, 0.25)]  # sums are exact


@settings(deadline=None, derandomize=True, max_examples=80)
@given(
    st.integers(2, 6),
    st.floats(50, 600),
    st.sampled_from([0.0, 0.01, 0.05, math.inf]),
    st.sampled_from(RULES),
    st.sampled_from([0.0, 0.1, 1.0]),
    st.sampled_from([[], SPELLS]),
    st.integers(1, 300),
    st.integers(0, 99),
)
def test_kernel_and_reference_agree_bit_for_bit(
    servers, rate, delay_s, rule, budget, spells, requests, seed
):  # fmt: skip
    more = {
        "rule": rule, "budget": budget, "spells": spells, "requests": requests, "seed": seed,
    }  # fmt: skip
    run = simulate_hedged_requests(servers, rate, 0.01, delay_s, **more)
    asked_s, work_s, server, *_ = scenario(servers, rate, 0.01, delay_s, **more)
    own = [
        sorted((b, b + length) for who, b, length in spells if who in (None, each))
        for each in range(servers)
    ]
    expected = hedged_requests_reference(
        asked_s.tolist(), work_s.tolist(), server.tolist(), delay_s, rule, budget, own
    )
    found = run.sent_s, run.begun_s, run.ended_s, run.answered_s
    for mine, other in zip(found, expected, strict=True):
        assert np.array_equal(mine, np.array(other), equal_nan=True)


def simpy_latencies(servers, rate, service_s, delay_s, requests, seed):
    """Return the latencies of as many requests to servers that serve every copy."""
    rng = np.random.default_rng(seed)
    world = simpy.Environment()
    machines = [simpy.Resource(world) for _ in range(servers)]
    latencies = []

    def copy(machine, answered):
        with machine.request() as turn:
            yield turn
            yield world.timeout(rng.exponential(service_s))
        if not answered.triggered:
            answered.succeed()

    def request():
        answered, start = world.event(), world.now
        first, second = rng.choice(servers, 2, replace=False)
        world.process(copy(machines[first], answered))
        yield answered | world.timeout(delay_s)
        if not answered.triggered:
            world.process(copy(machines[second], answered))
            yield answered
        latencies.append(world.now - start)

    def arrivals():
        for _ in range(requests):
            yield world.timeout(rng.exponential(1 / rate))
            world.process(request())

    world.process(arrivals())
    world.run()
    return latencies


@pytest.mark.slow
def test_simpy_agrees():
    theirs = [np.mean(simpy_latencies(5, 150, 0.01, 0.02, 3_000, seed)) for seed in range(8)]
    ours = [
        np.mean(simulate_hedged_requests(5, 150, 0.01, 0.02, requests=3_000, seed=seed).latency_s)
        for seed in range(8)
    ]
    mean, half_width = confidence_interval(
        [a - b for a, b in zip(theirs, ours, strict=True)], level=0.999
    )
    assert abs(mean) <= half_width < 0.2 * np.mean(ours)


def test_without_a_second_copy_it_is_mm1():
    run = simulate_hedged_requests(10, 600, 0.01, math.inf, requests=200_000, seed=1)
    assert run.copies == 0
    assert np.mean(run.latency_s) == pytest.approx(0.01 / 0.4, rel=0.04)
    assert np.mean(run.latency_s > 0.1) == pytest.approx(math.exp(-4), rel=0.15)


@pytest.mark.parametrize("rule", RULES)
def test_every_request_is_answered_by_the_first_copy_that_ends(rule):
    run = simulate_hedged_requests(4, 300, 0.01, 0.02, rule=rule, requests=5_000, seed=2)
    assert np.array_equal(run.answered_s, np.nanmin(run.ended_s, axis=1))
    assert (run.server[:, 0] != run.server[:, 1]).all()
    sent = run.sent_s[:, 1]
    hedged = ~np.isnan(sent)
    assert np.allclose(sent[hedged], run.asked_s[hedged] + 0.02)
    assert (run.answered_s[~hedged] <= run.asked_s[~hedged] + 0.02).all()


def test_what_each_rule_promises():
    """Tied copies are begun once, but for those begun at the same moment; dropped ones end."""
    settings = {"requests": 20_000, "seed": 3}
    kept = simulate_hedged_requests(4, 250, 0.01, 0.0, rule="run", **settings)
    assert not np.isnan(kept.ended_s).any()
    dropped = simulate_hedged_requests(4, 250, 0.01, 0.0, rule="drop", **settings)
    late = dropped.begun_s > dropped.answered_s[:, None]
    assert not late.any()
    tied = simulate_hedged_requests(4, 250, 0.01, 0.0, rule="tie", **settings)
    both = ~np.isnan(tied.begun_s).any(axis=1)
    assert (tied.begun_s[both, 0] == tied.begun_s[both, 1]).all()
    work = [np.mean(~np.isnan(run.begun_s)) * 2 for run in (kept, dropped, tied)]
    assert work[0] == 2 > work[1] > work[2] >= 1
    waits = [np.mean(run.latency_s) for run in (kept, dropped, tied)]
    assert waits[2] < waits[1] < waits[0]


def test_a_budget_holds():
    run = simulate_hedged_requests(4, 390, 0.01, 0.01, budget=0.1, requests=10_000, seed=4)
    assert 0.09 < run.copies <= 0.1


def test_a_server_that_stands_still_does_nothing():
    stop = [(0, 1.0, 2.0)]
    run = simulate_hedged_requests(3, 60, 0.01, math.inf, spells=stop, requests=600, seed=5)
    ends = run.ended_s[run.server[:, 0] == 0, 0]
    assert not ((ends > 1.0) & (ends < 3.0)).any()
    hedged = simulate_hedged_requests(3, 60, 0.01, 0.05, spells=stop, requests=600, seed=5)
    assert hedged.latency_s.max() < 0.5 < run.latency_s.max()
    everywhere = simulate_hedged_requests(
        3, 60, 0.01, 0.05, spells=[(None, 1.0, 2.0)], requests=600, seed=5
    )
    assert everywhere.latency_s.max() > 1.9  # what all share no copy cures


def test_the_same_seed_gives_the_same_run():
    first, again, other = (
        simulate_hedged_requests(3, 100, 0.01, 0.02, requests=50, seed=seed).answered_s.tolist()
        for seed in (4, 4, 5)
    )
    assert first == again != other


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"servers": 1}, "servers = 1"),
        ({"rate_per_s": 0}, "rate_per_s = 0"),
        ({"service_s": -1}, "service_s = -1"),
        ({"delay_s": math.nan}, "delay_s = nan"),
        ({"rule": "kill"}, "rule = 'kill'"),
        ({"budget": 2}, "budget = 2"),
        ({"requests": 0}, "requests = 0"),
        ({"requests": 10**9}, "requests = 1000000000"),
        ({"seed": -1}, "seed = -1"),
        ({"spells": [(7, 0, 1)]}, "server = 7"),
        ({"spells": [(0, 0, 2), (None, 1, 1)]}, "server's next spell = 1"),
        ({"spells": [(0, -1, 2)]}, "start of a spell = -1"),
        ({"spells": [(0, 1, 0)]}, "length of a spell = 0"),
    ],
)
def test_bad_input(changes, message):
    usual = {"servers": 4, "rate_per_s": 200, "service_s": 0.01, "delay_s": 0.02}
    with pytest.raises(ValueError, match=message):
        simulate_hedged_requests(**usual | changes)


def test_spells_are_in_order_for_each_server():
    first, begins, ends = spells_of(2, SPELLS)
    assert first.tolist() == [0, 2, 4]
    assert begins.tolist() == [0.25, 1.0, 1.0, 2.0]
    assert ends.tolist() == [0.75, 1.125, 1.125, 2.25]
