"""A chart's picture is the same to the byte, whichever fonts a machine has."""

import json
import os
import re
import struct
import subprocess
import sys
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.chapters.notebooks import ROOT
from tunables.core.registry import animations, chapters_with
from tunables.views.animation import animation
from tunables.views.charts import ALONE, PICTURE, SPACE, with_drawings, with_pictures

TYPEWRITER = ROOT / "node_modules" / "katex" / "dist" / "fonts" / "KaTeX_Typewriter-Regular.ttf"
FAMILY = 1  # index of the family among a font's names
SPEC = {
    "data": {"values": [{"x": 1, "y": 20_000}, {"x": 50, "y": 3}]},
    "mark": "line",
    "encoding": {
        "x": {"field": "x", "type": "quantitative", "title": "a title"},
        "y": {"field": "y", "type": "quantitative", "title": "another title"},
    },
}
DRAW = """
import json, sys
import vl_convert
from tunables.views.charts import CONFIG, svg
spec = json.loads(sys.argv[1]) | {"config": CONFIG}
print(json.dumps([svg(spec), vl_convert.vegalite_to_svg(spec)]))
"""


def rename_font(font: bytes, name: str) -> bytes:
    """Return a TrueType font whose family has another, shorter name."""
    made = bytearray(font)
    (tables,) = struct.unpack_from(">H", font, 4)
    entries = (struct.unpack_from(">4sLLL", font, 12 + 16 * n) for n in range(tables))
    start = next(offset for tag, _, offset, _ in entries if tag == b"name")
    _, count, strings = struct.unpack_from(">HHH", font, start)
    for record in range(start + 6, start + 6 + 12 * count, 12):
        platform, _, _, kind, length, at = struct.unpack_from(">HHHHHH", font, record)
        text = name.encode("mac-roman" if platform == 1 else "utf-16-be")
        if kind == FAMILY:
            assert len(text) <= length
            struct.pack_into(">H", made, record + 8, len(text))
            made[start + strings + at : start + strings + at + len(text)] = text
    return bytes(made)


def draw_both(home):
    """Return a chart as the book draws it, and as vl-convert does with the fonts of that home."""
    command = [sys.executable, "-c", DRAW, json.dumps(SPEC)]
    surroundings = os.environ | {"HOME": str(home)}
    run = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep a reader's fonts elsewhere")
def test_a_font_of_the_charts_name_changes_nothing(tmp_path):
    empty, fonts = tmp_path / "empty", tmp_path / "home" / ".local" / "share" / "fonts"
    empty.mkdir()
    fonts.mkdir(parents=True)
    (fonts / "Roboto.ttf").write_bytes(rename_font(TYPEWRITER.read_bytes(), "Roboto"))
    (usual, plain), (other, changed) = draw_both(empty), draw_both(tmp_path / "home")
    assert plain != changed  # the font is found
    assert usual == other


WORDS = "50% of “A & B”, #1"
LABELLED = f'<svg width="9" role="img" aria-label="{WORDS}"><path d="M0 0h9"/></svg>'
ANIMATIONS = [
    animation.name for slug in chapters_with("animation") for animation in animations(slug)
]
INSIDE = (
    f'<div role="img" aria-label="{WORDS}"><svg{SPACE} width="9"><text>1 < 2</text></svg></div>'
)


@pytest.mark.parametrize("html", [LABELLED, INSIDE, LABELLED + "<p>between</p>" + INSIDE])
def test_a_picture_keeps_the_label_of_its_drawing(html):
    pictures = with_pictures(html)
    assert set(re.findall(r'<img class="drawing" alt="([^"]*)"', pictures)) == {WORDS}
    assert "<svg width" not in pictures
    assert with_drawings(pictures).replace(SPACE, "") == html.replace(SPACE, "")


@pytest.mark.parametrize("name", ANIMATIONS)
def test_the_stills_of_a_animation_stand_alone(name):
    html = animation(name)._repr_mimebundle_()["text/html"]
    addresses = PICTURE.findall(html)
    assert len(addresses) == html.count("<figure")
    for address in addresses:
        root = ElementTree.fromstring(unquote(address))
        assert f' style="{root.get("style")}"' == ALONE
        assert root.get("aria-label")


def test_markup_without_drawings_is_left_alone():
    assert with_pictures("<p>3 < 4</p>") == with_drawings("<p>3 < 4</p>") == "<p>3 < 4</p>"
