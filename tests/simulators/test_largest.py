"""A run that would fill the memory or take too long is refused before it begins."""

import json
import subprocess
import sys

import numpy as np
import pytest

from tests.hostile.examples import public_functions, usual_calls
from tunables import simulators
from tunables.simulators.flows import simulate_queue
from tunables.simulators.limits import MOST_BYTES

FUNCTIONS = public_functions(simulators)


def usual(name: str) -> dict:
    return usual_calls(simulators)[name][0]


@pytest.mark.parametrize(
    ("name", "changes", "culprit"),
    [
        ("retry_callers.simulate_retry_callers", {"callers": 999_999}, "callers \\* horizon_s"),
        ("retry_storm.simulate_retry_storm", {"horizon_s": 999_999.0}, "arrival_rate \\* horizon"),
        ("flows.simulate_flows", {"population": [10**7, 1]}, "sum of population"),
        (
            "flows.simulate_flows",
            {"population": [10**5, 1], "discipline": "fb"},
            "users if discipline is fb",
        ),
        ("flows.simulate_queue", {"customers": 54_188_373}, "customers = 54188373"),
        (
            "flows.simulate_queue",
            {"customers": 10**6, "arrival_rate": 9.0, "discipline": "fb"},
            "waiting customers if discipline is fb",
        ),
        ("traces.zipf_trace", {"requests": 10**9}, "objects \\+ requests"),
        ("traces.zigzag_trace", {"objects": 249_347_880}, "objects \\* cycles"),
    ],
)
def test_a_run_that_would_fill_the_memory_or_take_minutes_is_refused(name, changes, culprit):
    with pytest.raises(ValueError, match=f"{culprit}.* must be a finite number at most"):
        FUNCTIONS[name](**usual(name) | changes)


MEASURED = """
import json, resource, sys
from tests.hostile.examples import public_functions
from tunables import simulators
function, (usual, changes) = public_functions(simulators)[sys.argv[1]], json.loads(sys.argv[2])
function(**usual)  # which compiles
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
function(**usual | changes)
print(1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before))
"""


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory as Linux counts it")
@pytest.mark.parametrize(
    ("name", "changes", "share"),
    [  # share: of the largest run that is allowed
        ("traces.zipf_trace", {"requests": 3_000_000}, 0.03),
        ("traces.grown_trace", {"objects": 750_000, "old": 749_999}, 0.045),
        ("traces.mixed_trace", {"objects": 450_000}, 0.03),
        ("flows.simulate_queue", {"customers": 600_000, "discipline": "fb"}, 0.03),
        ("retry_storm.simulate_retry_storm", {"horizon_s": 25_000.0}, 0.03),
        ("retry_callers.simulate_retry_callers", {"callers": 15_000}, 0.03),
        ("closed_system.simulate_closed_system", {"customers": 3_000_000}, 0.03),
        ("tcp_rounds.trace_tcp_rounds", {"rounds": 3_000_000}, 0.03),
    ],
)
def test_the_largest_allowed_run_stays_within_the_stated_memory(name, changes, share):
    given = json.dumps([usual(name), changes])
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", MEASURED, name, given],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run.stdout) < 1.1 * share * MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("discipline", ["fifo", "ps", "srpt", "fb", "dpp"])
def test_no_customer_is_served_in_less_than_its_size_however_late_it_is(discipline):
    """Late in a run, few digits are left for the time between two moments."""
    sizes, responses = simulate_queue(1e-7, [0.1, 0.7], [0.5, 0.5], discipline, 20_000, seed=2)
    assert (responses >= sizes).all()
    assert responses == pytest.approx(sizes, rel=0.3)
    assert np.median(responses / sizes) == pytest.approx(1, rel=1e-4)
