"""The numbers in a text that come from data or models, each beside the expression that gives it.

    A slice takes 12.5<!-- {slice_s(4):.1f} --> seconds.

A comment with braces is a Python f-string, in the names of `tests/chapters/SLUG/prose.py`; what it
gives must be the text right before the comment. Readers see no comment, in Jupyter or on a page.
In a formula the comment follows the whole formula: `$x = 3$<!-- $x = {offset:.0f}$ -->`. A brace
of the text itself is doubled, as in any f-string; a backslash is itself.
"""

import importlib
from pathlib import Path
from typing import NamedTuple

from tests.chapters.notebooks import EXPRESSION, ROOT, source
from tunables.page.chapters import CHAPTERS, page_name

PLACES = (
    "chapters/{}.ipynb",
    "book/evidence/{}.ipynb",
    "labs/{}.ipynb",
    "book/teaching/{}.md",
)


class Number(NamedTuple):
    """A comment: its chapter, whose names it uses, its file, its f-string, and the text before."""

    slug: str
    path: Path
    template: str
    before: str

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}: {self.template}"


def numbers() -> list[Number]:
    """Return every number with a comment in the chapters, labs and lessons."""
    found = []
    for chapter in CHAPTERS:
        for place in PLACES:
            path = ROOT / place.format(page_name(chapter.slug))
            if not path.exists():
                continue
            text = source(path)
            for match in EXPRESSION.finditer(text):
                before = EXPRESSION.sub("", text[: match.start()])
                found.append(Number(chapter.slug, path, match["template"], before))
    return found


def computed(number: Number) -> str:
    """Return what the comment's f-string gives in the names of its chapter."""
    names = importlib.import_module(f"tests.chapters.{number.slug}.prose")
    quote = next(mark for mark in ("'''", '"""') if mark not in number.template)
    return eval(f"rf{quote}{number.template} {quote}", vars(names))[:-1]
