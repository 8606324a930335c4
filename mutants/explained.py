"""Mutants that no test can notice, each with the reason: `explained.toml`."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from mutants.groups import ROOT

FILE = Path(__file__).with_name("explained.toml")


class Explained(NamedTuple):
    """A change of a file that changes nothing that the file promises, and why it does not."""

    file: str
    was: str
    now: str
    why: str


def explained() -> list[Explained]:
    """Return all of them. Raises TypeError for one that lacks a field or has another."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [Explained(**each) for each in told.get("mutant", [])]


def stale() -> list[Explained]:
    """Return those whose old line no longer stands in its file."""
    return [each for each in explained() if each.was not in _in_one_line(each.file)]


def _in_one_line(file):
    path = ROOT / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return " ".join(line.strip() for line in text.splitlines())
