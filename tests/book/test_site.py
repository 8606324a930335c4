"""The built pages as files: links that lead somewhere, nothing from another host.

They may have been built for an address (TUNABLES_BASEURL), as the published site is.
"""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from upkeep.links import external_links

SITE = Path(__file__).parents[2] / "_build" / "html"
PAGES = sorted(path for path in SITE.rglob("*.html") if "_static" not in path.parts)
# The first page leads on to the front page, and those of an animation's steps to their chapter.
SHOWN = [path for path in PAGES if path != SITE / "index.html" and path.parent.name != "share"]
FRONT = "book/index.html"


class _Page(HTMLParser):
    """Collects where a page leads, what it loads, and the ids that can be led to."""

    def __init__(self):
        super().__init__()
        self.leads, self.loads, self.ids = set(), set(), set()
        self.title, self.pictures = "", []
        self.meta: dict[str, str] = {}
        self.in_title = False

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.update(given[name] for name in ("id", "name") if given.get(name))
        if tag == "a" and given.get("href"):
            self.leads.add(given["href"])
        if tag == "meta":
            self.meta[given.get("name") or given.get("property") or ""] = given.get("content") or ""
        if tag == "img":
            self.pictures.append(given)
        self.in_title = tag == "title" and not self.title
        for name in ("src", "href"):
            if tag in ("script", "link", "img", "iframe", "source") and given.get(name):
                self.loads.add(given[name])

    def handle_data(self, data):
        if self.in_title:
            self.title += data

    def handle_endtag(self, tag):
        self.in_title = False


@cache
def read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def file_at(page: Path, link: str) -> Path | None:
    """Return the file to which a page's link leads, or None if it leads out of the book."""
    base = read(SITE / "index.html").meta.get("og:url", "").removesuffix(FRONT)
    folder = SITE if base and link.startswith(base) else page.parent
    parts = urlsplit(link.removeprefix(base))
    if parts.scheme or parts.netloc or parts.path.startswith("/"):
        return None
    return (folder / unquote(parts.path)).resolve() if parts.path else page


def test_the_book_is_built():
    assert PAGES, "the book is not built: run `make book` first"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix())
def test_every_link_within_the_book_leads_somewhere(path):
    for link in read(path).leads:
        target, parts = file_at(path, link), urlsplit(link)
        if not target:
            continue
        assert target.exists(), f"{link} leads nowhere"
        if parts.fragment and target.suffix == ".html":
            place, *_ = unquote(parts.fragment).split("?")  # what follows sets an explorer
            assert place in read(target).ids, f"{link}: no such place"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix())
def test_a_page_loads_only_files_of_the_book(path):
    for link in read(path).loads:
        target = file_at(path, link)
        assert link.startswith("data:") or (target and target.exists()), link


def test_every_page_has_a_title_and_a_description_of_its_own():
    titles = [read(path).title.strip() for path in SHOWN]
    sentences = [read(path).meta.get("description") or "" for path in SHOWN]
    assert all(len(title) > len("Tunables") for title in titles), titles
    assert len(set(titles)) == len(titles), sorted(titles)
    assert all(sentence and 40 <= len(sentence) <= 200 for sentence in sentences), sentences
    assert len(set(sentences)) == len(sentences), sorted(sentences)


def test_a_shared_address_shows_the_books_picture():
    for path in PAGES:
        if path.name == "404.html":
            continue
        meta = read(path).meta
        target = file_at(path, meta["og:image"])
        assert target
        picture = target.read_bytes()
        assert picture.startswith(b"\x89PNG")
        width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
        assert [str(width), str(height)] == [meta["og:image:width"], meta["og:image:height"]]
        assert meta["og:title"]
        assert meta["twitter:card"] == "summary_large_image"


def test_the_books_own_address_shows_what_the_front_page_does():
    own, front = (read(SITE / name).meta for name in ("index.html", FRONT))
    shown = {name for name in front if name.startswith("og:") and name != "og:image"}
    assert {name: own.get(name) for name in shown} == {name: front[name] for name in shown}


def test_every_picture_has_words():
    assert [p for path in SHOWN for p in read(path).pictures if "alt" not in p] == []


EMPTY_HEAD = re.compile(r"<th\b[^>]*>\s*(?:<p>\s*</p>)?\s*</th>")
REGION = re.compile(r'<[^>]*role="region"[^>]*>')
LABEL = re.compile(r'aria-label="([^"]*)"')


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.relative_to(SITE).as_posix())
def test_heads_of_tables_and_regions_have_names_of_their_own(path):
    """axe asks for it too, but goes over all pages only before a release."""
    page = path.read_text(encoding="utf-8")
    assert EMPTY_HEAD.findall(page) == []
    labels = [name for region in REGION.findall(page) for name in LABEL.findall(region)]
    assert sorted(set(labels)) == sorted(labels)


def test_links_to_other_hosts_are_well_formed():
    """Whether they lead somewhere, `make links` asks."""
    found = external_links(SITE)
    for link in found:
        parts = urlsplit(link)
        assert parts.scheme in ("https", "http", "mailto"), link
        assert parts.scheme == "mailto" or "." in (parts.hostname or ""), link
        assert not set(link) & set(' <>"{}|\\^`'), link
    assert len(found) > 20
