"""The replies of other Pythons, each in a separate environment."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.chapters.notebooks import ROOT

PACKAGES = ("numpy", "scipy", "numba")  # with the pins of constraints.txt
HOME = ROOT / "_build" / "engines"
LIMIT_S = 900


def _run(command: list, **environment: str) -> None:
    subprocess.run(
        [str(word) for word in command],
        check=True,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=LIMIT_S,
    )


def environment_of(python: str) -> Path:
    """Return the python of an environment with the models' packages, made with another python."""
    home = HOME / python.strip("/").replace("/", "-")
    if not (home / "ready").exists():
        _run([python, "-m", "venv", "--clear", home])
        pip = [home / "bin/python", "-m", "pip", "install", "--quiet", "-c", "constraints.txt"]
        _run([*pip, *PACKAGES])
        (home / "ready").touch()
    return home / "bin/python"


def ask(folder: Path, python: str | Path = sys.executable, compiled: bool = True) -> dict:
    """Return a Python's reply to the questions in a folder."""
    out = folder / "told.json"
    quiet = [] if compiled else ["-W", "ignore"]  # numpy warns where integers wrap around
    options = {} if compiled else {"NUMBA_DISABLE_JIT": "1"}
    _run([python, *quiet, "-m", "benchmarks.engines.replies", folder, out], **options)
    answers: dict = json.loads(out.read_text())
    return answers
