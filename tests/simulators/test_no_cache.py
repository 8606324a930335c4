"""Where numba can keep no machine code the simulators run all the same, compiled anew each time."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import tunables

PROGRAM = """
from tunables.simulators.event_heap import new_heap
print(len(new_heap(3)[0]), len(new_heap.signatures), new_heap.stats.cache_path)
"""


def test_with_no_place_for_a_cache_it_compiles_without_one(tmp_path):
    """Permissions would not stop root: a file stands where each folder would have to be made."""
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
