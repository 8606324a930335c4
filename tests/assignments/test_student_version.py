"""The student version holds no answer."""

import json
import re

import pytest

from assignments.draws import hidden_cases
from tests.assignments.submissions import (
    BUILT,
    CHAPTERS,
    notebook,
    source,
    source_notebook,
)
from tunables.page.chapters import find_chapter

MARKS = ("SOLUTION", "hidden=True", "hidden_cases", "BEGIN TEST", "Rubric", "theory")


def answer_lines(chapter) -> set[str]:
    """Return the lines of the source's solutions that stand nowhere else in it."""
    inside, secret, open_to_all = False, [], []
    for cell in source_notebook(chapter)["cells"]:
        text = source(cell)
        if cell["cell_type"] == "raw":
            inside = text.startswith("# BEGIN SOLUTION") or (
                inside and not text.startswith("# END SOLUTION")
            )
            continue
        lines = [line.strip() for line in text.split("\n") if len(line.strip()) > 7]
        if inside and cell["cell_type"] == "markdown":
            secret += lines
        elif inside and "# BEGIN SOLUTION" in text:
            start = lines.index("# BEGIN SOLUTION")
            secret += lines[start + 1 : lines.index("# END SOLUTION")]
            open_to_all += lines[:start]
        elif inside:
            secret += [line for line in lines if line.endswith("# SOLUTION")]
            open_to_all += [line for line in lines if not line.endswith("# SOLUTION")]
        else:
            open_to_all += lines
    plain = {line.removesuffix("# SOLUTION").strip() for line in secret}
    return plain - set(open_to_all)


def drawn_numbers(chapter) -> set[str]:
    """Return the numbers of six digits or more of the hidden cases, as they are written there."""
    text = (BUILT / chapter / "solutions" / "hidden_cases.json").read_text(encoding="utf-8")
    numbers = re.findall(r"\d+\.\d+", text)
    return {number for number in numbers if len(number.replace(".", "").strip("0")) >= 6}


def found_in(view, chapter) -> set[str]:
    """Return what a student must not read, of all that one version of the notebook holds."""
    text = json.dumps(notebook(chapter, view), ensure_ascii=False)
    cells = [source(cell) for cell in notebook(chapter, view)["cells"]]
    typed = "\n".join(cells) + "\n".join(
        notebook(chapter, view)["metadata"]["otter"]["tests"].values()
    )
    return (
        {mark for mark in MARKS if mark in text}
        | {line for line in answer_lines(chapter) if line in typed}
        | {number for number in drawn_numbers(chapter) if number in text}
    )


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_search_finds_the_answers_where_they_are(chapter):
    assert len(answer_lines(chapter)) > 12
    assert len(drawn_numbers(chapter)) > 7
    found = found_in("solutions", chapter)
    assert answer_lines(chapter) <= found
    assert {"SOLUTION", "hidden=True", "hidden_cases", "Rubric"} <= found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_student_version_holds_none_of_them(chapter):
    assert found_in("student", chapter) == set()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_students_get_one_notebook_that_was_never_run(chapter):
    files = [path.name for path in (BUILT / chapter / "student").rglob("*")]
    assert files == [f"{chapter}.ipynb"]
    for cell in notebook(chapter, "student")["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_solutions_were_run_and_every_check_passed(chapter):
    for cell in notebook(chapter, "solutions")["cells"]:
        if cell["cell_type"] == "code" and "grader.check" in source(cell):
            [output] = cell["outputs"]
            text = "".join(output["data"]["text/plain"])
            assert "All test cases passed!" in text
            assert "failed" not in text


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_seed_makes_the_hidden_cases(chapter):
    drawn = hidden_cases(chapter, 7)
    slug = find_chapter(chapter).slug
    assert json.dumps(drawn) == json.dumps(hidden_cases(slug, 7))
    other = hidden_cases(chapter, 8)
    assert drawn.keys() == other.keys()
    for name, cases in drawn.items():
        assert cases != other[name]
        assert len({json.dumps(given) for given, _ in cases}) > 1, f"{name}: all cases the same"


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="chapter = '99-none': must be one of 1 "):
        hidden_cases("99-none", 1)
    with pytest.raises(ValueError, match=r"seed = 1.5: must be a whole number"):
        hidden_cases(CHAPTERS[0], 1.5)
