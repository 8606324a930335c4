"""Every chart of the executed notebooks: one theme, words for its axes and for itself."""

import json
import re
from pathlib import Path

import pytest

from tunables.reader.charts import COLOURS, CONFIG

ROOT = Path(__file__).parents[2]
CHART = re.compile(
    r'<figure class="tunables-chart"[^>]*><script type="application/json">(.*?)</script>', re.S
)


def charts():
    for path in sorted([*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("labs/*.ipynb")]):
        for cell in json.loads(path.read_text())["cells"]:
            for output in cell.get("outputs", []):
                html = "".join(output.get("data", {}).get("text/html", ""))
                for index, found in enumerate(CHART.findall(html)):
                    yield pytest.param(json.loads(found), id=f"{path.stem}-{cell['id']}-{index}")


def parts(value):
    """Yield value and every object within it."""
    if isinstance(value, dict):
        yield value
        value = value.values()
    if isinstance(value, (list, type({}.values()))):
        for item in value:
            yield from parts(item)


@pytest.mark.parametrize("spec", list(charts()))
def test_a_chart_has_the_books_theme_and_words(spec):
    assert spec["config"] == CONFIG
    assert len(spec["description"]) > 40
    drawn = {key: value for key, value in spec.items() if key not in ("config", "datasets")}
    for part in parts(drawn):
        for channel in ("x", "y"):
            encoding = part.get("encoding", {}).get(channel, {})
            if encoding.get("type") == "quantitative" and encoding.get("axis", 0) is not None:
                title = encoding.get("title", encoding.get("axis", {}).get("title"))
                assert title is None or "_" not in title
                assert title or "title" in encoding, f"{channel} has no words: {encoding}"
        for key in ("color", "fill", "stroke"):
            if isinstance(part.get(key), str):
                assert part[key].lower() in [*COLOURS, "currentcolor", "transparent"], part[key]
