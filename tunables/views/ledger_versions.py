"""Versions of the ledger: what the book said of every published number, and what it changed."""

import csv
import math
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from tunables.core.ledger import ledger
from tunables.core.registry import cases

COLUMNS = ("case", "number", "published", "status", "closed_form")
DIGITS = 6
SAME = 1e-5  # relative: what a fit's last digits may differ by on another machine

Line = dict[str, str]
Ledger = dict[str, Line]  # by "case.number"


class Change(NamedTuple):
    """A number whose line is another in the next version; None where it has no line."""

    name: str
    before: Line | None
    after: Line | None


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.{DIGITS}g}"


def ledger_now() -> Ledger:
    """Return the lines that the models give now."""
    lines = {}
    for case in cases().values():
        for entry in ledger(case, simulate=False):
            row = entry.number.record.row_id
            said = (_text(entry.number.value), entry.number.status, _text(entry.predicted))
            lines[f"{case.name}.{row}"] = dict(zip(COLUMNS, (case.name, row, *said), strict=True))
    return lines


def write_ledger(path: Path, lines: Ledger) -> None:
    """Write a version as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines.values())


def read_ledger(path: Path) -> Ledger:
    """Return a version that was written."""
    with path.open(newline="", encoding="utf-8") as file:
        return {f"{line['case']}.{line['number']}": line for line in csv.DictReader(file)}


def _alike(one: str, other: str) -> bool:
    if one == other or not (one and other):
        return one == other
    return math.isclose(float(one), float(other), rel_tol=SAME)


def _same(one: Line | None, other: Line | None) -> bool:
    if one is None or other is None:
        return False
    values = all(_alike(one[column], other[column]) for column in ("published", "closed_form"))
    return values and one["status"] == other["status"]


def changes(before: Ledger, after: Ledger) -> list[Change]:
    """Return the numbers of which two versions say something else, in their order."""
    names = [*before, *(name for name in after if name not in before)]
    found = (Change(name, before.get(name), after.get(name)) for name in names)
    return [change for change in found if not _same(change.before, change.after)]


def match_names(patterns: str, names: Iterable[str]) -> list[str]:
    """Return the names that one of several patterns means, such as "wlcg.*-time dpp.port-traffic".

    >>> match_names("rrd.graphs-* dpp.port", ["rrd.graphs-fit", "rrd.slowdown", "dpp.port"])
    ['rrd.graphs-fit', 'dpp.port']
    """
    return [name for name in names if any(fnmatchcase(name, each) for each in patterns.split())]
