"""The practice box in Jupyter, exercises in a chapter, and handouts for a class."""

import csv
import io
import json
import re
from html import unescape

import pytest

from tunables.cli import main
from tunables.problems.problem import CHAPTERS, make_problem
from tunables.reader.handout import class_problems, handout
from tunables.reader.practice import exercise, practice


def test_the_widgets_show_another_problem_and_check_an_answer():
    box = practice(3)
    box._kind.value = "late"
    assert box.problem.kind == "late"
    box._seed.value = 17
    assert box.problem == make_problem(3, 17, "late")
    assert box.problem.question in unescape(box._question.value)
    box._answer.value = "1 s"
    assert "Wrong: too low" in box._verdict.value
    assert box.check(str(box.problem.answer)) == "right"
    assert box.check("late") == "refused"
    assert "is not a number" in unescape(box._verdict.value)
    box.show_problem("zigzag", 2)
    assert (box._kind.value, box._seed.value, box._answer.value) == ("zigzag", 2, "")


def test_the_buttons_draw_and_check():
    box = practice(6, kind="gather", seed=4)
    new = box.children[0].children[2]
    before = {box.problem.question}
    for _ in range(4):
        new.click()
        before.add(box.problem.question)
    assert len(before) > 1
    assert box.problem.kind == "gather"
    box.children[2].children[1].click()
    assert "no number yet" in box._verdict.value


def test_the_markup_holds_problem_and_steps_without_scripts():
    html = practice(4, kind="bound-users", seed=9)._repr_mimebundle_()["text/html"]
    problem = make_problem(4, 9, "bound-users")
    text = unescape(re.sub(r"<script.*?</script>|<[^>]+>", " ", html))
    for part in (problem.question, *problem.steps, "with scripts on"):
        assert part in text
    shown = exercise(4, "bound-users", 9)._repr_mimebundle_()
    assert problem.question in unescape(shown["text/html"])
    assert problem.steps[-1] in shown["text/plain"]


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind = 'nothing'"):
        practice(3, kind="nothing")
    with pytest.raises(ValueError, match="chapter = 0"):
        practice(0)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_sixty_students_get_sixty_different_problems(chapter):
    for kind in (None, *CHAPTERS[chapter].KINDS):
        problems = class_problems(chapter, 1, 60, kind)
        assert len({problem.question for problem in problems}) == 60


def test_a_class_gets_its_key_in_every_format():
    problems = class_problems(2, 5, 3)
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
        (["9"], "chapter = 9: must be"),
        (["3", "--kind", "no"], "kind = 'no': must be one of"),
        (["3", "--seed", "x"], "seed = 'x': must be"),
        (["3", "--students", "0"], "students = 0: must be"),
        (["3", "--students", "1", "--seed", "1000000"], "seed = 1000000: must be"),
    ):
        assert main(["problem", *arguments]) == 2
        assert sentence in capsys.readouterr().err
