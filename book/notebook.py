"""Turns a text in Markdown into a notebook: `python book/notebook.py TEXT NOTEBOOK`.

A block ```{code-cell} python becomes a cell of code, and its option `tags` the cell's tags.
"""

import sys
from pathlib import Path

import nbformat
from myst_nb.core.read import read_myst_markdown_notebook

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}

if __name__ == "__main__":
    text, target = map(Path, sys.argv[1:])
    notebook = read_myst_markdown_notebook(text.read_text(encoding="utf-8"))
    notebook.metadata["kernelspec"] = KERNEL
    nbformat.write(notebook, target)
