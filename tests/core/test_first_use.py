"""What is heavy is loaded, and what is calibrated is computed, on first use and not on import."""

import subprocess
import sys

import pytest

PROGRAMS = {
    "importing the registry": """
import tunables.core.registry
heavy = {"numba", "scipy"}
""",
    "listing the cases": """
from tunables.cli import main
main(["list"])
heavy = {"numba", "scipy", "numpy", "tunables.core.case"}
""",
    "reproducing a case": """
from tunables.page.chapters import CHAPTERS
from tunables.cli import main
main(["reproduce", "rrd"])
heavy = {f"tunables.chapters.{c.slug}.case" for c in CHAPTERS if "rrd" not in c.cases}
""",
    "importing every chapter, without the data": """
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
import tunables.chapters
from tunables.evidence import published
published.DATA = Path("nowhere")
for found in walk_packages(tunables.chapters.__path__, "tunables.chapters."):
    import_module(found.name)
heavy = set()
""",
}
END = """
import sys
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


@pytest.mark.slow
@pytest.mark.parametrize("what", PROGRAMS)
def test_what_is_not_used_is_not_loaded(what):
    program = PROGRAMS[what] + END
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
