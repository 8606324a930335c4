"""Sphinx extension: what programs look for at a site's root.

llms.txt lists every page with its sentence and its Markdown. sitemap.xml lists the pages, and
changes.xml is the feed of the book's corrections: the standards of both want absolute addresses, so
they are written only where the site's address is known (html_baseurl in _config.yml, or
TUNABLES_BASEURL).
"""

import hashlib
from collections.abc import Iterator
from html import escape
from pathlib import Path

from corrections import corrections, versions
from sphinx import addnodes

from tunables.page.chapters import find_chapter, page_name

FEED = "changes.xml"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
INTRODUCTION = """# Tunables

> {sentence}

Each address below gives a page as Markdown, with the computed numbers filled in; without `.md`, it
gives the page itself. Text and figures are CC BY 4.0, code is BSD-3-Clause.
"""


def groups(env) -> Iterator[tuple[str, list[str]]]:
    """Yield the captions of the book's contents, each with the names of its pages in order."""
    for toctree in env.tocs[env.config.root_doc].findall(addnodes.toctree):
        yield toctree["caption"], [name for _, name in toctree["entries"]]


def _line(env, name: str, base: str) -> str:
    title, sentence = env.titles[name].astext(), env.metadata[name]["description"]
    return f"- [{title}]({base}{name}.html.md): {sentence}\n"


def llms_text(env, base: str) -> str:
    """Return llms.txt: the pages by their groups; addresses are relative if base is empty."""
    root = env.config.root_doc
    text = INTRODUCTION.format(sentence=env.metadata[root]["description"])
    text += f"\n## Front page\n\n{_line(env, root, base)}"
    for caption, names in groups(env):
        text += f"\n## {caption}\n\n{''.join(_line(env, name, base) for name in names)}"
    return text


def sitemap(names: list[str], base: str) -> str:
    """Return the addresses of all pages, as search engines read them."""
    pages = "".join(f"<url><loc>{escape(f'{base}{name}.html')}</loc></url>\n" for name in names)
    return f'{XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{pages}</urlset>\n'


def _item(correction: dict[str, str], base: str) -> str:
    """Return a correction as an item, which the words that it corrects identify."""
    version, chapter = correction["version"], correction["chapter"]
    title, page = "the whole book", "book/corrections"
    if chapter:
        found = find_chapter(chapter)
        title = f"chapter {found.number}, {found.title}"
        page = f"chapters/{page_name(chapter)}"
    digest = hashlib.sha256(f"{version} {correction['stood']}".encode()).hexdigest()[:16]
    words = f"We wrote: {correction['stood']} It should read: {correction['stands']}"
    return (
        f"<item><title>{escape(f'Correction in {version}: {title}')}</title>"
        f"<link>{escape(f'{base}{page}.html')}</link>"
        f'<guid isPermaLink="false">{digest}</guid>'
        f"<description>{escape(escape(words))}</description></item>\n"
    )


def feed(base: str) -> str:
    """Return the corrections as an RSS feed, those of the newest version first.

    Items have no dates, which RSS leaves open: a correction is known by its version.
    """
    newest_first = list(versions())[::-1]
    items = sorted(corrections(), key=lambda each: newest_first.index(each["version"]))
    return (
        f'{XML}<rss version="2.0"><channel><title>Tunables: corrections</title>\n'
        f"<link>{escape(base)}book/corrections.html</link>\n"
        "<description>What the book got wrong, and what it says now.</description>\n"
        f"{''.join(_item(each, base) for each in items)}</channel></rss>\n"
    )


def write_site_files(app, exception) -> None:
    """Write the files into the site."""
    if exception:
        return
    site, base = Path(app.outdir), app.config.html_baseurl
    (site / "llms.txt").write_text(llms_text(app.env, base), encoding="utf-8")
    if base:
        names = sorted(app.env.found_docs)
        (site / "sitemap.xml").write_text(sitemap(names, base), encoding="utf-8")
        (site / FEED).write_text(feed(base), encoding="utf-8")


def link_feed(app, pagename, templatename, context, doctree) -> None:
    """Have a page's head lead to the feed, if there is one."""
    if base := app.config.html_baseurl:
        tag = (
            '\n<link rel="alternate" type="application/rss+xml" title="Corrections" '
            f'href="{escape(base)}{FEED}" />'
        )
        context["metatags"] = context.get("metatags", "") + tag


def setup(app) -> dict:
    """Register the extension."""
    app.connect("html-page-context", link_feed, priority=600)
    app.connect("build-finished", write_site_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
