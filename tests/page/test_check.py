"""Answers as people type them, and what they are told."""

import json

import pytest

from tunables.page.check import check_answer
from tunables.page.practice import Page
from tunables.page.problem import make_problem
from tunables.plain.digits import significant
from tunables.plain.typed import typed_number

BASE = make_problem(1, 1, "two-caps")
TIME = BASE._replace(answer=8076.0, unit="ms", tolerance=0.01)
COUNT = BASE._replace(answer=12_500.0, unit="graphs", tolerance=0.001)
EXACT = BASE._replace(answer=21, unit="users", tolerance=0)
SHARE = BASE._replace(answer=4.0, unit="%", tolerance=0.01)
RATE = BASE._replace(answer=44.2, unit="1/s", tolerance=0.01)
BITS = BASE._replace(answer=6.75, unit="Mb/s", tolerance=0.01)
PLAIN = BASE._replace(answer=2.63, unit="", tolerance=0.01)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12,500", (12_500, "")),
        ("12 500", (12_500, "")),
        ("1\u202f234\u202f567.5", (1_234_567.5, "")),
        ("12'500 B", (12_500, "B")),
        ("12_500", (12_500, "")),
        ("1.2e4", (12_000, "")),
        ("1.2E+4 /s", (12_000, "/s")),
        ("1.2 × 10^4", (12_000, "")),
        ("1.2*10^-3 s", (0.0012, "s")),
        ("8.1 s", (8.1, "s")),
        ("8100ms", (8100, "ms")),
        ("4 %", (4, "%")),
        ("≈ 4%", (4, "%")),
        ("−3.5", (-3.5, "")),
        (".5", (0.5, "")),
    ],
)
def test_numbers_as_people_type_them(text, value):
    assert typed_number(text) == (pytest.approx(value[0]), value[1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no number yet"),
        ("   ", "no number yet"),
        ("nan", "is not a number"),
        ("infinity", "is not a number"),
        ("twice", "is not a number"),
        ("8.1.2", "is not a number"),
        ("--5", "is not a number"),
        ("e5", "is not a number"),
        ("²", "is not a number"),
        ("1e999", "is not a finite number"),
        ("12,5", "a comma sets thousands apart"),
        ("0,500", "a comma sets thousands apart"),
        ("1.234,5", "a comma sets thousands apart"),
        ("1,2e4", "a comma sets thousands apart"),
        ("9" * 61, "too long"),
        (None, "no number yet"),
    ],
)
def test_what_is_no_number_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        typed_number(text)


@pytest.mark.parametrize(
    ("problem", "text", "verdict"),
    [
        (TIME, "8,076", "right"),
        (TIME, "8.076 s", "right"),
        (TIME, "8076000 µs", "right"),
        (TIME, "8.1 s", "close"),
        (TIME, "8100 ms", "close"),
        (TIME, "8.076", "unit"),
        (TIME, "8076 s", "unit"),
        (TIME, "8.1", "unit"),
        (TIME, "8.2 s", "wrong"),
        (TIME, "4 seconds", "wrong"),
        (TIME, "0.1346 min", "right"),
        (TIME, "-8076", "wrong"),
        (TIME, "0", "wrong"),
        (COUNT, "12.5k", "right"),
        (COUNT, "12500 graphs", "right"),
        (COUNT, "12600", "wrong"),
        (EXACT, "21", "right"),
        (EXACT, "21 users", "right"),
        (EXACT, "21.01", "wrong"),
        (EXACT, "20", "wrong"),
        (SHARE, "4", "right"),
        (SHARE, "4 per cent", "right"),
        (SHARE, "0.04", "unit"),
        (RATE, "44.2/s", "right"),
        (RATE, "44.2 commits a second", "right"),
        (RATE, "44.2 jobs/s", "right"),
        (RATE, "2652 1/min", "right"),
        (BITS, "6.75 Mbps", "right"),
        (BITS, "843.75 kB/s", "right"),
        (BITS, "0.84375", "unit"),
        (PLAIN, "2.63 times", "right"),
        (PLAIN, "2.64", "close"),
    ],
)
def test_verdicts(problem, text, verdict):
    found, sentence = check_answer(problem, text)
    assert found == verdict
    assert sentence.endswith(".")
    if verdict in ("wrong", "unit"):  # a wrong answer is not told the right one
        assert significant(problem.answer) not in sentence


@pytest.mark.parametrize(
    ("problem", "text"),
    [(TIME, "8076 Mb/s"), (TIME, "8076 k"), (EXACT, "21 s"), (PLAIN, "2.63 ms"), (SHARE, "4 s")],
)
def test_a_unit_of_something_else_is_refused(problem, text):
    with pytest.raises(ValueError, match="does not fit: the number is asked for"):
        check_answer(problem, text)


def test_the_page_answers_in_json_and_refuses_in_a_sentence():
    page = Page(json.dumps({"chapter": 1}))

    def ask(**request):
        return json.loads(page.reply(json.dumps(request)))

    shown = ask(kind="two-caps", seed=1)
    assert shown["question"] == BASE.question
    assert ask(kind="two-caps", seed=1, answer=shown["answer"])["verdict"] == "right"
    assert "There is no number yet" in ask(kind="two-caps", seed=1, answer="")["refusal"]
    assert "kind = 'zigzag'" in ask(kind="zigzag", seed=1)["refusal"]
    assert "seed = ''" in ask(kind="two-caps", seed="")["refusal"]
