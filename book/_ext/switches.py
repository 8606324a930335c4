"""Sphinx extension: switches in the menu of a notebook's page show its code, folds or answers.

Each cell's code is closed at first; in labs, which consist of code, only that of tagged cells.
"""

import json
import re

# What a switch shows: its words, and what a page must hold to have it.
SWITCHES = {
    "code": ("All code", re.compile(r'<details class="[^"]*above-input')),
    "folds": ("All folded remarks", re.compile(r'<details class="fold')),
    "answers": ("All answers", re.compile(r'class="tunables-guess')),
}
CELL = '<div class="cell '
ON_PAPER = "In the online version, the page's menu shows all code, folded sections and answers."


def close_code(app, docname, source) -> None:
    """Close the code of a chapter's cells and of its evidence, if the notebook shows it at all."""
    if not docname.startswith(("chapters/", "book/evidence/")):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        tags = cell["metadata"].setdefault("tags", [])
        if cell["cell_type"] == "code" and not {"hide-input", "remove-input"} & {*tags}:
            tags.append("hide-input")
    source[0] = json.dumps(notebook)


def switches(body: str) -> list[tuple[str, str]]:
    """Return the switches for a page with this body: what each shows, and its words."""
    return [(name, words) for name, (words, holds) in SWITCHES.items() if holds.search(body)]


def add_switches(app, pagename, templatename, context, doctree) -> None:
    """Give the menu of a notebook's page its switches; on paper a sentence says where they are."""
    body = context.get("body", "")
    if CELL in body:
        context["page_switches"] = switches(body)
        note = f'<p class="on-paper">{ON_PAPER}</p>'
        context["body"] = body.replace("</h1>", f"</h1>{note}", 1)


def setup(app) -> dict:
    """Register the extension."""
    app.connect("source-read", close_code)
    app.connect("html-page-context", add_switches, priority=700)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
