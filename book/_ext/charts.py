"""Compiles the charts' Vega-Lite to Vega when the book is built: pages load one library less."""

import json
import re
from functools import cache

import vl_convert

from tunables.reader.charts import script_json

CHART = re.compile(
    r'(<figure class="tunables-chart"[^>]*>)<script type="application/json">(.*?)</script>', re.S
)
LONG_TITLE = 36  # characters
LETTER_PX = 7  # of an axis title, on average and with some air
COMPOSED = ("hconcat", "vconcat", "concat", "facet", "repeat")


def _fitted(spec: dict) -> dict:
    """Return a chart that is as wide as its place in the page, if it is a single one."""
    if any(key in spec for key in COMPOSED):
        return spec
    return spec | {"width": "container", "autosize": {"type": "fit", "contains": "padding"}}


def _halves(title: str) -> list[str]:
    """Return the title in two lines of about the same length."""
    middle = len(title) / 2
    breaks = [match.start() for match in re.finditer(" ", title)]
    at = min(breaks, key=lambda place: abs(place - middle))
    return [title[:at], title[at + 1 :]]


def wrap_titles(spec: dict) -> None:
    """Give long axis titles of a Vega specification two lines where the chart is too small."""
    for axis in spec.get("axes", []):
        title = axis.get("title")
        if isinstance(title, str) and len(title) > LONG_TITLE and " " in title:
            side = "height" if axis["orient"] in ("left", "right") else "width"
            room = f"{side} > {len(title) * LETTER_PX}"
            axis["title"] = {
                "signal": f"{room} ? {json.dumps(title)} : {json.dumps(_halves(title))}"
            }
    for mark in spec.get("marks", []):
        wrap_titles(mark)


@cache
def _compiled(spec_json: str) -> str:
    spec = vl_convert.vegalite_to_vega(_fitted(json.loads(spec_json)))
    wrap_titles(spec)
    return script_json(spec)


def compile_charts(html: str) -> str:
    """Return a finished page whose charts hold Vega's specifications."""

    def compiled(match: re.Match) -> str:
        figure = match[1].replace(">", ' data-spec="vega">')
        return f'{figure}<script type="application/json">{_compiled(match[2])}</script>'

    return CHART.sub(lambda m: m[0] if "data-spec=" in m[1] else compiled(m), html)
