"""Whatever seed a teacher takes, the hidden cases judge alike; without otter, so for many seeds."""

import ast
import json
import re
import sys
from inspect import signature
from types import SimpleNamespace

import pytest

from assignments.draws import hidden_cases
from assignments.hidden_cases import TOLERANCE, agree
from tests.assignments.submissions import CHAPTERS, WRONG, answers, source, source_notebook
from tunables.page import problem

SEEDS = [range(2), pytest.param(range(2, 20), marks=pytest.mark.long)]
HIDDEN = re.compile(r"hidden: true\npoints: (\d+)")


def solution_names(chapter) -> tuple[dict, list]:
    """Return the names that the solutions define, and (question, points, hidden test) of each."""
    names: dict = {}
    tests = []
    question = ""
    for cell in source_notebook(chapter)["cells"]:
        text = source(cell)
        begins = re.match(r"# BEGIN QUESTION\nname: (\w+)", text)
        question = begins[1] if begins else question
        hidden = HIDDEN.search(text)
        if hidden:
            scope: dict = {}
            exec(text, scope)
            [name] = [node.name for node in ast.parse(text).body if hasattr(node, "name")]
            tests.append((question, int(hidden[1]), scope[name]))
        elif cell["cell_type"] == "code" and "TEST CONFIG" not in text:
            exec(text, names)
    return names, tests


def lost_points(names, tests) -> dict:
    """Return the points lost, by question, of those that lose any."""
    points: dict = {}
    for question, worth, test in tests:
        try:
            test(*[names[name] for name in signature(test).parameters])
        except AssertionError:
            points[question] = points.get(question, 0) + worth
    return points


@pytest.fixture
def draw(monkeypatch):
    """Return the function that puts a chapter's cases of a seed where the hidden tests look."""

    def use(chapter, seed):
        drawn = json.loads(json.dumps(hidden_cases(chapter, seed)))

        def check(name, function):
            for arguments, answer in drawn[name]:
                assert agree(function(*arguments.values()), answer)

        monkeypatch.setitem(sys.modules, "hidden_cases", SimpleNamespace(check=check))

    return use


@pytest.mark.sampled
@pytest.mark.parametrize("seeds", SEEDS, ids=["few", "others"])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_seed_judges_the_same_answers_alike(draw, chapter, seeds):
    names, tests = solution_names(chapter)
    wrong = {}
    for kind in WRONG:
        loses, functions = answers(chapter, kind)
        wrong[kind] = loses, dict(names)
        for text in functions.values():
            exec(text, wrong[kind][1])
    for seed in seeds:
        draw(chapter, seed)
        assert lost_points(names, tests) == {}, f"seed {seed}"
        for kind, (loses, spoilt) in wrong.items():
            assert lost_points(spoilt, tests) == loses, f"seed {seed}, {kind}"


def test_measures_agree_within_the_tolerance_and_counts_exactly():
    assert problem.TOLERANCE == TOLERANCE
    assert agree(100 * (1 + 0.9 * TOLERANCE), 100.0)
    assert not agree(100 * (1 + 1.1 * TOLERANCE), 100.0)
    assert agree(5000.0, 5000)
    assert not agree(5001, 5000)
    assert agree((1.0, "apply"), [1.0, "apply"])
    assert not agree([1.0], [1.0, 2.0])
    assert agree(float("inf"), float("inf"))
    assert not agree(1e300, float("inf"))
    assert not agree(float("nan"), 1.0)
