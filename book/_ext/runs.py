"""Sphinx extension: the numbers and tables of the page "How many runs are enough".

`{runs}` gives a number, a key of WORDS; `{runs-table} widths` a table, a key of TABLES;
`{compare} rdu base_s 1.02` a box: a case, what differs in B, and how many times.
"""

from docutils import nodes
from docutils.parsers.rst import directives
from markdown_tables import MarkdownLines
from sphinx.util.docutils import SphinxDirective, SphinxRole

from tunables.base.statistics import student_t
from tunables.page.formats import interval_text
from tunables.views import how_many_runs as runs
from tunables.views.simulation import comparison_html


def _table(heads, rows) -> list[str]:
    lines = [heads, ["---:"] * len(heads), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]


def one_by_one() -> list[str]:
    """Return the first runs: as published, and costlier with other and with the same numbers."""
    published, same, other = runs.batches_per_s()
    heads = [
        "run",
        "as published",
        "2% more work, other random numbers",
        "2% more work, same random numbers",
    ]
    rows = [
        [str(n + 1), *(f"{each[n]:.4f}" for each in (published, other, same))]
        for n in range(runs.SHOWN)
    ]
    return _table(heads, rows)


def starts() -> list[str]:
    """Return what the start does to the mean, with more and more of it left out."""
    rows = [[str(n), interval_text(runs.short_runs_s(n), 2)] for n in runs.WARM_UPS]
    return _table(["pages left out", "mean response time (s) and its interval"], rows)


def widths() -> list[str]:
    """Return how the interval narrows with the runs."""
    heads = ["runs n", "t", "mean ± h", "h √n"]
    rows = []
    for n in runs.STEPS:
        mean, half_width = runs.differences(n, True)[0]
        words = interval_text((mean, half_width), 4)
        rows.append([str(n), f"{student_t(0.95, n - 1):.2f}", words, f"{half_width * n**0.5:.4f}"])
    return _table(heads, rows)


def pairs() -> list[str]:
    """Return the interval of the difference, with other and with the same numbers."""
    rows = [
        [str(n), *(interval_text(runs.differences(n, common)[2], 5) for common in (False, True))]
        for n in runs.STEPS
    ]
    return _table(
        ["runs at each setting", "different random numbers", "common random numbers"], rows
    )


def narrower() -> float:
    """Return how many times the same numbers make the interval of the difference narrower."""
    other, same = (runs.differences(runs.STEPS[-1], common)[2][1] for common in (False, True))
    return other / same


TABLES = {"one-by-one": one_by_one, "starts": starts, "widths": widths, "pairs": pairs}
WORDS = {
    "published": lambda: f"{runs.batches_per_s()[0][1]:.4f}",
    "dearer": lambda: f"{runs.batches_per_s()[2][1]:.4f}",
    "exact": lambda: f"{runs.exact_s():.2f}",
    "coverage": lambda: f"{runs.count_covering()} of {runs.COVERED}",
    "runs-other": lambda: str(runs.runs_to_tell(False)),
    "runs-same": lambda: str(runs.runs_to_tell(True)),
    "narrower": lambda: f"{narrower():.0f}",
    "second-other": lambda: interval_text(runs.second_server(False), 2),
    "second-same": lambda: interval_text(runs.second_server(True), 2),
}


class Word(SphinxRole):
    """A number of the page."""

    def run(self):
        return [nodes.Text(WORDS[self.text]())], []


class Table(MarkdownLines):
    """A table of the page."""

    required_arguments = 1

    def run(self):
        return self.parse_lines(TABLES[directives.choice(self.arguments[0], tuple(TABLES))]())


class Compare(SphinxDirective):
    """Two settings of a case, for the reader to compare."""

    required_arguments = 3

    def run(self):
        case, parameter, factor = self.arguments
        return [nodes.raw("", comparison_html(case, parameter, float(factor)), format="html")]


def setup(app) -> dict:
    """Register role and directives."""
    app.add_role("runs", Word())
    app.add_directive("runs-table", Table)
    app.add_directive("compare", Compare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
