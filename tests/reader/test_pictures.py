"""Drawings become pictures that stand alone, and drawings again, to the last byte."""

import re
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tunables.page.chapters import with_facet
from tunables.parts.registry import stages
from tunables.reader.pictures import ALONE, PICTURE, SPACE, with_drawings, with_pictures
from tunables.reader.stage import stage

WORDS = "50 % of “A & B”, #1"
LABELLED = f'<svg width="9" role="img" aria-label="{WORDS}"><path d="M0 0h9"/></svg>'
STAGES = [stage.name for slug in with_facet("stage") for stage in stages(slug)]
INSIDE = (
    f'<div role="img" aria-label="{WORDS}"><svg{SPACE} width="9"><text>1 < 2</text></svg></div>'
)


@pytest.mark.parametrize("html", [LABELLED, INSIDE, LABELLED + "<p>between</p>" + INSIDE])
def test_a_picture_says_what_its_drawing_said(html):
    pictures = with_pictures(html)
    assert set(re.findall(r'<img class="drawing" alt="([^"]*)"', pictures)) == {WORDS}
    assert "<svg width" not in pictures
    assert with_drawings(pictures).replace(SPACE, "") == html.replace(SPACE, "")


@pytest.mark.parametrize("name", STAGES)
def test_the_stills_of_a_stage_stand_alone(name):
    html = stage(name)._repr_mimebundle_()["text/html"]
    addresses = PICTURE.findall(html)
    assert len(addresses) == html.count("<figure")
    for address in addresses:
        root = ElementTree.fromstring(unquote(address))
        assert f' style="{root.get("style")}"' == ALONE
        assert root.get("aria-label")


def test_markup_without_drawings_is_left_alone():
    assert with_pictures("<p>3 < 4</p>") == with_drawings("<p>3 < 4</p>") == "<p>3 < 4</p>"
