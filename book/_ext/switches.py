"""Sphinx extension: the switches under a notebook's title show all its code, folds or answers.

Each cell's code is closed at first; in labs, which consist of code, only that of tagged cells.
"""

import json
import re

# What a switch shows: its words, and what a page must hold to have it.
SWITCHES = {
    "code": ("Show all code", re.compile(r'<details class="[^"]*above-input')),
    "folds": ("Open all folds", re.compile(r'<details class="fold')),
    "answers": ("Show answers", re.compile(r'class="tunables-guess')),
}
CELL = '<div class="cell '
ON_PAPER = "In the page, the switches at its top show all code, folded blocks and answers."


def close_code(app, docname, source) -> None:
    """Have the code of each cell of a chapter closed, if the notebook does not leave it out."""
    if not docname.startswith("chapters/"):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        tags = cell["metadata"].setdefault("tags", [])
        if cell["cell_type"] == "code" and not {"hide-input", "remove-input"} & {*tags}:
            tags.append("hide-input")
    source[0] = json.dumps(notebook)


def switches_html(body: str) -> str:
    """Return the switches for a page with this body."""
    buttons = "".join(
        f'<button type="button" aria-pressed="false" data-shows="{name}">{words}</button>'
        for name, (words, holds) in SWITCHES.items()
        if holds.search(body)
    )
    return (
        f'<div class="page-switches" role="group" aria-label="This page">{buttons}</div>'
        f'<p class="on-paper">{ON_PAPER}</p>'
    )


def add_switches(app, pagename, templatename, context, doctree) -> None:
    """Put the switches under a notebook's title."""
    body = context.get("body", "")
    if CELL in body:
        context["body"] = body.replace("</h1>", f"</h1>{switches_html(body)}", 1)


def setup(app) -> dict:
    """Register the extension."""
    app.connect("source-read", close_code)
    app.connect("html-page-context", add_switches, priority=700)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
