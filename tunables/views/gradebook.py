"""Marks on their way back: a filled gradebook, and a page of feedback for each student."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from tunables.base.arguments import finite, number, text
from tunables.base.numbers_as_text import significant
from tunables.views import moodle
from tunables.views.classroom import Student, read_roster_rows
from tunables.views.html_page import html_page
from tunables.views.safe_text import as_cell, one_line


class Mark(NamedTuple):
    """A student's points, None where they are not known yet, and a comment in one line."""

    points: float | None
    comment: str = ""


class MarkedQuestion(NamedTuple):
    """A question as feedback shows it: heading, points, points possible, why some are lost."""

    heading: str
    points: float
    possible: float
    why: str = ""


def points_as_text(points: float) -> str:
    """Return points to at most two decimals.

    >>> points_as_text(12.0), points_as_text(0.125)
    ('12', '0.13')
    """
    return significant(round(finite("points", points) + 1e-9, 2), 12).replace(",", "")


def _fill_worksheet(cells: list[str], columns: Mapping[str, int], mark: Mark) -> None:
    cells[columns[moodle.GRADE]] = points_as_text(mark.points or 0)
    if mark.comment and moodle.COMMENTS in columns:
        cells[columns[moodle.COMMENTS]] = str(as_cell(mark.comment))


def _check_maximum(cells: list[str], columns: Mapping[str, int], possible: float) -> None:
    text = cells[columns[moodle.MAXIMUM]] if moodle.MAXIMUM in columns else ""
    try:
        same = not text or float(text.replace(",", ".")) == possible
    except ValueError:
        same = False
    if not same:
        raise ValueError(
            f"the worksheet's Maximum Grade is {text}, but there are {points_as_text(possible)} "
            f"points: set the maximum grade of Moodle's assignment to {points_as_text(possible)}, "
            "and download the worksheet again"
        )


def gradebook(
    roster: str | Path, marks: Mapping[str, Mark], possible: float, column: str = "points"
) -> str:
    """Return a roster's CSV with the points in it; marks are by the students' ids.

    Moodle's grading worksheet has its columns Grade and Feedback comments filled, for the upload of
    the same assignment. Any other roster has the column `column`, added if it has none. A student
    without a mark, or with one that is not known yet, keeps the row as it is, and all other cells
    stay as they came: only what is written here is made safe for a spreadsheet. possible: the
    points that a student can have. Raises ValueError as `read_roster` does, for a roster that has
    `column` twice, and for a worksheet whose maximum grade differs from `possible`.
    """
    possible = number("possible", possible, at_least=0)
    column = text("column", column)
    found = read_roster_rows(roster)
    worksheet = moodle.is_worksheet(found.columns)
    if found.headings.count(column) > 1:
        raise ValueError(f"roster = {str(roster)!r}: must have exactly one column named {column}")
    adds = not worksheet and column not in found.headings
    at = len(found.headings) if adds or worksheet else found.headings.index(column)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*found.headings, *([as_cell(column)] if adds else [])])
    for student, row in found.rows.values():
        mark = marks.get(student.id, Mark(None))
        cells = [*row[:at], "", *row[at:]] if adds else [*row]
        if worksheet:
            _check_maximum(cells, found.columns, possible)
            if mark.points is not None:
                _fill_worksheet(cells, found.columns, mark)
        elif mark.points is not None:
            cells[at] = points_as_text(mark.points)
        writer.writerow(cells)
    return stream.getvalue()


_STYLE = (
    "body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 Georgia,serif;"
    "color:#1c1f24;background:#fff}h1,h2{font-family:system-ui,sans-serif;line-height:1.2}"
    "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-bottom:.2rem}p{margin:.2rem 0;"
    "overflow-wrap:anywhere}.total{font-size:1.2rem}footer{margin-top:2rem;color:#474c54}"
)


def _question(one: MarkedQuestion) -> str:
    points = f"{points_as_text(one.points)} of {points_as_text(one.possible)} points"
    why = one_line(one.why) or ("All correct." if one.points >= one.possible else "")
    reasons = re.split(r" (?=Loses \d)", why)  # the grader's, each in a line of its own
    shown = "".join(f"<p>{escape(reason)}</p>" for reason in filter(None, reasons))
    return f"<section><h2>{escape(one.heading)} ({points})</h2>{shown}</section>"


def feedback_page(
    title: str, student: Student, questions: Sequence[MarkedQuestion], remark: str = ""
) -> str:
    """Return a page of HTML for one student: the points of each question, and why some are lost.

    remark: what holds for the work as a whole, such as a cell that was left out.

    >>> page = feedback_page("One", Student("s1", "Ada"), [MarkedQuestion("1. Add", 0, 2, "No.")])
    >>> "0 of 2 points" in page
    True
    """
    total = sum(one.points for one in questions)
    possible = sum(one.possible for one in questions)
    name = one_line(student.name or student.id)
    body = (
        f"<h1>{escape(title)}</h1>\n<p>{escape(name)}</p>\n"
        f'<p class="total"><strong>{points_as_text(total)} of {points_as_text(possible)} '
        "points</strong></p>\n"
        + (f"<p>{escape(one_line(remark))}</p>\n" if remark else "")
        + "\n".join(map(_question, questions))
    )
    return html_page(f"{title}: {name}", _STYLE, body) + "\n"
