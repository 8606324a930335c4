"""The notebooks as the tests of their text need them."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def notebooks_in(*folders: str) -> list[Path]:
    """Return the notebooks that stand in these folders of the checkout, in order."""
    return sorted(path for folder in folders for path in ROOT.glob(f"{folder}/*.ipynb"))


CHAPTERS_AND_EVIDENCE = notebooks_in("chapters", "book/evidence")
# Executed by `make notebooks`
STORED = notebooks_in("chapters", "book/evidence", "book/recipes", "labs")
NOTEBOOKS = notebooks_in("chapters", "labs", "book", "book/evidence", "book/recipes")
FOR_JUPYTER = "remove-cell"  # the tag of what the pages leave out
# The expression that gives the number before it: tests/chapters/numbers.py says how.
EXPRESSION = re.compile(r"<!-- (?P<template>[^\n]*?\{[^\n]*?) -->")


def cells(path: Path, *kinds: str) -> list[dict]:
    """Return the book's cells of these kinds, with their source as one string."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [
        cell | {"source": "".join(cell["source"])}
        for cell in notebook["cells"]
        if cell["cell_type"] in kinds and FOR_JUPYTER not in cell["metadata"].get("tags", [])
    ]


def source(path: Path) -> str:
    """Return all Markdown of a notebook, or of a Markdown file, as it is written."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(cell["source"] for cell in cells(path, "markdown"))


def markdown(path: Path) -> str:
    """Return the same without the expressions that give its numbers."""
    return EXPRESSION.sub("", source(path))


def prose(path: Path) -> str:
    """Return all markdown of a notebook, with the words that lead to the glossary as read."""
    return re.sub(r"\{term\}`([^`<]*?)(?:\s*<[^`>]+>)?`", r"\1", markdown(path))


def solution(path: Path, label: str) -> str:
    """Return the text of the solution to the exercise of that label."""
    start = f"```{{solution}} {label}\n"
    text = prose(path)
    assert start in text, f"{path.name} has no solution to {label}"
    return text.split(start, 1)[1].split("\n```", 1)[0]
