"""Charts compiled from Vega-Lite to Vega: what shows them live needs one library less."""

import json
import re
from functools import cache

import vl_convert

from tunables.reader.charts import script_json

CHART = re.compile(
    r'(<figure class="tunables-chart"[^>]*>)<script type="application/json">(.*?)</script>', re.S
)
COMPOSED = ("hconcat", "vconcat", "concat", "facet", "repeat")


def _fitted(spec: dict) -> dict:
    """Return a chart that is as wide as its place in the page, if it is a single one."""
    if any(key in spec for key in COMPOSED):
        return spec
    return spec | {"width": "container", "autosize": {"type": "fit", "contains": "padding"}}


@cache
def _compiled(spec_json: str) -> str:
    return script_json(vl_convert.vegalite_to_vega(_fitted(json.loads(spec_json))))


def compile_charts(html: str) -> str:
    """Return markup whose charts hold Vega's specifications."""

    def compiled(match: re.Match) -> str:
        figure = match[1].replace(">", ' data-spec="vega">')
        return f'{figure}<script type="application/json">{_compiled(match[2])}</script>'

    return CHART.sub(lambda m: m[0] if "data-spec=" in m[1] else compiled(m), html)
