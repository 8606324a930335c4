"""The built pages as files: links that lead somewhere, nothing from another host."""

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

SITE = Path(__file__).parents[2] / "_build" / "html"
PAGES = sorted(
    path for room in ("book", "chapters", "labs") for path in SITE.glob(f"{room}/*.html")
)


class _Page(HTMLParser):
    """Collects where a page leads, what it loads, and the ids that can be led to."""

    def __init__(self):
        super().__init__()
        self.leads, self.loads, self.ids = set(), set(), set()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.update(given[name] for name in ("id", "name") if given.get(name))
        if tag == "a" and given.get("href"):
            self.leads.add(given["href"])
        for name in ("src", "href"):
            if tag in ("script", "link", "img", "iframe", "source") and given.get(name):
                self.loads.add(given[name])


@cache
def read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def test_the_book_is_built():
    assert PAGES, "the book is not built: run `make book` first"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix())
def test_every_link_within_the_book_leads_somewhere(path):
    for link in read(path).leads:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        assert target.exists(), f"{link} leads nowhere"
        if parts.fragment and target.suffix == ".html":
            assert unquote(parts.fragment) in read(target).ids, f"{link}: no such place"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix())
def test_a_page_loads_only_files_of_the_book_by_relative_addresses(path):
    for link in read(path).loads:
        parts = urlsplit(link)
        assert parts.scheme in ("", "data"), link
        assert not parts.path.startswith("/"), link
        if not parts.scheme:
            assert (path.parent / unquote(parts.path)).resolve().exists(), link
