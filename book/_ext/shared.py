"""Sphinx extension: share/ANIMATION-STEP.html, so that a link to a step shows that step's picture.

Sites that show a link's picture read no fragment of its address, so each step has a small page with
a picture of its own, which leads to the step in its chapter and hands on the settings in the
address. The animation's button copies that page's address. A picture needs an absolute address, so
all this is written only where the site's is known (html_baseurl in _config.yml, or
TUNABLES_BASEURL). The pictures are nearly a quarter of the site, and no page loads one.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template
from xml.etree import ElementTree

import vl_convert
from embedded import with_policy
from frame import head_tags
from previews import Picture, kicker, preview_svg

from tunables.core.animation import Animation, Bookmark
from tunables.core.registry import animations, chapters_with
from tunables.page.chapters import Chapter, find_chapter, page_name
from tunables.views.animation import read_stills, still_text

FOLDER = "share"
TEMPLATE = Template(Path(__file__).with_name("shared.html").read_text(encoding="utf-8"))
SECTION = re.compile(r'<section class="tunables-animation" id="stage-([\w-]+)"')
APART = 24  # px between two runs


def side_by_side(svg: str) -> str:
    """Return a still with its two runs beside each other; a still of one run as it is."""
    root = ElementTree.fromstring(svg)
    _, _, wide, tall = map(float, root.attrib["viewBox"].split())
    if [child.tag for child in root] != ["g", "g"]:
        return svg
    root[1].set("transform", f"translate({wide + APART:g} 0)")
    root.set("viewBox", f"0 0 {2 * wide + APART:g} {tall / 2:g}")
    return ElementTree.tostring(root, encoding="unicode")


def steps() -> Iterator[tuple[Chapter, Animation, Bookmark, dict[str, str]]]:
    """Yield each step of each animation, and its still."""
    for slug in chapters_with("animation"):
        stills = read_stills(slug)
        for animation in animations(slug):
            for bookmark, still in zip(animation.bookmarks, stills[animation.name], strict=True):
                yield find_chapter(slug), animation, bookmark, still


def shared_page(chapter: Chapter, step: str, bookmark: Bookmark, words: str, base: str) -> str:
    """Return the page of a step: ANIMATION-BOOKMARK; words: of its picture."""
    title = f"{chapter.title}: {bookmark.label}"
    picture = Picture(f"{FOLDER}/{step}.png", words)
    return with_policy(
        TEMPLATE.substitute(
            title=escape(title),
            sentence=escape(bookmark.title),
            tags=head_tags(title, bookmark.title, picture, base, f"{base}{FOLDER}/{step}.html"),
            chapter=f"../chapters/{page_name(chapter.slug)}.html",
            hash=f"#stage-{step}",
        )
    )


def write_shared_pages(app, exception) -> None:
    """Write the page and the picture of each step."""
    base = app.config.html_baseurl
    if exception or not base:
        return
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(exist_ok=True)
    for chapter, animation, bookmark, still in steps():
        step = f"{animation.name}-{bookmark.name}"
        page = shared_page(chapter, step, bookmark, still_text(still), base)
        (folder / f"{step}.html").write_text(page, encoding="utf-8")
        first_line = kicker(chapter.number)
        svg = preview_svg(first_line, bookmark.label, side_by_side(still["svg"]))
        (folder / f"{step}.png").write_bytes(vl_convert.svg_to_png(svg))


def mark_animations(app, pagename, templatename, context, doctree) -> None:
    """Tell the animations of one page what the addresses of their steps' pages begin with."""
    if app.config.html_baseurl and "body" in context:
        root = context["pathto"](FOLDER, resource=True)
        context["body"] = SECTION.sub(rf'\g<0> data-share="{root}/\g<1>-"', context["body"])


def setup(app) -> dict:
    """Register the extension."""
    app.connect("html-page-context", mark_animations)
    app.connect("build-finished", write_shared_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
