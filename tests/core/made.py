"""The sample files of the lab Your numbers and their script, for tests with known parameters."""

import importlib.util
from pathlib import Path
from types import ModuleType

SAMPLES = Path(__file__).parents[2] / "labs" / "samples"
FILES = sorted((SAMPLES / "own").iterdir())


def _script() -> ModuleType:
    """Return labs/samples/own_numbers.py as a module."""
    spec = importlib.util.spec_from_file_location("own_numbers", SAMPLES / "own_numbers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = _script()


def lines(text: str) -> tuple[str, list[str]]:
    """Return the heading of a CSV and its rows."""
    heading, *rows = text.splitlines()
    return heading, rows


def text(heading: str, rows) -> str:
    """Return a CSV of a heading and rows of text or of cells."""
    cells = (row if isinstance(row, str) else ",".join(map(str, row)) for row in rows)
    return "\n".join([heading, *cells]) + "\n"


def spoil_end(source: str, share: float, spoil) -> str:
    """Spoil the rows from that share of a CSV on."""
    heading, rows = lines(source)
    start = int(share * len(rows))
    return text(heading, [*rows[:start], *map(spoil, rows[start:])])
