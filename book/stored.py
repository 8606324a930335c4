"""Bring executed notebooks into the form in which they are committed: `make notebooks`.

python book/stored.py NOTEBOOK ...

The outputs stay, except the ids of live parts, which ended with their kernel: JupyterLab would show
an error in place of the picture beside them. Code that the book hides, because it only draws, is
folded in JupyterLab too. A cell below the title says how to run the notebook; the book's pages,
which run by themselves, leave it out.
"""

import sys
from pathlib import Path

import nbformat

DEAD = "application/vnd.jupyter.widget-view+json"
FOLDED = {"hide-input", "remove-input"}
HINT = "run-all"  # the id of its cell
HINTS = {
    "chapters": "*Run → Run All Cells* brings this notebook to life: its animations, sliders, "
    "maps, cards and questions. Guess before you read on.",
    "evidence": "*Run → Run All Cells* recomputes this whole notebook.",
    "recipes": "Enter your own numbers, then choose *Run → Run All Cells*.",
    "labs": "Read *Predict* first, and enter your own guesses. Then run the cells one by one "
    "(Shift+Enter), because later cells may ask you to guess again. (*Run → Run All Cells* runs "
    "them all, in a minute or so.)",
}


def store(cell) -> None:
    """Bring a cell of code into its committed form."""
    for output in cell.outputs:
        output.get("data", {}).pop(DEAD, None)
    cell.metadata.pop("jupyter", None)
    if FOLDED & set(cell.metadata.get("tags", [])):
        cell.metadata.jupyter = {"source_hidden": True}


def store_all(cells: list, hint: str) -> None:
    """Bring all cells of a notebook into their committed form."""
    for cell in cells:
        if cell.cell_type == "code":
            store(cell)
    for cell in [cell for cell in cells if cell.id == HINT]:
        cells.remove(cell)
    only_here = {"tags": ["remove-cell"]}
    cells.insert(1, nbformat.v4.new_markdown_cell(hint, id=HINT, metadata=only_here))


def main(paths: list[str]) -> None:
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        store_all(notebook.cells, HINTS[Path(path).resolve().parent.name])
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main(sys.argv[1:])
