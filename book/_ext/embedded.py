"""Sphinx extension: embed/PAGE.html, a chapter's animation and curve alone, for a frame elsewhere.

The two parts are those of the chapter's finished page that `mark_parts` has marked, at the same
relative addresses; the page's own script makes them live, and reads the same parameters. Their
buttons copy links to the chapter. Without scripts and on paper they are their pictures.
"""

import re
from html import escape
from pathlib import Path
from string import Template

from bs4 import BeautifulSoup, Tag
from frame import head_tags
from live import LIVE, VENDOR, scripts
from policy import policy
from previews import page_picture

from tunables.page.chapters import CHAPTERS, Chapter, page_name

TEMPLATE = Template(Path(__file__).with_name("embedded.html").read_text(encoding="utf-8"))
# A chapter's first of each, if it is in a pane.
PARTS = (".pane .tunables-animation", ".pane .tunables-explorer")
MARKED = re.compile(r'<section[^>]*? data-embed="[^"]*"[^>]*>.*?</section>', re.DOTALL)
MARK = re.compile(r'data-embed="[^"]*"')
OVERVIEW = re.compile(r'<details class="fold animation-overview".*?</details>', re.DOTALL)
FONTS = ("sans", "display")
ROOT = "../"
AFTER_THE_LAST_WORK = 600  # the priority: finish.py has 500


def mark_parts(page: Tag, name: str) -> None:
    """Mark what the embedded page of a chapter shows, on the chapter's page, with its address."""
    for selector in PARTS:
        part = page.select_one(selector)
        if part:
            part["data-embed"] = f"{ROOT}embed/{name}.html"


def parts(html: str, chapter: str) -> list[str]:
    """Return the marked parts of a finished page, marked with the chapter's address instead.

    The pictures of whole runs stay in the chapter.
    """
    mark = f'data-chapter="{chapter}"'
    return [OVERVIEW.sub("", MARK.sub(mark, part, count=1)) for part in MARKED.findall(html)]


def with_policy(html: str) -> str:
    """Return a page with its policy in place of POLICY."""
    return html.replace("POLICY", policy(BeautifulSoup(html, "html.parser")), 1)


def embedded_page(html: str, chapter: Chapter, base: str) -> str:
    """Return the embedded page of a chapter, whose finished page is html.

    base: the site's address, empty if it is unknown.
    """
    name = page_name(chapter.slug)
    whole = f"{ROOT}chapters/{name}.html"
    sentence = f"The animation and the curve of the chapter “{chapter.title}”, to embed elsewhere."
    tags = head_tags(
        chapter.title,
        sentence,
        page_picture(f"chapters/{name}"),
        base or ROOT,
        f"{base}chapters/{name}.html" if base else "",
    )
    vendor = f"{ROOT}_static/vendor/"
    preload = '<link rel="preload" as="font" type="font/woff2" crossorigin href="{}fonts/{}.woff2">'
    fonts = "\n".join(preload.format(vendor, font) for font in FONTS)
    shell = TEMPLATE.substitute(
        title=escape(chapter.title),
        number=chapter.number,
        slug=chapter.slug,
        tags=tags.strip(),
        live=LIVE,
        begin=(VENDOR / "begin.js").read_text(encoding="utf-8").strip(),
        vendor=f"{vendor}{scripts().name}/",
        fonts=fonts,
        chapter=whole,
        parts="PARTS",
    )
    return with_policy(shell).replace("PARTS", "\n".join(parts(html, whole)))


def write_embedded_pages(app, exception) -> None:
    """Write the embedded page of each chapter."""
    if exception:
        return
    site = Path(app.outdir)
    (site / "embed").mkdir(exist_ok=True)
    for chapter in CHAPTERS:
        name = page_name(chapter.slug)
        html = (site / "chapters" / f"{name}.html").read_text(encoding="utf-8")
        page = embedded_page(html, chapter, app.config.html_baseurl)
        (site / "embed" / f"{name}.html").write_text(page, encoding="utf-8")


def setup(app) -> dict:
    """Register the extension."""
    app.connect("build-finished", write_embedded_pages, priority=AFTER_THE_LAST_WORK)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
