"""A chapter's run in miniature: panels of its picture of whole runs, without words.

The front page's cards and the links at a chapter's end show one. It stands in the page itself: a
page opened from disk may load no drawing from another file.
"""

from functools import cache
from xml.etree import ElementTree

from tunables.core.registry import find_animation
from tunables.page.chapters import find_chapter
from tunables.views.animation import overview_path, read_overview

WIDE, TALL = 340, 120  # px; a drawing that is less tall is stretched
BELOW = 6  # px, which the overview leaves below each panel


def _shift(tag: ElementTree.Element) -> float:
    """Return how far down a group is moved."""
    return float(tag.attrib["transform"].removeprefix("translate(0 ").removesuffix(")"))


def _without_words(tag: ElementTree.Element) -> str:
    for parent in list(tag.iter()):
        for text in parent.findall("text"):
            parent.remove(text)
    return "".join(ElementTree.tostring(child, encoding="unicode") for child in tag)


def panels(svg: str) -> tuple[list[str], float]:
    """Return the panels of an overview without their words, and the height that all have."""
    *groups, foot = ElementTree.fromstring(svg).findall("g")
    inside = [drawing for group in groups for drawing in group.findall("g")[:1]]
    tops = [_shift(group) for group in [*groups, foot]]
    tall = tops[1] - tops[0] - _shift(inside[0]) - BELOW
    return [_without_words(drawing) for drawing in inside], tall


@cache
def miniature(chapter: str | int) -> str:
    """Return the markup of a chapter's miniature; no markup if it has no overview."""
    slug = find_chapter(chapter).slug
    if not overview_path(slug).exists():
        return ""
    (name, picture), *_ = read_overview(slug).items()
    drawings, tall = panels(picture["svg"])
    overview = find_animation(name).overview
    shown = [drawings[n] for n in (overview.miniature if overview else (0,))]
    pitch = tall + BELOW
    moved = "".join(
        f'<g transform="translate(0 {n * pitch:g})">{drawing}</g>'
        for n, drawing in enumerate(shown)
    )
    box = f'viewBox="0 0 {WIDE} {len(shown) * pitch - BELOW:g}" width="{WIDE}" height="{TALL}"'
    return (
        f'<svg class="miniature" {box} preserveAspectRatio="none" aria-hidden="true">{moved}</svg>'
    )
