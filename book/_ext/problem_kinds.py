"""Sphinx extension: the directive `problem-kinds`, a table of the kinds of problems by effort."""

from markdown_lines import MarkdownLines

from tunables.page.chapters import find_chapter, with_facet
from tunables.page.problem import EFFORTS, kinds


def problem_kinds() -> list[str]:
    """Return the lines of a Markdown table: chapter, kind, title and effort of every problem."""
    lines = ["| Ch. | `--kind` | Title | Effort |", "|---|---|---|---|"]
    for slug in with_facet("problems"):
        by_effort = sorted(kinds(slug).items(), key=lambda item: item[1][2])
        for name, (title, _, effort) in by_effort:
            mark = "●" * effort + "○" * (max(EFFORTS) - effort)
            lines.append(f"| {find_chapter(slug).number} | `{name}` | {title} | {effort} {mark} |")
    return lines


def efforts() -> list[str]:
    """Return the lines of a Markdown list that says what the efforts mean."""
    return [f"- **{effort}**: {words}." for effort, words in EFFORTS.items()]


class ProblemKinds(MarkdownLines):
    """What the efforts mean, and all kinds of problems with theirs."""

    def run(self):
        return self.parsed([*efforts(), "", *problem_kinds()])


def setup(app) -> dict:
    """Register the directive."""
    app.add_directive("problem-kinds", ProblemKinds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
