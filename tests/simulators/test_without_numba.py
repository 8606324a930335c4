"""The same floats from the plain Python that runs where numba is not installed."""

import subprocess
import sys

from tunables.simulators.batches import simulate_batches
from tunables.simulators.closed_system import simulate_closed_system
from tunables.simulators.retry_storm import simulate_retry_storm

PLAIN = """
import sys
sys.modules["numba"] = None  # importing it now raises ImportError
from tunables.simulators.batches import simulate_batches
from tunables.simulators.closed_system import simulate_closed_system
from tunables.simulators.retry_storm import simulate_retry_storm
print(repr(tuple(map(float, simulate_closed_system(5, 2, 1.0, 0.5, 500, seed=7)))))
print(repr(tuple(map(float, simulate_batches(base_s=0.1, batches=300, flusher="adaptive")))))
print([series.tolist() for series in simulate_retry_storm(30, 100, horizon_s=30, seed=7)])
"""


def test_plain_python_gives_the_same_floats():
    compiled = [
        repr(tuple(map(float, simulate_closed_system(5, 2, 1.0, 0.5, 500, seed=7)))),
        repr(tuple(map(float, simulate_batches(base_s=0.1, batches=300, flusher="adaptive")))),
        repr([series.tolist() for series in simulate_retry_storm(30, 100, horizon_s=30, seed=7)]),
    ]
    result = subprocess.run(
        [sys.executable, "-c", PLAIN], capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.splitlines() == compiled
