"""Sphinx extension: the directive `engines`, what each engine made of the same questions.

A table, made of benchmarks/engines.json, which `make engines` writes.
"""

import json
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

FILE = Path(__file__).parents[2] / "benchmarks" / "engines.json"
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


class Engines(SphinxDirective):
    """The table, and on what machine it was made."""

    def run(self):
        self.env.note_dependency(str(FILE))
        told = json.loads(FILE.read_text(encoding="utf-8"))
        machine = f"{told['machine']['processor']}, {told['machine']['system']}"
        lines = [*engines_lines(told["engines"]), "", f"*Machine: {machine}.*"]
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, "engines"), self.content_offset, node)
        return node.children


def setup(app) -> dict:
    """Register the directive."""
    app.add_directive("engines", Engines)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
