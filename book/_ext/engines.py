"""Sphinx extension: tables of what was measured of the book itself.

The directive `engines`, what each engine made of the same questions, of benchmarks/engines.json,
which `make engines` writes; and `mutants`, how many wrong changes the tests noticed, of
mutants/measured.json, which `make mutants` writes.
"""

import json
from pathlib import Path
from typing import Any

from markdown_lines import MarkdownLines

ROOT = Path(__file__).parents[2]
ENGINES = ROOT / "benchmarks" / "engines.json"
MUTANTS = ROOT / "mutants" / "measured.json"
COLUMNS = ("closed_forms", "runs", "kernels", "pages")
HEAD = ("Engine", "Closed forms, values", "Runs", "Kernels' calls", "Pages")


def _cell(counted: dict | None) -> str:
    if counted is None:
        return "–"
    asked, unequal = counted["asked"], counted["unequal"]
    if not unequal:
        return f"all {asked:,} equal"
    largest = counted.get("largest_relative")
    apart = f", by {largest:.0e} at most" if largest else ""
    return f"{unequal:,} of {asked:,} differ{apart}"


def engines_lines(rows: list[dict]) -> list[str]:
    """Return the lines of a Markdown table: an engine each, beside the first."""
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for n, row in enumerate(rows):
        cells = [_cell(row[column]) if n else _asked(row[column]) for column in COLUMNS]
        lines.append("| " + " | ".join([row["engine"], *cells]) + " |")
    return lines


def _asked(counted: dict | None) -> str:
    """Return how many were asked of the first engine, which the others are held against."""
    return f"{counted['asked']:,}" if counted else "–"


def _share(value: float) -> str:
    return f"{value:.0%}".replace("%", " %")


def mutants_lines(told: Any) -> list[str]:
    """Return the lines of a Markdown table: a group of files each, with its score's interval."""
    lines = ["| In | Changes | Tried | Noticed | Share | 95 % interval |", "|---|" + "---:|" * 5]
    for group in told:
        noticed = group["killed"] + group["timed out"]
        low, high = map(_share, group["interval"])
        cells = [group["group"], f"{group['mutants']:,}", group["tried"] - group["explained"]]
        cells += [noticed, _share(group["score"]), f"{low} to {high}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


class Table(MarkdownLines):
    """What a file of measurements tells, as lines of Markdown."""

    file = ENGINES

    @staticmethod
    def lines(told: Any) -> list[str]:
        machine = f"{told['machine']['processor']}, {told['machine']['system']}"
        return [*engines_lines(told["engines"]), "", f"*Machine: {machine}.*"]

    def run(self):
        self.env.note_dependency(str(self.file))
        told = json.loads(self.file.read_text(encoding="utf-8"))
        return self.parsed(self.lines(told))


class Mutants(Table):
    """How many wrong changes the tests noticed."""

    file = MUTANTS
    lines = staticmethod(mutants_lines)


def setup(app) -> dict:
    """Register the directives."""
    app.add_directive("engines", Table)
    app.add_directive("mutants", Mutants)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
