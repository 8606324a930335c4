"""What must hold of every notebook of the book, whatever it is about."""

import json
import re

import pytest

from tests.chapters.notebooks import NOTEBOOKS, ROOT, cells, prose
from tunables.core.registry import cases as all_cases
from tunables.page.chapters import page_name, with_facet
from tunables.views.explorer import explore
from tunables.views.practice import Practice, exercise, practice

CHAPTERS = [path for path in NOTEBOOKS if path.parent.name == "chapters"]
WITH_PROBLEMS = [ROOT / f"chapters/{page_name(slug)}.ipynb" for slug in with_facet("problems")]
EVIDENCE = [path for path in NOTEBOOKS if path.parent.name == "evidence"]
# Of a chapter, in this order; it has others between them.
SECTIONS = (
    "Try it",
    "What to do",
    "Operator's card",
    "In short",
    "How far to trust it",
    "Exercises",
    "Practice",
    "References",
)
NEEDED = ("Try it", "In short", "How far to trust it", "References")
LABS = [path for path in NOTEBOOKS if path.parent.name == "labs"]
LAB_NAMES = {path.name for path in LABS}


def name(path):
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", CHAPTERS + EVIDENCE + LABS, ids=name)
def test_every_code_cell_was_executed_in_order_and_none_failed(path):
    code = [cell for cell in cells(path, "code") if cell["source"].strip()]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert outputs
    assert not [output for output in outputs if output["output_type"] == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_no_notebook_stores_widget_state_or_names_another_place(path):
    text = path.read_text(encoding="utf-8")
    assert "widgets" not in json.loads(text)["metadata"]
    assert str(ROOT) not in text
    assert not re.search(r"/(home|root|Users)/\w", text)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_asks_before_it_shows_a_formula_and_has_its_sections_in_order(path):
    parts = cells(path, "markdown", "code")
    asked = next(n for n, cell in enumerate(parts) if "guess(" in cell["source"])
    before = "".join(cell["source"] for cell in parts[:asked])
    assert "$$" not in before
    assert not re.search(r"\b(?:animation|diagram|explore)\(", before)  # each shows the answer
    text = prose(path)
    for part in ("You will be able to", "You need", "Time:", "{bibliography}"):
        assert part in text, part
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    known = [part for part in SECTIONS if part in sections]
    assert [part for part in sections if part in SECTIONS] == known  # in this order
    assert {*NEEDED} <= {*known}


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_ends_in_five_lines_that_hold_elsewhere(path):
    short = prose(path).split("\n## In short\n")[1].split("\n## ")[0]
    assert len(re.findall(r"^(?:[-*]|\d\.) ", short, re.MULTILINE)) == 5


@pytest.mark.parametrize("path", EVIDENCE, ids=name)
def test_a_chapter_and_its_evidence_link_to_each_other(path):
    assert f"../book/evidence/{path.name}" in prose(ROOT / "chapters" / path.name)
    assert f"../../chapters/{path.name}" in prose(path)


@pytest.mark.parametrize("path", WITH_PROBLEMS, ids=name)
def test_a_chapter_with_problems_has_exercises_and_their_solutions(path):
    text = prose(path)
    assert "## Exercises" in text
    exercises = re.findall(r"```\{exercise\}.*?:label: ([\w-]+)", text, re.DOTALL)
    solutions = re.findall(r"```\{solution\} ([\w-]+)\n:class: dropdown", text)
    computed = [cell for cell in cells(path, "code") if cell["source"].startswith("exercise(")]
    assert len(exercises) + len(computed) >= 5
    assert len(solutions) + len(computed) >= 4
    assert set(solutions) <= set(exercises)


@pytest.mark.parametrize("path", [path for path in CHAPTERS if path.name in LAB_NAMES], ids=name)
def test_a_chapter_and_its_lab_link_to_each_other(path):
    assert f"../labs/{path.name}" in prose(path)
    assert "../chapters/" in prose(ROOT / "labs" / path.name)


@pytest.mark.slow
def test_every_case_has_an_explorer_on_a_page_and_it_is_the_present_one():
    shown = {}
    for path in CHAPTERS:
        for cell in cells(path, "code"):
            for output in cell["outputs"]:
                html = "".join(output.get("data", {}).get("text/html", ""))
                for found in re.findall(r'id="explore-(\w+)"', html):
                    shown[found] = html
    assert set(shown) == set(all_cases())
    for case_name, html in shown.items():
        fresh = explore(case_name)._repr_mimebundle_()["text/html"]
        assert html == fresh, f"the page of {case_name} is out of date: run `make notebooks`"


@pytest.mark.parametrize("path", WITH_PROBLEMS, ids=name)
def test_it_has_a_practice_box_and_computed_exercises_and_they_are_the_present_ones(path):
    calls: list = []
    for cell in cells(path, "code"):
        if re.match(r"(exercise|practice)\(", cell["source"]):
            fresh = eval(cell["source"], {"exercise": exercise, "practice": practice})
            html = "".join(cell["outputs"][0]["data"]["text/html"])
            assert html == fresh._repr_mimebundle_()["text/html"], "run `make notebooks`"
            calls.append(fresh)
    assert sum(isinstance(fresh, Practice) for fresh in calls) == 1
    assert len(calls) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_no_caption_or_label_of_a_figure_shows_marks_of_markdown(path):
    """Inside HTML an asterisk or a backquote is only that."""
    figures = re.findall(r"<figure\b.*?</figure>|<svg\b.*?</svg>", prose(path), re.DOTALL)
    assert not [figure for figure in figures if re.search(r"[*`]", figure)]
