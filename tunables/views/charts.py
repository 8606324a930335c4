"""Charts that need no other host: a Vega-Lite specification in the page, a picture beneath it.

A chart is published as a <figure> that holds its Vega-Lite specification as JSON, for the
page's own script to draw live, and an SVG of the same for readers without scripts and for
Jupyter. The id is a hash of the content, so that the same chart gives the same bytes.

A notebook keeps drawings as pictures: JupyterLab drops drawings from the outputs of a notebook
that it does not trust yet, and keeps the words of their axes. The book's pages contain the drawings
again, in the page's colours.
"""

import hashlib
import json
import re
from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote, unquote

import altair as alt
import vl_convert

SPACE = ' xmlns="http://www.w3.org/2000/svg"'
# A picture without a page around it needs these.
ALONE = ' style="background:#fff;color:#222;font-family:sans-serif"'
DRAWING = re.compile(r'(aria-label="([^"]*)">\s*)?<svg\b(.*?)</svg>', re.DOTALL)
LABEL = re.compile(r'aria-label="([^"]*)"')
SAFE = " !$'()*+,-./:;<=>?@[]^_`{|}~"  # but for what ends an attribute, or an address
PICTURE = re.compile(r'<img class="drawing" alt="[^"]*" src="data:image/svg\+xml,([^"]*)">')


def _picture(found: re.Match) -> str:
    before, label, inside = found.groups()
    head, end, rest = inside.partition(">")
    own = LABEL.search(head)
    words = own[1] if own else label or ""
    space = "" if SPACE in head else SPACE
    address = quote(f"<svg{ALONE}{space}{head}{end}{rest}</svg>", SAFE)
    return f'{before or ""}<img class="drawing" alt="{words}" src="data:image/svg+xml,{address}">'


def with_pictures(html: str) -> str:
    """Return markup with a picture in place of each drawing, and its label as text alternative."""
    return DRAWING.sub(_picture, html)


def with_drawings(html: str) -> str:
    """Return markup with its drawings again in place of the pictures that `with_pictures` made."""
    return PICTURE.sub(lambda found: unquote(found[1]).replace(ALONE, "", 1), html)


WIDTH = 560
HEIGHT = 300
# Okabe and Ito's colours, told apart by colour-blind readers and on light or dark ground.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"]
# Words, axes and the grid take the colour of the text around the chart: a page may be dark.
INK = "currentColor"
FONT = "Roboto, sans-serif"
# Text is measured in this font, which vl-convert includes: so the SVG does not depend on the
# machine's fonts.
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
    return {"config": CONFIG}


def _round(value: Any) -> Any:
    """Round every float to 6 significant digits: another machine's last bit changes nothing."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _round(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_round(item) for item in value]
    return value


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def script_json(value: Any) -> str:
    """Return value as JSON that is safe inside a <script> element."""
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

    Raises ValueError for a chart without a description, which is the text alternative
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
    spec = _round(spec)
    return _figure(spec, name, f'<script type="application/json">{script_json(spec)}</script>')


def picture_html(spec: dict, name: str = "") -> str:
    """Return the <figure> of a picture alone, in whose place a script may draw.

    Arguments and errors as those of `figure_html`.
    """
    return _figure(_round(spec), name, "")


def _figure_with_picture(spec: dict) -> str:
    return with_pictures(figure_html(spec))


def enable() -> None:
    """Make altair show charts as figures of this book."""
    alt.theme.enable("tunables")
    alt.renderers.register("tunables", lambda spec, **_: {"text/html": _figure_with_picture(spec)})
    alt.renderers.enable("tunables")
    # Each chart carries its own data, under a name that depends on the data alone.
    alt.data_transformers.disable_max_rows()


CHART = re.compile(
    r'(<figure class="tunables-chart"[^>]*>)<script type="application/json">(.*?)</script>', re.S
)
COMPOSED = ("hconcat", "vconcat", "concat", "facet", "repeat")


def _fit_width(spec: dict) -> dict:
    """Return a chart that is as wide as its place in the page, if it is a single one."""
    if any(key in spec for key in COMPOSED):
        return spec
    return spec | {"width": "container", "autosize": {"type": "fit", "contains": "padding"}}


@cache
def _compile(spec_json: str) -> str:
    return script_json(vl_convert.vegalite_to_vega(_fit_width(json.loads(spec_json))))


def compile_charts(html: str) -> str:
    """Return markup whose charts hold Vega's specifications."""

    def compile_match(match: re.Match) -> str:
        figure = match[1].replace(">", ' data-spec="vega">')
        return f'{figure}<script type="application/json">{_compile(match[2])}</script>'

    return CHART.sub(lambda m: m[0] if "data-spec=" in m[1] else compile_match(m), html)
