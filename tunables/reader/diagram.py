"""`diagram(chapter)`: the chapter's system on its first screen, as a picture with its words.

The page's script makes the symbols answer: see book/_static/diagram.js.
"""

import json
from dataclasses import dataclass
from html import escape

from tunables.parts.diagram import SYMBOL, WIDTH, Arrow, Box, Diagram, Label, Places, Point
from tunables.parts.registry import find_diagram
from tunables.reader.pictures import with_pictures

TEXT_PX, SYMBOL_PX, SUBSCRIPT_PX, LINE_PX = 13, 16, 12, 20
HEAD_PX = 5  # half of an arrow's head
# A page sets the colours for its ground; where it does not, they hold on light and on dark.
SOFT = "var(--diagram-soft, #767676)"
MODEL = "var(--diagram-model, #0d7fc0)"
RAISED = "var(--diagram-raised, #80808030)"


def _symbol(letter: str, subscript: str | None) -> str:
    """Return a symbol as it stands in formulas: letters lean, capital Greek stands upright."""
    style = "normal" if "Α" <= letter <= "Ω" else "italic"
    name, below, back = letter, "", ""
    if subscript:
        name = f"{letter}_{subscript}"
        below = f'<tspan dy="3" font-size="{SUBSCRIPT_PX}" font-style="normal">{subscript}</tspan>'
        back = '<tspan dy="-3">\u200b</tspan>'
    return (
        f'<tspan class="symbol" font-size="{SYMBOL_PX}" font-style="{style}" fill="{MODEL}" '
        f'data-symbol="{name}">{letter}{below}</tspan>{back}'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    pieces, end = "", 0
    for match in SYMBOL.finditer(text):
        pieces += escape(text[end : match.start()]) + _symbol(match[1], match[2])
        end = match.end()
    pieces += escape(text[end:])
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{pieces}</text>'


def base_lines(box: Box) -> list[float]:
    """Return the height of each line's foot, all of them in the middle of the box."""
    first = box.y + box.height / 2 - (len(box.lines) - 1) * LINE_PX / 2 + TEXT_PX * 0.36
    return [first + number * LINE_PX for number in range(len(box.lines))]


def _box(box: Box) -> str:
    frame = (
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="6" '
        f'fill="{RAISED}" stroke="{SOFT}"/>'
    )
    feet = zip(base_lines(box), box.lines, strict=True)
    return frame + "".join(_text(box.x + box.width / 2, y, line, "middle") for y, line in feet)


def _places(row: Places) -> str:
    def squares(first: int, last: int) -> str:
        return "".join(
            f"M{row.x + n * row.side + 1.5:g} {row.y + 1.5:g}h{row.side - 3:g}v{row.side - 3:g}"
            f"h{3 - row.side:g}z"
            for n in range(first, last)
        )

    free = row.count - row.taken
    return (
        f'<path d="{squares(0, free)}" fill="none" stroke="{SOFT}"/>'
        f'<path d="{squares(free, row.count)}" fill="{SOFT}" stroke="{SOFT}"/>'
    )


def _head(last: Point, tip: Point) -> str:
    """Return an arrow's head at its tip, for a line that runs across or down."""
    way = [(b > a) - (b < a) for a, b in zip(last, tip, strict=True)]
    x, y = (end - 2 * HEAD_PX * step for end, step in zip(tip, way, strict=True))
    across, down = HEAD_PX * way[1], HEAD_PX * way[0]
    corners = [tip, (x - across, y - down), (x + across, y + down)]
    return f"M{'L'.join(f'{a:g} {b:g}' for a, b in corners)}z"


def _arrow(diagram: Diagram, arrow: Arrow) -> str:
    route = diagram.route(arrow)
    line = "L".join(f"{x:g} {y:g}" for x, y in route)
    return (
        f'<path d="M{line}" fill="none" stroke="{SOFT}" stroke-width="1.5"/>'
        f'<path d="{_head(*route[-2:])}" fill="{SOFT}"/>'
    )


def _label(label: Label) -> str:
    return _text(label.x, label.y, label.text, label.anchor)


def drawing(diagram: Diagram) -> str:
    """Return the drawing as SVG, with its words for those who do not see it."""
    parts = (_box(part) if isinstance(part, Box) else _places(part) for part in diagram.parts)
    arrows = (_arrow(diagram, arrow) for arrow in diagram.arrows)
    inside = "".join([*arrows, *parts, *map(_label, diagram.labels)])
    return (
        f'<svg viewBox="0 0 {WIDTH} {diagram.height:g}" width="{WIDTH}" '
        f'height="{diagram.height:g}" overflow="visible" font-size="{TEXT_PX}" '
        f'fill="currentColor" role="img" aria-label="{escape(diagram.words)}">{inside}</svg>'
    )


def _meanings(diagram: Diagram) -> str:
    """Return what the symbols mean as an attribute for the page's script."""
    return escape(json.dumps(diagram.symbols, ensure_ascii=False))


@dataclass(frozen=True)
class View:
    """A diagram as a cell shows it: a figure, or its words."""

    diagram: Diagram

    def __repr__(self) -> str:
        return self.diagram.words

    def _repr_html_(self) -> str:
        return with_pictures(
            f'<figure class="tunables-diagram" data-meanings="{_meanings(self.diagram)}">'
            f'<div class="diagram-drawing">{drawing(self.diagram)}</div>'
            f"<figcaption>{escape(self.diagram.lead)}</figcaption></figure>"
        )


def diagram(chapter: str | int) -> View:
    """Return the diagram of a chapter's system; raises ValueError for a chapter without one."""
    return View(find_diagram(chapter))
