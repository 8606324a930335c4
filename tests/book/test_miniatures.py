"""The miniatures on the front page's cards and at the chapters' ends."""

import gzip
from xml.etree import ElementTree

import pytest

from book._ext.miniatures import miniature, panels
from tunables.page.chapters import CHAPTERS
from tunables.views.animation import read_overview

SLUGS = [chapter.slug for chapter in CHAPTERS]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_miniature_is_a_drawing_without_words_in_the_pages_colours(slug):
    drawing = ElementTree.fromstring(miniature(slug))
    assert drawing.get("aria-hidden") == "true"
    assert not list(drawing.iter("text"))
    shapes = [tag for tag in drawing.iter() if tag.tag in ("path", "rect")]
    assert len(shapes) >= 3
    for tag in shapes:
        for colour in (tag.get("fill"), tag.get("stroke")):
            assert colour in (None, "none", "currentColor") or colour.startswith("var(--animation-")


def test_panels_have_the_height_that_their_overview_gave_them():
    svg = next(iter(read_overview("cache_cliff").values()))["svg"]
    drawings, tall = panels(svg)
    assert (len(drawings), tall) == (svg.count("translate(0 19)"), 10)  # as book/overviews.js draws


def test_all_miniatures_together_are_small():
    assert len(gzip.compress("".join(map(miniature, SLUGS)).encode())) < 20_000
