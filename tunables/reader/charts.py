"""Charts that need no other host: altair's specification in the page, a picture beneath it.

A chart is published as a <figure> that holds its Vega-Lite specification as JSON, for the
page's own script to draw live, and an SVG of the same for readers without scripts and for
Jupyter. The id is a hash of the content, so that the same chart gives the same bytes.
"""

import hashlib
import json
import re
from html import escape
from typing import Any

import altair as alt
import vl_convert

from tunables.reader.pictures import with_pictures

WIDTH = 560
HEIGHT = 300
# Okabe and Ito's colours, told apart by colour-blind readers and on light or dark ground.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"]
# Words, axes and the grid take the colour of the text around the chart: a page may be dark.
INK = "currentColor"
FONT = "Roboto, sans-serif"
# By this one words are measured: vl-convert brings it along, so that the SVG is the same whichever
# fonts a machine has.
MEASURED = "Liberation Sans"
CONFIG = {
    "background": "transparent",
    "font": FONT,
    "range": {"category": COLOURS},
    "view": {"continuousWidth": WIDTH, "continuousHeight": HEIGHT, "stroke": None},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": 500,
        "labelColor": INK,
        "titleColor": INK,
        "domainColor": INK,
        "domainOpacity": 0.4,
        "tickColor": INK,
        "tickOpacity": 0.4,
        "gridColor": INK,
        "gridOpacity": 0.15,
    },
    # Few ticks, whose labels never touch: one that would is left out.
    "axisQuantitative": {"tickCount": 5, "labelOverlap": "greedy", "labelSeparation": 8},
    "legend": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "orient": "top",
        "labelLimit": 300,
        "labelColor": INK,
        "titleColor": INK,
    },
    "header": {"labelColor": INK, "titleColor": INK},
    "title": {"fontSize": 13, "anchor": "start", "fontWeight": 500, "color": INK},
    "text": {"color": INK},
    "rule": {"color": INK},
}


@alt.theme.register("tunables", enable=False)
def _theme() -> alt.theme.ThemeConfig:
    return {"config": CONFIG}  # type: ignore[typeddict-item]


def _rounded(value: Any) -> Any:
    """Round every float to 6 significant digits: another machine's last bit changes nothing."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def script_json(value: Any) -> str:
    """Return value as JSON that may stand inside a <script> element."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def svg(spec: dict) -> str:
    """Return the picture of a Vega-Lite specification; the same one gives the same bytes."""
    text = json.dumps(spec)
    picture = vl_convert.vegalite_to_svg(text.replace(FONT, MEASURED)).strip()
    picture = picture.replace(MEASURED, FONT)
    digest = _digest(text)
    # Vega numbers its clip paths as it goes, and a page may hold many pictures.
    found = list(dict.fromkeys(re.findall(r'id="(clip\d+)"', picture)))
    names = {clip: f"clip-{digest}-{index}" for index, clip in enumerate(found)}
    return re.sub(r"\bclip\d+\b", lambda match: names[match[0]], picture)


def _figure(spec: dict, name: str, held: str) -> str:
    """Return a <figure> with the picture of a specification, and what else it holds.

    Raises ValueError for a chart without a description, which is the text that stands for it
    where it cannot be seen.
    """
    description = spec.get("description", "")
    if not description:
        raise ValueError(f"description = {description!r}: must be the chart's text alternative")
    return (
        f'<figure class="tunables-chart" id="chart-{_digest(script_json(spec))}" '
        f'data-name="{escape(name)}">{held}'
        f'<div class="chart-drawing" role="img" aria-label="{escape(description)}">'
        f"{svg(spec)}</div></figure>"
    )


def figure_html(spec: dict, name: str = "") -> str:
    """Return the <figure> of a Vega-Lite specification, which the page's script draws live.

    name: a data-name for the script. Raises ValueError for a chart without a description.
    """
    spec = _rounded(spec)
    return _figure(spec, name, f'<script type="application/json">{script_json(spec)}</script>')


def picture_html(spec: dict, name: str = "") -> str:
    """Return the <figure> of a picture alone, in whose place a script may draw.

    Arguments and errors as those of `figure_html`.
    """
    return _figure(_rounded(spec), name, "")


def _stored(spec: dict) -> str:
    return with_pictures(figure_html(spec))


def enable() -> None:
    """Make altair show charts as figures of this book."""
    alt.theme.enable("tunables")
    alt.renderers.register("tunables", lambda spec, **_: {"text/html": _stored(spec)})
    alt.renderers.enable("tunables")
    # Each chart carries its own data, under a name that depends on the data alone.
    alt.data_transformers.disable_max_rows()
