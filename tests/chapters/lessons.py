"""The teachers' pages as the tests of their keys need them."""

from tests.chapters.notebooks import ROOT, markdown
from tunables.page.chapters import page_name


def lesson(chapter) -> str:
    """Return the lesson on a chapter."""
    return markdown(ROOT / "book" / "teaching" / f"{page_name(chapter)}.md")
