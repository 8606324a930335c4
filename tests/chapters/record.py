"""A chapter's records of what it draws: CSV files beside its tests, told by scripts in node."""

import csv
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.node import node_path
from tests.tracked import ROOT


def told(script: str, lines: Iterable[str]) -> list:
    """Return what a script of `tests/front` replies, line by line."""
    done = subprocess.run(
        [node_path(), script],
        cwd=ROOT,
        input="".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def path(slug: str, name: str) -> Path:
    """Return where a record of a chapter stands."""
    return Path(__file__).parent / slug / f"{name}.csv"


def read(slug: str, name: str) -> list[list[str]]:
    """Return the rows that were written down."""
    with path(slug, name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def write(slug: str, name: str, columns: tuple[str, ...], rows: list[list[str]]) -> None:
    """Write a record down anew."""
    with path(slug, name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])


def assert_kept(slug: str, name: str, rows: list[list[str]]) -> None:
    """Fail where a record is lacking, or another than these rows."""
    renew = f"look at them, and if it is meant, run: python -m tests.chapters.{name} {slug}"
    assert path(slug, name).exists(), renew
    known = read(slug, name)
    changed = [row for row in rows if row not in known]
    assert rows == known, "\n".join([*map(str, changed), renew])
