"""One page with all answers to the open question, each beside its rubric, to mark in a row."""

import inspect
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from assignments.archive import Archive, OpenQuestion
from assignments.reasons import points_text
from tunables.views.html_page import html_page
from tunables.views.safe_text import legible

LONGEST_LINE = 2000  # characters of a line of an answer
_STYLE = """
body { max-width: 68rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Georgia, serif;
  color: #1c1f24; background: #fff; }
h1, h2, h3, footer { font-family: system-ui, sans-serif; line-height: 1.2; }
article { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2rem;
  border-top: 1px solid #8a8474; padding: .5rem 0 1rem; break-inside: avoid; }
article h3 { grid-column: 1 / -1; margin: .5rem 0; }
.answer { white-space: pre-wrap; overflow-wrap: break-word; }
.empty, .guess { color: #474c54; font-style: italic; }
ul { margin: 0; padding-left: 0; list-style: none; font-size: .9rem; }
li { padding-left: 1.6em; text-indent: -1.6em; margin-bottom: .3rem; }
li::before { content: "\\2610\\00a0\\00a0"; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } }
"""


class Answered(NamedTuple):
    """A student's notebook: whose, its code cells, and the answers to the open questions."""

    id: str
    name: str
    cells: list[str]
    answers: Mapping[str, str]


def _lines(text: str) -> str:
    return "\n".join(escape(legible(line, LONGEST_LINE)) for line in text.splitlines())


def _guess(archive: Archive, cells: Iterable[str]) -> str:
    """Return the lines in which a notebook gives the numbers that its first question asks for."""
    tests = next(iter(archive.tests.values()), [])
    names = [name for test in tests for name in inspect.signature(test.test_func).parameters]
    source = "\n".join(cells)
    found = [re.search(rf"^{re.escape(name)}\s*=.*$", source, re.MULTILINE) for name in names]
    return "; ".join(line[0] for line in found if line)


def _rubric(question: OpenQuestion) -> str:
    items = [f"<li>{points_text(points)}: {escape(why)}</li>" for points, why in question.rubric]
    return f"<ul>{''.join(items)}</ul>"


def _article(archive: Archive, name: str, one: Answered) -> str:
    who = " · ".join(filter(None, (one.name, one.id)))
    answer = one.answers.get(name, "")
    guess = _guess(archive, one.cells)
    shown = (
        f'<div class="answer">{_lines(answer)}</div>'
        if answer
        else '<p class="empty">Nothing is written below the question.</p>'
    )
    return (
        f"<article><h3>{escape(legible(who, LONGEST_LINE))}</h3><div>{shown}"
        + (f'<p class="guess">Guess in question 1: {_lines(guess)}</p>' if guess else "")
        + f"</div>{_rubric(archive.open_questions[name])}</article>"
    )


def _section(archive: Archive, name: str, answered: list[Answered]) -> str:
    question = archive.open_questions[name]
    heading = f"Question {name.removeprefix('q')}: {archive.headings.get(name, '')}"
    text = re.sub(r"^#+ .*\n+", "", question.text)
    return (
        f"<section><h2>{escape(heading)} ({points_text(question.points)})</h2>"
        f'<p class="answer">{_lines(text)}</p>'
        f"<details open><summary>A model answer</summary>"
        f'<p class="answer">{_lines(question.model_answer)}</p></details>'
        + "".join(_article(archive, name, one) for one in answered)
        + "</section>"
    )


def open_sheet(archive: Archive, answered: list[Answered]) -> str:
    """Return a page with every student's answers to the open questions, beside the rubric.

    Raises ValueError for an archive that holds no rubric.
    """
    archive.worth()
    columns = ", ".join(archive.by_hand)
    sections = "".join(_section(archive, name, answered) for name in archive.by_hand)
    title = f"{archive.name}: the open question"
    body = (
        f"<h1>{escape(title)}</h1>\n<p>{len(answered)} answers. Write the points into the column "
        f"{columns} of the grades, and a remark for the student into {columns}_why.</p>\n"
        f"{sections}"
    )
    return html_page(title, _STYLE, body) + "\n"
