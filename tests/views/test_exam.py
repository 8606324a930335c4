"""Exams: the same secret draws the same, another draws another; no page shows their kinds."""

import csv
import io
import math
import re

import pytest

from tunables.base.units import UNITS
from tunables.cli import main
from tunables.core.exam import round_as_printed
from tunables.core.registry import chapters_with, find_exam
from tunables.page.problem import TOLERANCE, check_answer, kinds
from tunables.views.exam import exam, exam_sheet


@pytest.mark.parametrize("chapter", chapters_with("exam"))
def test_a_chapter_has_twelve_questions_that_only_the_secret_draws(chapter):
    questions = exam(chapter, "heron")
    assert len({question.question for question in questions}) == 12
    assert questions == exam(chapter, " heron ")
    assert questions[:5] == exam(chapter, "heron", 5)
    assert not {q.question for q in questions} & {q.question for q in exam(chapter, "crane")}
    for question in questions:
        assert "{" not in question.question
        assert "e-" not in question.question
        assert math.isfinite(question.answer)
        assert question.answer > 0
    known = find_exam(chapter)
    assert len(known) >= 3
    assert not set(known) & set(kinds(chapter))


@pytest.mark.parametrize("chapter", chapters_with("exam"))
def test_an_answer_is_checked_like_that_of_a_problem(chapter):
    for question in exam(chapter, "heron"):
        typed = f"{question.answer!r} {question.unit if question.unit in UNITS else ''}"
        assert check_answer(question, typed)[0] == "right"
        assert check_answer(question, repr(question.answer * 1.2))[0] == "wrong"
        assert question.tolerance == (0 if isinstance(question.answer, int) else TOLERANCE)


def numbers(text: str) -> list[float]:
    """Return the numbers of a text, in its order."""
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


@pytest.mark.parametrize(
    ("chapter", "kind", "second_way"),
    [
        (1, "think time", lambda n, x, r: n / x - r),
        (1, "closed", lambda n, delay, flush: n / (delay + flush)),
        (2, "attempts", lambda p, retries: (1 - p ** (retries + 1)) / (1 - p)),
        (3, "scan, opt", lambda n, room: (room - 1) / (n - 1)),
        (3, "cycle time", lambda n, h, hit, miss: n * (miss - h * (miss - hit))),
        (5, "bandwidth-delay product", lambda rate, rtt: rate / 8 * rtt),
        (5, "reno", lambda rtt, p, size: size / rtt * math.sqrt(3 / (2 * p))),
        (6, "run", lambda g, quantum, cost: g * (math.floor(quantum / cost / g) + 1)),
    ],
)
def test_an_answer_follows_from_the_numbers_that_are_printed(chapter, kind, second_way):
    for question in exam(chapter, "heron", 40):
        if question.kind == kind:
            expected = second_way(*numbers(question.question)[: second_way.__code__.co_argcount])
            assert question.answer == pytest.approx(expected, rel=1e-9)


def test_numbers_are_printed_to_four_digits_and_counts_whole():
    assert round_as_printed({"rate": 123456.0, "users": 12345, "sizes": [0.0123456]}) == {
        "rate": 123500.0,
        "users": 12345,
        "sizes": [0.01235],
    }


def test_the_sheet_keeps_its_answers_back_until_they_are_asked_for(capsys):
    assert "Answers\n" not in exam_sheet(3, "heron")
    assert exam_sheet(3, "heron", with_answer=True).startswith(exam_sheet(3, "heron").rstrip())
    assert main(["exam", "3", "--secret", "heron", "--format", "csv", "--answer"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["answer"]) for row in rows] == [q.answer for q in exam(3, "heron")]
    for arguments, sentence in (
        (["3", "--secret", ""], "secret = '': must be a secret word of your own"),
        (["3", "--secret", "x", "--questions", "0"], "questions = 0: must be"),
        (["9", "--secret", "x"], "chapter = '9': must be one of 1 "),
    ):
        assert main(["exam", *arguments]) == 2
        assert sentence in capsys.readouterr().err


def test_every_chapter_with_homework_has_an_exam():
    assert chapters_with("exam") == chapters_with("homework")
