"""What programs look for at the site's root lists every page, by addresses that lead somewhere."""

import re
from types import SimpleNamespace
from xml.etree import ElementTree

from book._ext import corrections, site_files
from tests.book.test_site import SITE

BASE = "https://book.example/it/"
LINK = re.compile(r"^- \[([^\]]+)\]\(([^)]+)\): (.+)$", re.MULTILINE)


def test_llms_text_lists_every_page_with_its_markdown_and_its_sentence():
    text = (SITE / "llms.txt").read_text(encoding="utf-8")
    assert text.startswith("# Tunables\n\n> ")
    found = LINK.findall(text)
    base = text.partition("](")[2].partition("book/index.html.md")[0]  # where it is published
    addresses = [address.removeprefix(base) for _, address, _ in found]
    written = {path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html.md")}
    assert sorted(addresses) == sorted(written)
    for address, (*_, sentence) in zip(addresses, found, strict=True):
        page = (SITE / address).with_suffix("").read_text(encoding="utf-8")
        assert f'name="description" content="{sentence[:30].split("&")[0].split("“")[0]}' in page


def test_a_sitemap_has_absolute_addresses():
    root = ElementTree.fromstring(site_files.sitemap(["a/b", "c"], BASE))
    assert [loc.text for loc in root.findall("{*}url/{*}loc")] == [
        f"{BASE}a/b.html",
        f"{BASE}c.html",
    ]


def test_the_feed_has_each_correction_once_the_newest_version_first():
    root = ElementTree.fromstring(site_files.feed(BASE))
    items = root.findall("channel/item")
    known = corrections.corrections()
    assert len(items) == len(known)
    assert len({item.findtext("guid") for item in items}) == len(items)
    titles = [item.findtext("title", "") for item in items]
    told = [title.removeprefix("Correction in ").partition(":")[0] for title in titles]
    order = list(corrections.versions())
    assert told == sorted(told, key=order.index, reverse=True)
    words = {item.findtext("description") for item in items}
    assert len(words) == len(items)
    for item in items:
        page = item.findtext("link", "")
        assert page.startswith(BASE)
        assert (SITE / page.removeprefix(BASE)).exists()


def test_without_an_address_there_is_neither_and_with_one_there_are_both(tmp_path, monkeypatch):
    monkeypatch.setattr(site_files, "llms_text", lambda env, base: f"pages at {base}")
    env = SimpleNamespace(found_docs={"book/index"})
    for base, written in (("", ["llms.txt"]), (BASE, ["changes.xml", "llms.txt", "sitemap.xml"])):
        folder = tmp_path / f"site{len(base)}"
        folder.mkdir()
        config = SimpleNamespace(html_baseurl=base)
        app = SimpleNamespace(outdir=str(folder), config=config, env=env)
        site_files.write_site_files(app, None)
        assert sorted(path.name for path in folder.iterdir()) == written
        context: dict[str, str] = {}
        site_files.link_feed(app, "book/index", "", context, None)
        assert (f"{BASE}changes.xml" in context.get("metatags", "")) == bool(base)
