"""What runs the simulators: plain Python without numba, no cache folder, checked array bounds."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tunables
from tunables.simulators.batches import simulate_batches
from tunables.simulators.caches_kernel import lru_hits
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


PROGRAM = """
from tunables.simulators.event_heap import new_heap
print(len(new_heap(3)[0]), len(new_heap.signatures), new_heap.stats.cache_path)
"""


@pytest.mark.slow
def test_without_a_writable_folder_it_compiles_without_a_cache(tmp_path):
    """Permissions would not stop root: each folder is blocked by a file of its name."""
    package = tmp_path / "tunables"
    shutil.copytree(
        Path(tunables.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    (package / "simulators" / "__pycache__").touch()
    home = tmp_path / "home"
    home.touch()
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment |= {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PYTHONPATH": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        cwd=tmp_path,
    )
    assert (done.stdout, done.stderr) == ("7 1 None\n", "")


@pytest.mark.skipif(
    os.environ.get("NUMBA_BOUNDSCHECK") != "1", reason="kernels are not checked in this run"
)
def test_a_kernel_that_reads_out_of_bounds_says_so():
    ids = np.array([0, 1, 5], dtype=np.int32)
    with pytest.raises(IndexError):
        lru_hits(ids, 2, 2, 0, np.empty(0, np.int64))
