"""The pictures of shared addresses: drawn from the stills, in a page's colours, in their size."""

import re
from xml.etree import ElementTree

import pytest
import vl_convert

from book._ext import previews
from book._ext.frame import head_tags
from tunables.page.chapters import CHAPTERS, page_name

DRAWN = dict(previews.drawings())
CHAPTER_PICTURES = [previews.page_picture(f"chapters/{page_name(c.slug)}") for c in CHAPTERS]


def test_each_chapter_has_a_picture_of_its_own_and_other_pages_the_books():
    assert sorted(DRAWN) == sorted(picture.path for picture in CHAPTER_PICTURES)
    assert len(DRAWN) == len(CHAPTERS)
    assert previews.page_picture("book/index") == previews.BOOK


@pytest.mark.parametrize("path", DRAWN)
def test_a_drawing_is_complete_and_within_its_frame(path):
    svg = DRAWN[path]
    ElementTree.fromstring(svg)
    assert "var(" not in svg
    assert not set("✓✕▮") & set(svg)
    place = re.search(r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)", svg)
    assert place
    left, top, scale = map(float, place.groups())
    assert left >= previews.MARGIN
    assert top + scale * 100 < previews.HEIGHT
    assert scale > 1, "its words would be too small to read"


def test_a_picture_has_the_size_that_the_head_says():
    png = vl_convert.svg_to_png(DRAWN[CHAPTER_PICTURES[2].path])
    size = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
    assert size == [previews.WIDTH, previews.HEIGHT]


def test_addresses_are_absolute_where_the_sites_is_known():
    picture = CHAPTER_PICTURES[2]
    base = "https://book.example/"
    tags = head_tags("A", "A sentence.", picture, base, f"{base}a.html")
    assert f'content="{base}{picture.path}"' in tags
    assert f'property="og:url" content="{base}a.html"' in tags
    assert "og:url" not in head_tags("A", "A sentence.", picture, "../")
