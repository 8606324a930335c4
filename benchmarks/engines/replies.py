"""This Python's reply to the questions.  python -m benchmarks.engines.replies FOLDER OUT

FOLDER holds the questions about closed forms, and the kernels' inputs with their results. OUT is a
file for the answers: those of the closed forms in bits, a digest of each case's run, and where a
kernel gave something else. Where numba is set to compile nothing, a case's run would take minutes
and is left out.
"""

import hashlib
import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks.engines.closed_forms import answers, bits
from benchmarks.engines.kernels import compare
from benchmarks.engines.questions import SEED
from kernels.entries import module_names
from tunables.core.registry import cases

COMPILED = not os.environ.get("NUMBA_DISABLE_JIT")


def digest(value) -> str:
    """Return a digest of a JSON value, of 64 digits."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def runs() -> dict[str, str]:
    """Return {case: digest of a run with the case's default settings}."""
    found = {}
    for case in cases().values():
        outputs = case.simulation.run(SEED, **case.settings())
        found[case.name] = digest({name: bits(value) for name, value in outputs.items()})
    return found


def _name() -> str:
    numba = f"numba {version('numba')}" if COMPILED else "nothing compiled"
    return f"CPython {platform.python_version()}, numpy {version('numpy')}, {numba}"


def main(folder: Path, out: Path) -> None:
    """Write the reply."""
    reply = {
        "engine": _name(),
        "closed_forms": json.loads(answers((folder / "asked.json").read_text())),
        "runs": runs() if COMPILED else {},
        "kernels": {name: compare(folder / name) for name in module_names()},
    }
    out.write_text(json.dumps(reply))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
