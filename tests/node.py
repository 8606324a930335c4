"""Where node is, for the tests that run scripts in it."""

import os
import shutil
import sys
from pathlib import Path


def node_path() -> str:
    """Return where node is; npm's own brings it where the machine has none."""
    path = shutil.which("node", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert path, "node is missing: run `make node_modules/.ready` first"
    return path
