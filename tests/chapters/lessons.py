"""The teachers' pages as the tests of their keys need them."""

from tests.chapters.notebooks import ROOT
from tunables.page.chapters import page_name


def lesson(chapter) -> str:
    """Return the lesson on a chapter."""
    path = ROOT / "book" / "teaching" / f"{page_name(chapter)}.md"
    return path.read_text(encoding="utf-8")
