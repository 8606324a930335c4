"""Every compiled policy against its plain form, request by request."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.caches import POLICIES, simulate_policy, zipf_trace
from tunables.simulators.plain_caches import PLAIN, random

traces = st.lists(st.integers(0, 14), min_size=1, max_size=120)


def test_each_policy_has_a_plain_form():
    assert set(PLAIN) == set(POLICIES)


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, derandomize=True, max_examples=60)
@given(trace=traces, capacity=st.integers(1, 17), data=st.data())
def test_same_hits(policy, trace, capacity, data):
    warmup = data.draw(st.integers(0, len(trace)))
    hits = list(PLAIN[policy](trace, capacity))
    assert simulate_policy(trace, capacity, policy, warmup=warmup) == sum(hits[warmup:])


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("capacity", [1, 4, 30, 150])
def test_same_hits_on_a_longer_trace(policy, capacity):
    trace = zipf_trace(300, 3000, 0.8, seed=capacity).tolist()
    hits = list(PLAIN[policy](trace, capacity))
    for warmup in (0, 1000, 2999):
        assert simulate_policy(trace, capacity, policy, warmup) == sum(hits[warmup:])


def test_random_evicts_the_frames_that_its_seed_draws():
    trace = zipf_trace(60, 2000, 0.8, seed=1).tolist()
    for seed in (0, 1, 12345):
        hits = sum(random(trace, 20, seed=seed))
        assert simulate_policy(trace, 20, "random", seed=seed) == hits


SCRIPT = """
import sys
if sys.argv[1] == "without":
    sys.modules["numba"] = None
from tunables.simulators.caches import *
trace = zipf_trace(400, 5000, 0.8, seed=2)
spread = trace * 10**12 - 5
for requests in (trace, spread):
    print(stack_distances(requests).tolist())
    for policy in POLICIES:
        print([simulate_policy(requests, capacity, policy, seed=7) for capacity in (1, 9, 150)])
"""


@pytest.mark.slow
def test_same_bytes_without_numba():
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT, numba],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parents[2],
            timeout=100,
        ).stdout
        for numba in ("with", "without")
    ]
    assert len(outputs[0]) > 10_000
    assert outputs[0] == outputs[1]
