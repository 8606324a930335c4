"""The practice box in Jupyter, exercises in a chapter, and handouts for a class."""

import csv
import io
import json
import re
from html import unescape

import pytest

from tests.views.asked import ask_view
from tunables.cli import main
from tunables.page.chapters import with_facet
from tunables.page.problem import kinds, make_problem
from tunables.views.classroom import class_problems, counted_sheets, handout
from tunables.views.practice import exercise, practice


def test_another_problem_is_shown_and_an_answer_checked():
    box = practice(3)
    assert box.problem == box._first
    box.show_problem("zigzag", "S12345")
    assert box.entries == {"problem.3": "zigzag.s12345"}
    assert box.problem == make_problem(3, "s12345", "zigzag")
    asked = {"kind": "zigzag", "seed": "s12345"}
    assert ask_view(box, asked)["question"] == box.problem.question
    right = ask_view(box, asked | {"answer": str(box.problem.answer)})
    assert right["verdict"] == "right"
    assert "is not a number" in ask_view(box, asked | {"answer": "late"})["refusal"]
    with pytest.raises(ValueError, match="seed = 'two words'"):
        box.show_problem("zigzag", "two words")
    box.show_problem(box._first.kind, box._first.seed)
    assert box.entries == {}


def test_the_markup_holds_problem_and_steps_without_scripts():
    html = practice(4, kind="bound-users", seed=9)._repr_mimebundle_()["text/html"]
    problem = make_problem(4, 9, "bound-users")
    text = unescape(re.sub(r"<script.*?</script>|<[^>]+>", " ", html))
    for part in (problem.question, *problem.steps, "enable JavaScript"):
        assert part in text
    shown = exercise(4, "bound-users", 9)._repr_mimebundle_()
    assert problem.question in unescape(shown["text/html"])
    assert problem.steps[-1] in shown["text/plain"]


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind = 'nothing'"):
        practice(3, kind="nothing")
    with pytest.raises(ValueError, match="chapter = 0"):
        practice(0)


@pytest.mark.parametrize("chapter", with_facet("problems"))
def test_sixty_students_get_sixty_different_problems(chapter):
    for kind in (None, *kinds(chapter)):
        problems = class_problems(chapter, 1, 60, kind)
        assert len({problem.question for problem in problems}) == 60


def test_a_class_gets_its_key_in_every_format():
    problems = counted_sheets(2, 5, 3)
    records = json.loads(handout(problems, "json", with_answer=True))
    rows = list(csv.DictReader(io.StringIO(handout(problems, "csv", with_answer=True))))
    assert [row["question"] for row in rows] == [record["question"] for record in records]
    assert [float(row["answer"]) for row in rows] == [record["answer"] for record in records]
    sheet = handout(problems, "md", with_answer=True)
    questions, key = sheet.split("## Answer key")
    for record in records:
        assert record["answer_text"] in key
        assert record["question"] in questions
        assert record["steps"][-1] not in questions
    assert "Answer key" not in handout(problems, "md")
    assert "answer" not in json.loads(handout(problems, "json"))[0]
    assert "Answer:" not in handout(problems)


def test_the_command_line_prints_a_problem_and_refuses_in_one_sentence(capsys):
    assert main(["problem", "3", "--kind", "zigzag", "--seed", "7", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["question"] == make_problem(3, 7, "zigzag").question
    assert main(["problem", "3", "--seed", "7", "--answer"]) == 0
    assert "\nAnswer: " in capsys.readouterr().out
    for arguments, sentence in (
        (["9"], "chapter = '9': must be one of 1 "),
        (["3", "--kind", "no"], "kind = 'no': must be one of"),
        (["3", "--seed", "x.y"], "seed = 'x.y': must be"),
        (["3", "--students", "0"], "students = 0: must be"),
        (["3", "--students", "2", "--seed", "s1"], "seed of the first student = 's1': must be"),
        (["3", "--seed", f"{10**15}"], "seed = '1000000000000000': must be a whole number from 0"),
    ):
        assert main(["problem", *arguments]) == 2
        assert sentence in capsys.readouterr().err
