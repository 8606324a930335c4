"""The pages of steps: each with a picture of its own, where the site's address is known."""

import re
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from book._ext import shared
from tunables.core.registry import animations, chapters_with

BASE = "https://book.example/"
STEPS = {f"{each.name}-{bookmark.name}": bookmark for _, each, bookmark, _ in shared.steps()}


def application(folder, base):
    return SimpleNamespace(outdir=folder, config=SimpleNamespace(html_baseurl=base))


def test_every_bookmark_is_a_step_with_a_name_of_its_own():
    counts = [
        len(each.bookmarks) for slug in chapters_with("animation") for each in animations(slug)
    ]
    assert len(STEPS) == sum(counts)


def test_a_page_has_its_picture_at_an_absolute_address_and_leads_to_the_step(tmp_path, monkeypatch):
    drawn: dict[str, bytes] = {}
    monkeypatch.setattr(shared.vl_convert, "svg_to_png", lambda svg: drawn.setdefault(svg, b"png"))
    shared.write_shared_pages(application(tmp_path, BASE), None)
    folder = tmp_path / shared.FOLDER
    assert {path.stem for path in folder.glob("*.html")} == set(STEPS)
    assert len(drawn) == len(STEPS)
    for step, bookmark in STEPS.items():
        page = BeautifulSoup((folder / f"{step}.html").read_text(encoding="utf-8"), "html.parser")
        named = {tag.get("property"): tag["content"] for tag in page.select("meta[property]")}
        assert named["og:image"] == f"{BASE}share/{step}.png"
        assert (folder / f"{step}.png").exists()
        assert named["og:url"] == f"{BASE}share/{step}.html"
        assert named["og:description"] == bookmark.title
        (address,) = (str(tag["href"]) for tag in page.select("a[href]"))
        assert address.endswith(f".html#stage-{step}")
        assert [tag["content"] for tag in page.select("noscript meta")] == [f"0; url={address}"]
    for svg in drawn:
        ElementTree.fromstring(svg)
        (scale,) = (float(found) for found in re.findall(r"scale\(([\d.]+)\)", svg))
        assert scale > 1, "its words would be too small to read"


def test_two_runs_are_side_by_side_and_as_large_as_each_other():
    still = next(still for _, _, bookmark, still in shared.steps() if bookmark.against)
    before, after = (
        [*map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)[0])]
        for svg in (still["svg"], shared.side_by_side(still["svg"]))
    )
    assert after == [2 * before[0] + shared.APART, before[1] / 2]
    alone = next(still for _, _, bookmark, still in shared.steps() if not bookmark.against)
    assert shared.side_by_side(alone["svg"]) == alone["svg"]


@pytest.mark.parametrize(("base", "marked"), [(BASE, True), ("", False)])
def test_an_animation_knows_the_pages_of_its_steps_if_there_are_any(tmp_path, base, marked):
    context: dict[str, Any] = {
        "body": '<section class="tunables-animation" id="stage-rrd" aria-label="A"></section>',
        "pathto": lambda path, resource: f"../{path}",
    }
    app = application(tmp_path, base)
    shared.mark_animations(app, "chapters/03-cache-cliff", "page.html", context, None)
    assert ('data-share="../share/rrd-"' in context["body"]) is marked
    if not marked:
        shared.write_shared_pages(app, None)
        assert list(tmp_path.iterdir()) == []
