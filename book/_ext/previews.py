"""Sphinx extension: the picture that is shown where a page's address is shared.

A chapter has one of its own, the first still of its animation under the chapter's title. All other
pages have the book's, which book/assets.py draws.
"""

import re
from collections import namedtuple
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import vl_convert

from tunables.core.registry import animations, chapters_with
from tunables.page.chapters import CHAPTERS, Chapter, page_name
from tunables.views.animation import read_stills, still_text

STYLES = Path(__file__).parents[1] / "styles" / "tokens.css"
FOLDER = "_static/previews"
WIDTH, HEIGHT = 1200, 630  # px, the size that sites ask for
MARGIN, TOP, BOTTOM = 56, 190, 34  # px; the still is between TOP and BOTTOM
FONT = "Liberation Sans"  # vl-convert brings it along: machines differ in their fonts
VARIABLE = re.compile(r"var\(--(?:animation-)?([a-z-]+)(?:, ([^)]+))?\)")
GROUNDS = re.compile(r"(hit|miss|wait|held)-ground")
# Signs that the font lacks: a machine's own font would take their place.
SIGNS = str.maketrans({"✓": "", "✕": "", "▮": "■"})

Picture = namedtuple("Picture", ["path", "words"])  # path: from the site's root

BOOK = Picture(
    "_static/vendor/preview.png",
    "Nothing happens, and then everything: a curve that stays flat and then jumps.",
)


@cache
def colours() -> dict[str, str]:
    """Return the tokens that are colours, by their names, as a light page has them."""
    light = STYLES.read_text(encoding="utf-8").partition('html[data-theme="light"]')[2]
    block = light[: light.index("}")]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))


def _colour(found: re.Match) -> str:
    """Return the colour that a page gives a variable of a drawing."""
    name = {"ground": "panel", "soft": "ink-3"}.get(found[1], GROUNDS.sub(r"\1-soft", found[1]))
    return colours()[name]


def with_colours(svg: str) -> str:
    """Return a drawing in the colours of a light page, without variables."""
    return VARIABLE.sub(_colour, svg).replace("currentColor", colours()["ink"])


def readable(svg: str) -> str:
    """Return a drawing as a picture can show it: in its colours, with signs that the font has."""
    return with_colours(svg).translate(SIGNS)


def drawing(svg: str) -> tuple[str, float, float]:
    """Return what a still draws, its width and its height."""
    root = ElementTree.fromstring(svg)
    _, _, wide, tall = map(float, root.attrib["viewBox"].split())
    return "".join(ElementTree.tostring(each, encoding="unicode") for each in root), wide, tall


def kicker(number: int) -> str:
    """Return the first line of a chapter's pictures."""
    return f"Tunables, chapter {number}"


def sheet(width: int, height: int, first_line: str, top: int, inside: str) -> str:
    """Return a picture to show elsewhere: its first line is at `top`, then comes what is inside."""
    ink = colours()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}">'
        f'<rect width="{width}" height="{height}" fill="{ink["panel"]}"/>'
        f'<rect width="{width}" height="12" fill="{ink["model"]}"/>'
        f'<text x="{MARGIN}" y="{top}" font-size="28" fill="{ink["ink-2"]}">'
        f"{escape(first_line)}</text>{inside}</svg>"
    )


def preview_svg(first_line: str, title: str, still: str) -> str:
    """Return a chapter's picture: two lines of words, and a still below them."""
    inside, wide, tall = drawing(readable(still))
    scale = min((WIDTH - 2 * MARGIN) / wide, (HEIGHT - TOP - BOTTOM) / tall)
    left = (WIDTH - scale * wide) / 2
    words = (
        f'<text x="{MARGIN}" y="142" font-size="58" font-weight="700" fill="{colours()["ink"]}">'
        f"{escape(title)}</text>"
    )
    place = f"translate({left:g} {TOP}) scale({scale:g})"
    picture = f'<g transform="{place}" font-size="13">{inside}</g>'
    return sheet(WIDTH, HEIGHT, first_line, 74, words + picture)


def first_still(chapter: Chapter) -> dict[str, str] | None:
    """Return the first still of a chapter's first animation, or None if it has no animation."""
    if chapter.slug not in chapters_with("animation"):
        return None
    return read_stills(chapter.slug)[animations(chapter.slug)[0].name][0]


@cache
def _chapter_pictures() -> dict[str, Picture]:
    return {
        f"chapters/{page_name(chapter.slug)}": Picture(
            f"{FOLDER}/{page_name(chapter.slug)}.png", still_text(still)
        )
        for chapter in CHAPTERS
        if (still := first_still(chapter))
    }


def page_picture(page: str) -> Picture:
    """Return the picture of a page, by its name: a chapter's own, or the book's.

    >>> page_picture("chapters/03-cache-cliff").path
    '_static/previews/03-cache-cliff.png'
    """
    return _chapter_pictures().get(page, BOOK)


def drawings() -> Iterator[tuple[str, str]]:
    """Yield the path and the SVG of each chapter's picture."""
    for chapter in CHAPTERS:
        if still := first_still(chapter):
            path = page_picture(f"chapters/{page_name(chapter.slug)}").path
            yield path, preview_svg(kicker(chapter.number), chapter.title, still["svg"])


def draw_pictures(app, exception) -> None:
    """Draw the pictures into the site."""
    if exception:
        return
    (Path(app.outdir) / FOLDER).mkdir(parents=True, exist_ok=True)
    for path, svg in drawings():
        (Path(app.outdir) / path).write_bytes(vl_convert.svg_to_png(svg))


def setup(app) -> dict:
    """Register the extension."""
    app.connect("build-finished", draw_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
