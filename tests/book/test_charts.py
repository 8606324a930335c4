"""Every chart of the executed notebooks, and an explorer's pictures: one theme, words for all."""

import json
import re

import pytest

from tests.chapters.notebooks import STORED
from tunables.core.registry import cases
from tunables.views.charts import COLOURS, CONFIG
from tunables.views.explorer import describe

CHART = re.compile(
    r'<figure class="tunables-chart"[^>]*><script type="application/json">(.*?)</script>', re.S
)


def charts_of(path):
    """Yield the charts that a notebook shows."""
    for cell in json.loads(path.read_text())["cells"]:
        for output in cell.get("outputs", []):
            html = "".join(output.get("data", {}).get("text/html", ""))
            yield from map(json.loads, CHART.findall(html))


def parts(value):
    """Yield value and every object within it."""
    if isinstance(value, dict):
        yield value
        value = value.values()
    if isinstance(value, (list, type({}.values()))):
        for item in value:
            yield from parts(item)


def views(drawn):
    """Yield the layers of each view, which share its axes: the words of one are those of all."""
    layered = [part["layer"] for part in parts(drawn) if "layer" in part]
    inner = {id(layer) for layers in layered for layer in layers}
    yield from layered
    yield from ([part] for part in parts(drawn) if "encoding" in part and id(part) not in inner)


def axis_titles(layers, channel):
    """Yield what each quantitative axis of a view's layers is called: None where it is not said."""
    for layer in layers:
        encoding = layer.get("encoding", {}).get(channel, {})
        if encoding.get("type") == "quantitative" and encoding.get("axis", 0) is not None:
            axis = encoding.get("axis", {})
            yield encoding.get("title", axis.get("title"))


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_notebooks_charts_have_the_books_theme_and_words(path):
    for spec in charts_of(path):
        assert_in_the_books_style(spec)


@pytest.mark.sampled
@pytest.mark.parametrize("name", cases())
def test_an_explorers_pictures_have_the_books_theme_and_words(name):
    views = describe(cases()[name])["views"]
    assert views
    for view in views:
        assert_in_the_books_style(view["spec"])


def assert_in_the_books_style(spec):
    assert spec["config"] == CONFIG
    assert len(spec["description"]) > 40
    drawn = {key: value for key, value in spec.items() if key not in ("config", "datasets")}
    for layers in views(drawn):
        for channel in ("x", "y"):
            titles = list(axis_titles(layers, channel))
            assert all(title is None or "_" not in title for title in titles)
            assert not titles or any(titles), f"{channel} has no words: {layers}"
    for part in parts(drawn):
        for key in ("color", "fill", "stroke"):
            if isinstance(part.get(key), str):
                assert part[key].lower() in [*COLOURS, "currentcolor", "transparent"], part[key]
