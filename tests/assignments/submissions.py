"""Submissions as a student would hand them in, made from the student's notebook."""

import ast
import copy
import json
from functools import cache
from pathlib import Path

from tunables.page.chapters import page_name

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-grading" / "bin" / "python"
BUILT = ROOT / "_build" / "assignments"
ANSWERS = Path(__file__).parent / "answers"
CHAPTERS = sorted(path.stem for path in (ROOT / "assignments").glob("*.ipynb"))
WRONG = ("off_by_a_unit", "hard_coded", "wrong_formula")


@cache
def _read(path: Path) -> dict:
    assert path.exists(), f"{path} is not there: run `make assignments` first"
    return json.loads(path.read_text(encoding="utf-8"))


def notebook(chapter, view) -> dict:
    """Return a copy of the chapter's notebook: view is "student" or "solutions"."""
    return copy.deepcopy(_read(BUILT / chapter / view / f"{chapter}.ipynb"))


def source_notebook(chapter) -> dict:
    return _read(ROOT / "assignments" / f"{chapter}.ipynb")


def source(cell) -> str:
    return "".join(cell["source"])


def model_answers(chapter) -> str:
    """Return all text of the notebook with the model answers, by any name of its chapter."""
    return "\n".join(source(cell) for cell in source_notebook(page_name(chapter))["cells"])


def answers(chapter, name) -> tuple[dict, dict]:
    """Return what a file of answers loses, question by question, and its functions by name."""
    text = (ANSWERS / chapter / f"{name}.txt").read_text(encoding="utf-8")
    loses: dict = {}
    functions: dict = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign):
            loses = ast.literal_eval(node.value)
        elif isinstance(node, ast.FunctionDef):
            functions[node.name] = ast.get_source_segment(text, node)
    return loses, functions


def _with_functions(text, functions) -> str:
    """Return a cell's code with these functions, by name, in the place of those that it defines."""
    lines = text.splitlines()
    for node in reversed(ast.parse(text).body):
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            lines[node.lineno - 1 : node.end_lineno] = [functions[node.name]]
    return "\n".join(lines)


def solve(chapter, functions) -> dict:
    """Return the student's notebook with the solution typed in, these functions in its stead."""
    typed = {cell["id"]: source(cell) for cell in notebook(chapter, "solutions")["cells"]}
    submission = notebook(chapter, "student")
    codes = [cell for cell in submission["cells"] if cell["cell_type"] == "code"]
    for cell in codes:
        if cell["id"] in typed:
            cell["source"] = _with_functions(typed[cell["id"]], functions)
    code = "\n".join(map(source, codes))
    left = [name for name in functions if functions[name] not in code]
    assert not left, f"no question asks for {left}"
    return submission
