"""A diagram of a chapter's system: boxes, rows of places, arrows, labels with its symbols.

Lengths are pixels of a drawing that is `WIDTH` wide, as wide as a phone's page; y grows
downwards. In every text a symbol stands between dollar signs, and _ begins a subscript:
"waits $T$", "$X_pump$".
"""

import re
from dataclasses import dataclass

from tunables.plain.arguments import choice

WIDTH = 358
SYMBOL = re.compile(r"\$([^$_]+)(?:_([^$]+))?\$")
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """What works: a rounded box around lines of text; x and y are its top left corner."""

    name: str
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Places:
    """Where things wait or are kept: places in a row, the last `taken` of them taken."""

    name: str
    x: float
    y: float
    count: int
    taken: int
    side: float = 14

    @property
    def width(self) -> float:
        """The row's length."""
        return self.count * self.side

    @property
    def height(self) -> float:
        """The row's height."""
        return self.side


@dataclass(frozen=True)
class Label:
    """A line of text; x is its start, middle or end as `anchor` says, y its base line."""

    x: float
    y: float
    text: str
    anchor: str = "start"


@dataclass(frozen=True)
class Arrow:
    """The way from one part to another, by their names; it bends at the points of `via`.

    A straight one runs midway between the edges that both parts share, `shift` beside it.
    """

    start: str
    end: str
    via: tuple[Point, ...] = ()
    shift: float = 0


Part = Box | Places


@dataclass(frozen=True)
class Diagram:
    """A system, drawn; `symbols` tells what each symbol in the drawing and its formula means.

    words: for those who do not see it. lead: to the formula that stands beneath. Raises
    ValueError for an arrow to an unknown part, and for a symbol without a meaning.
    """

    words: str
    lead: str
    height: float
    symbols: dict[str, str]
    parts: tuple[Part, ...]
    arrows: tuple[Arrow, ...] = ()
    labels: tuple[Label, ...] = ()

    def __post_init__(self) -> None:
        names = [part.name for part in self.parts]
        for arrow in self.arrows:
            choice("start of an arrow", arrow.start, names)
            choice("end of an arrow", arrow.end, names)
        for symbol in self.drawn_symbols():
            choice("symbol", symbol, list(self.symbols))

    def texts(self) -> list[str]:
        """Return every line of text in the drawing."""
        boxes = [line for part in self.parts if isinstance(part, Box) for line in part.lines]
        return [*boxes, *(label.text for label in self.labels)]

    def drawn_symbols(self) -> list[str]:
        """Return the symbols of the drawing, in the order of its texts."""
        return [match[0].strip("$") for text in self.texts() for match in SYMBOL.finditer(text)]

    def route(self, arrow: Arrow) -> list[Point]:
        """Return the corners of an arrow, from edge to edge.

        Raises ValueError where a part does not lie straight before the next corner.
        """
        parts = {part.name: part for part in self.parts}
        start, end = parts[arrow.start], parts[arrow.end]
        corners = list(arrow.via) or [_between(start, end, arrow.shift)]
        ends = edge(start, corners[0]), edge(end, corners[-1])
        return [ends[0], *arrow.via, ends[1]]


def _between(start: Part, end: Part, shift: float) -> Point:
    """Return a point from which both parts are reached straight, on their shared middle."""
    low, high = _shared(start.y, start.height, end.y, end.height)
    if low < high:  # side by side
        return _gap(start.x, start.width, end.x, end.width), (low + high) / 2 + shift
    low, high = _shared(start.x, start.width, end.x, end.width)
    return (low + high) / 2 + shift, _gap(start.y, start.height, end.y, end.height)


def _shared(a: float, a_size: float, b: float, b_size: float) -> tuple[float, float]:
    return max(a, b), min(a + a_size, b + b_size)


def _gap(a: float, a_size: float, b: float, b_size: float) -> float:
    return (a + a_size + b) / 2 if a < b else (b + b_size + a) / 2


def edge(part: Part, point: Point) -> Point:
    """Return where a straight line from a point, across or down, meets a part's edge.

    Raises ValueError for a point that lies neither beside the part nor above or below it.

    >>> edge(Box("a", 0, 0, 10, 10, ()), (30, 5))
    (10, 5)
    """
    x, y = point
    right, bottom = part.x + part.width, part.y + part.height
    if part.y <= y <= bottom:
        return (right if x > right else part.x), y
    if part.x <= x <= right:
        return x, (bottom if y > bottom else part.y)
    raise ValueError(f"{point}: must lie straight beside, above or below {part.name!r}")
