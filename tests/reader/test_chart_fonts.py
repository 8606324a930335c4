"""A chart's picture is the same to the byte, whichever fonts a machine has."""

import json
import os
import struct
import subprocess
import sys

import pytest

from tests.chapters.notebooks import ROOT

TYPEWRITER = ROOT / "node_modules" / "katex" / "dist" / "fonts" / "KaTeX_Typewriter-Regular.ttf"
FAMILY = 1  # of the names that a font has
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
from tunables.reader.charts import CONFIG, svg
spec = json.loads(sys.argv[1]) | {"config": CONFIG}
print(json.dumps([svg(spec), vl_convert.vegalite_to_svg(spec)]))
"""


def renamed(font: bytes, name: str) -> bytes:
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


def drawn(home):
    """Return a chart as the book draws it, and as vl-convert does with the fonts of that home."""
    command = [sys.executable, "-c", DRAW, json.dumps(SPEC)]
    surroundings = os.environ | {"HOME": str(home)}
    run = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep a reader's fonts elsewhere")
def test_a_font_of_the_charts_name_changes_nothing(tmp_path):
    empty, fonts = tmp_path / "empty", tmp_path / "home" / ".local" / "share" / "fonts"
    empty.mkdir()
    fonts.mkdir(parents=True)
    (fonts / "Roboto.ttf").write_bytes(renamed(TYPEWRITER.read_bytes(), "Roboto"))
    (usual, plain), (other, changed) = drawn(empty), drawn(tmp_path / "home")
    assert plain != changed  # the font is found
    assert usual == other
