"""Sphinx extension: tables of the project itself.

`engines` shows what each engine answers, of benchmarks/engines.json, which `make engines` writes;
`problem-kinds` the kinds of problems by effort. Other extensions' tables are MarkdownLines, too.
"""

import json
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from tunables.page.chapters import with_facet
from tunables.page.problem import APART, EFFORTS, kinds, problem_number

ROOT = Path(__file__).parents[2]
ENGINES = ROOT / "benchmarks" / "engines.json"
COLUMNS = ("closed_forms", "runs", "kernels", "pages")
HEAD = ("Engine", "Closed-form values", "Runs", "Kernel calls", "Pages")


class MarkdownLines(SphinxDirective):
    """A directive that lines of Markdown replace, such as a table."""

    def parse_lines(self, lines: list[str], table_class: str = "") -> list[nodes.Node]:
        """Return the nodes of the lines; their tables may have a class."""
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, self.name), self.content_offset, node)
        if table_class:
            for table in node.findall(nodes.table):
                table["classes"].append(table_class)
        return node.children


def _cell(counted: dict | None) -> str:
    if counted is None:
        return "–"
    asked, unequal = counted["asked"], counted["unequal"]
    if not unequal:
        return f"all {asked:,} equal"
    largest = counted.get("largest_relative")
    apart = f", by at most {largest:.0e}" if largest else ""
    return f"{unequal:,} of {asked:,} differ{apart}"


def engines_lines(rows: list[dict]) -> list[str]:
    """Return the lines of a Markdown table: a row for each engine, compared with the first."""
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for n, row in enumerate(rows):
        cells = [_cell(row[column]) if n else _total(row[column]) for column in COLUMNS]
        lines.append("| " + " | ".join([row["engine"], *cells]) + " |")
    return lines


def _total(counted: dict | None) -> str:
    """Return how many answers the first engine gave, which the others are compared with."""
    return f"{counted['asked']:,}" if counted else "–"


class Engines(MarkdownLines):
    """The engines of the file, and the machine that it is from."""

    def run(self):
        self.env.note_dependency(str(ENGINES))
        found = json.loads(ENGINES.read_text(encoding="utf-8"))
        machine = f"{found['machine']['processor']}, {found['machine']['system']}"
        return self.parse_lines([*engines_lines(found["engines"]), "", f"*Machine: {machine}.*"])


def problem_kinds_lines() -> list[str]:
    """Return the lines of a Markdown table: chapter, kind, title and effort of every problem."""
    lines = ["| Ch. | `--kind` | Title | Effort |", "|---|---|---|---|"]
    for slug in [*with_facet("problems"), *APART]:
        by_effort = sorted(kinds(slug).items(), key=lambda item: item[1][2])
        for name, (title, _, effort) in by_effort:
            mark = "●" * effort + "○" * (max(EFFORTS) - effort)
            lines.append(f"| {problem_number(slug)} | `{name}` | {title} | {effort} {mark} |")
    return lines


def efforts() -> list[str]:
    """Return the lines of a Markdown list that says what the efforts mean."""
    return [f"- **{effort}**: {words}." for effort, words in EFFORTS.items()]


class ProblemKinds(MarkdownLines):
    """What the efforts mean, and all kinds of problems with their efforts."""

    def run(self):
        return self.parse_lines([*efforts(), "", *problem_kinds_lines()])


def setup(app) -> dict:
    """Register the directives."""
    app.add_directive("engines", Engines)
    app.add_directive("problem-kinds", ProblemKinds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
