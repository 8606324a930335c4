"""Exams: the same secret draws the same, another draws another; no page shows their kinds."""

import csv
import io
import math
import re
from xml.etree import ElementTree

import pytest

from tunables.base.units import UNITS, unit_factor
from tunables.cli import main
from tunables.core.exam import Quantity, round_as_printed
from tunables.core.registry import chapters_with, find_exam
from tunables.page.problem import TOLERANCE, check_answer, kinds
from tunables.views.classroom import Student
from tunables.views.exam import exam, exam_file, exam_sheets


@pytest.mark.parametrize("chapter", chapters_with("exam"))
def test_an_exam_has_each_kind_once_and_only_the_secret_draws_it(chapter):
    questions = exam(chapter, "heron")
    assert [question.kind for question in questions] == list(find_exam(chapter))
    assert questions == exam(chapter, " heron ")
    assert questions[:3] == exam(chapter, "heron", 3)
    assert len({question.question for question in exam(chapter, "heron", 12)}) == 12
    assert not {q.question for q in questions} & {q.question for q in exam(chapter, "crane")}
    for question in questions:
        assert "{" not in question.question
        assert "e-" not in question.question
        assert math.isfinite(question.answer)
        assert question.answer > 0
    known = find_exam(chapter)
    assert len(known) >= 3
    assert all(question.method for question in known.values())
    assert not set(known) & set(kinds(chapter))


@pytest.mark.parametrize("chapter", chapters_with("exam"))
def test_numbers_are_those_of_paper_and_not_of_a_computer(chapter):
    for question in exam(chapter, "heron", 40):
        assert not re.search(r"\b0\.00", question.question), question.question
        assert not re.search(r"\d,\d{3},\d{3},\d{3}", question.question), question.question
        assert not re.search(r"[\d.]+ (?:bits|bytes) per second", question.question)
        in_seconds = re.findall(r"(\S+) s\b", question.question)
        assert all(float(number.replace(",", "")) >= 1 for number in in_seconds), question.question
        if question.unit in ("s", "ms", "µs", "kB/s", "MB/s", "kB", "MB"):
            assert question.answer >= 1


@pytest.mark.parametrize("chapter", chapters_with("exam"))
def test_a_variant_has_the_same_kinds_in_another_order_and_no_number_of_the_other(chapter):
    a, b = exam(chapter, "heron"), exam(chapter, "heron", variant="B")
    assert exam(chapter, "heron", variant="a") == a
    kinds_a, kinds_b = [q.kind for q in a], [q.kind for q in b]
    assert kinds_b == [*kinds_a[1:], kinds_a[0]]
    assert not {q.question for q in a} & {q.question for q in b}


def test_the_central_question_of_a_chapter_is_in_its_exam():
    """What the lesson's board shows: held-back commits, a load that stays, order of a scan."""
    central = {
        1: {"held back"},
        2: {"three roots"},
        3: {"growth", "there and back", "new order"},
        4: {"priority"},
        5: {"window in use", "slowest stage"},
        6: {"first rule", "one long turn"},
        7: {"equals"},
        8: {"copies", "least delay"},
    }
    for chapter, kinds_of_it in central.items():
        assert kinds_of_it <= {question.kind for question in exam(chapter, "heron")}


@pytest.mark.parametrize("chapter", chapters_with("exam"))
def test_an_answer_is_checked_like_that_of_a_problem(chapter):
    for question in exam(chapter, "heron"):
        typed = f"{question.answer!r} {question.unit if question.unit in UNITS else ''}"
        assert check_answer(question, typed)[0] == "right"
        assert check_answer(question, repr(question.answer * 1.2))[0] == "wrong"
        assert question.tolerance == (0 if isinstance(question.answer, int) else TOLERANCE)


def printed(*given, **options) -> str:
    """Return an exam's file, which is a text."""
    made = exam_file(*given, **options)
    assert isinstance(made, str)
    return made


QUANTITY = re.compile(r"(\d[\d,]*(?:\.\d+)?)(%| (?:ms|µs|s|[kM]?B|[kMG]?b/s|per million)\b)?")
SI = {"%": 0.01, "per million": 1e-6, "kB": 1.0, "B": 1.0}


def si(number: str, unit: str) -> float:
    unit = unit.strip()
    base = "b/s" if unit.endswith("b/s") else "s"
    size = SI.get(unit) or (unit_factor(unit, base) if unit else 1)
    return float(number.replace(",", "")) * size


def numbers(text: str) -> list[float]:
    """Return the numbers of a text, in its order, in SI units."""
    return [si(*found) for found in QUANTITY.findall(text)]


def bytes_in_overflow_pages(page, payload):
    """Take full overflow pages away until what is left fits into the leaf."""
    least, full = 32 * (page - 12) // 255 - 23, page - 4
    kept = payload
    while kept - full >= least:
        kept -= full
    return payload - (kept if kept <= page - 35 else least)


@pytest.mark.parametrize(
    ("chapter", "kind", "second_way"),
    [
        (1, "held back", lambda a, t, b, k, r: (r - a * t - b) / k),
        (1, "think time", lambda n, x, r: n / x - r),
        (1, "closed", lambda n, delay, flush: n / (delay + flush)),
        (2, "attempts", lambda p, retries: (1 - p ** (retries + 1)) / (1 - p)),
        (3, "growth", lambda before, room, hit, miss, after: after * miss - before * hit),
        (3, "there and back", lambda n, hit, miss, t: (n * miss - t) / (miss - hit)),
        (3, "new order", lambda n, c: c + (n - c) * math.log(1 - c / n)),
        (3, "scan, opt", lambda n, room: (room - 1) / (n - 1)),
        (3, "cycle time", lambda n, h, hit, miss: n * (miss - h * (miss - hit))),
        (5, "window in use", lambda rtt, rate: rate * rtt / 8),
        (5, "slowest stage", lambda a, b, c, x, t: t * x / (min(a, b, c) - x)),
        (5, "bandwidth-delay product", lambda rate, rtt: rate / 8 * rtt),
        (5, "reno", lambda rtt, p, size: size / rtt * math.sqrt(3 / (2 * p))),
        (6, "one long turn", lambda n, t, long: (n * t * t + long * long) / (n * t + long) / 2),
        (6, "run", lambda g, quantum, cost: g * (math.floor(quantum / cost / g) + 1)),
        (7, "leaf", bytes_in_overflow_pages),
        (7, "huge", lambda u, _, q, s: (u - 4) / (1000 * q + s * u)),
        (7, "equals", lambda b, f, n, u, q, s: f + n * q + s * n * u / 1000 - b),
        (8, "fan-out", lambda n, p: -math.expm1(n * math.log1p(-p))),
        (8, "two copies, one later", lambda s1, s2, c: c * s1 + (1 - c) * s1 * s2),
    ],
)
def test_an_answer_follows_from_the_numbers_that_are_printed(chapter, kind, second_way):
    for question in exam(chapter, "heron", 40):
        if question.kind == kind:
            expected = second_way(*numbers(question.question)[: second_way.__code__.co_argcount])
            expected *= unit_factor(*answer_unit(chapter, question.unit))
            assert question.answer == pytest.approx(expected, rel=1e-9)


def answer_unit(chapter: int, unit: str) -> tuple[str, str]:
    """Return the SI unit of an answer, and the unit that it is asked for in."""
    if unit in ("s", "ms", "µs"):
        return "s", unit
    if unit.endswith("B/s"):
        return "b/s", unit.replace("B", "b")  # bytes per second are no unit of their own here
    return ("B", unit) if chapter == 5 else ("", unit)  # chapter 7 gives its costs in kB


def test_numbers_are_printed_to_four_digits_and_counts_whole():
    assert round_as_printed({"rate": 123456.0, "users": 12345, "sizes": [0.0123456]}) == {
        "rate": 123500.0,
        "users": 12345,
        "sizes": [0.01235],
    }


def test_forms_of_a_quantity():
    assert [f"{Quantity(x):time}" for x in (0, 12.5, 0.4, 2e-6, 3e-10)] == [
        *("0 s", "12.5 s", "400 ms", "2 µs", "0.3 ns")
    ]
    assert f"{Quantity(0.5):share} {Quantity(1e-5):share} {Quantity(288000):bytes}" == (
        "50% 10 per million 288 kB"
    )


def test_the_sheet_keeps_its_answers_back_until_they_are_asked_for(capsys):
    sheets = exam_sheets(3, "heron")
    for form in ("md", "html"):
        assert "Answers" not in printed(sheets, form)
        assert "Answers" in printed(sheets, form, with_answer=True)
        assert "Method" not in printed(sheets, form)
    assert printed(sheets, with_answer=True).startswith(printed(sheets).rstrip())
    assert "Variant A · 36 minutes · 24 points" in printed(sheets)
    assert main(["exam", "3", "--secret", "heron", "--format", "csv", "--answer"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["answer"]) for row in rows] == [q.answer for q in exam(3, "heron")]
    for arguments, sentence in (
        (["3", "--secret", ""], "secret = '': must be a secret word of your own"),
        (["3", "--secret", "x", "--questions", "0"], "questions = 0: must be"),
        (["9", "--secret", "x"], "chapter = '9': must be one of 1 "),
        (["3", "--secret", "x", "--variant", ""], "variant = '': must be a letter"),
        (
            ["3", "--secret", "x", "--variant", "B", "--roster", "r"],
            "variant or roster: use one of them, not both",
        ),
        (
            ["3", "--secret", "x", "--format", "qti"],
            "format qti makes a zip: use --output to name the file",
        ),
    ):
        assert main(["exam", *arguments]) == 2
        assert sentence in capsys.readouterr().err


def test_every_chapter_with_homework_has_an_exam():
    assert {*chapters_with("homework")} <= {*chapters_with("exam")}


def test_each_student_of_a_roster_has_numbers_of_their_own(tmp_path, capsys):
    (tmp_path / "class.csv").write_text("id,name\ns1,Ada_*Li*\ns2,Bob\n")
    given = ["exam", "3", "--secret", "heron", "--roster", str(tmp_path / "class.csv")]
    assert main(given) == 0
    first, second = capsys.readouterr().out.split("# Exam: ")[1:]
    assert r"Ada\_\*Li\* (s1) · " in first
    assert not {*re.findall(r"^\d\. .*", first, re.M)} & {*re.findall(r"^\d\. .*", second, re.M)}
    assert main([*given, "--format", "html"]) == 0
    assert capsys.readouterr().out.count('<section class="sheet">') == 2
    sheets = exam_sheets(3, "heron", students=[Student("s1", "Ada"), Student("s2", "")])
    assert printed(sheets, "csv").splitlines()[0].startswith("for,number,kind")


def test_moodle_and_canvas_draw_one_of_each_kind_for_four_points():
    text = printed(exam_sheets(3, "heron", 12), "moodle")
    quiz = ElementTree.fromstring(text)
    places = [one.text for one in quiz.iterfind("question/category/text")]
    assert places == [f"$course$/top/Tunables/Exam/Chapter 3/{kind}" for kind in find_exam(3)]
    asked = quiz.findall("question[@type='numerical']")
    assert len(asked) == 12
    assert {one.findtext("defaultgrade") for one in asked} == {"4"}
    assert isinstance(exam_file(exam_sheets(3, "heron"), "qti"), bytes)
