"""What this Python makes of what is asked.  python -m benchmarks.engines.told FOLDER OUT

FOLDER holds the questions about closed forms, and the kernels' inputs with their results. OUT is a
file for the answers: those of the closed forms in bits, a digest of each case's run, and where a
kernel gave something else. Where numba is told to compile nothing, a case's run would take minutes
and is left out.
"""

import hashlib
import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks.engines.asked import SEED
from benchmarks.engines.closed_forms import answers, bits
from benchmarks.engines.kernels import compared
from kernels.entries import module_names
from tunables.parts.registry import cases

COMPILED = not os.environ.get("NUMBA_DISABLE_JIT")


def digest(told) -> str:
    """Return what stands for JSON, in 64 digits."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def runs() -> dict[str, str]:
    """Return {case: digest of a run with the settings that the case has of itself}."""
    found = {}
    for case in cases().values():
        outputs = case.simulation.run(SEED, **case.settings())
        found[case.name] = digest({name: bits(value) for name, value in outputs.items()})
    return found


def _name() -> str:
    numba = f"numba {version('numba')}" if COMPILED else "nothing compiled"
    return f"CPython {platform.python_version()}, numpy {version('numpy')}, {numba}"


def main(folder: Path, out: Path) -> None:
    """Answer, and write it down."""
    told = {
        "engine": _name(),
        "closed_forms": json.loads(answers((folder / "asked.json").read_text())),
        "runs": runs() if COMPILED else {},
        "kernels": {name: compared(folder / name) for name in module_names()},
    }
    out.write_text(json.dumps(told))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
