"""A diagram of a chapter's system: the `diagram.svg` in the chapter's folder, read and checked.

People draw and edit the file by hand. Its root has the text alternative in `aria-label`, and in
`data-caption` the sentence below the picture. A symbol is a tspan that names it and says what it
means, with an underscore before a subscript:
<tspan class="symbol" data-symbol="X_pump" data-meaning="the rate of the pump" ...>.
"""

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from tunables.base.arguments import in_short, refuse, text

WIDTH = 358  # px: as wide as a phone's page
NAMESPACE = "http://www.w3.org/2000/svg"
# What draws within the root. Scripts, styles, links and other files' pictures are left out.
ELEMENTS = (
    *("g", "defs", "marker", "title", "desc"),
    *("rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan"),
)
# What runs or fetches something: handlers, links, and addresses outside the file.
FORBIDDEN_NAME = re.compile(r"on.*|style|src|(\{.*\})?(href|base)", re.IGNORECASE)
FORBIDDEN_VALUE = re.compile(r"url\((?!#)|\\", re.IGNORECASE)
SPACES = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True)
class Diagram:
    """A system, drawn.

    drawing: the SVG on one line, without its comments. words: the text alternative. caption:
    the sentence below it. symbols: what each drawn symbol means, by its name.
    """

    drawing: str
    words: str
    caption: str
    symbols: dict[str, str]


def parse_diagram(svg: str) -> Diagram:
    """Return the diagram that a text of SVG draws.

    Raises ValueError for a text that is no XML or no SVG, for an element or attribute that runs or
    fetches something, for a viewBox that is not `WIDTH` wide, for a diagram without words or
    caption, and for a symbol without a meaning, or drawn twice.
    """
    root, *inside = _parse(text("svg", svg)).iter()
    for element in inside:
        _check_name(element)
    for element in (root, *inside):
        _check_attributes(element)
    _check_size(root)
    words, caption = (_words(root, name) for name in ("aria-label", "data-caption"))
    symbols = _symbols(root)
    root.attrib = {"xmlns": NAMESPACE} | root.attrib | {"aria-label": words}
    drawing = ElementTree.tostring(root, encoding="unicode")
    return Diagram(SPACES.sub(" ", drawing).strip(), words, caption, symbols)


def _parse(svg: str) -> ElementTree.Element:
    if "<!DOCTYPE" in svg:  # it could define entities that fill the memory
        refuse("svg", svg, "without <!DOCTYPE>")
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError) as error:
        raise ValueError(f"svg: must be XML; {error}") from None
    if root.tag != f"{{{NAMESPACE}}}svg":
        refuse("root of the svg", root.tag, f'<svg xmlns="{NAMESPACE}">')
    root.tag = "svg"
    return root


def _check_name(element: ElementTree.Element) -> None:
    """Take the namespace off an element's name; raises ValueError if it does more than draw."""
    element.tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    if element.tag not in ELEMENTS:
        refuse("element", element.tag, f"one of {', '.join(ELEMENTS)}")


def _check_attributes(element: ElementTree.Element) -> None:
    for name, value in element.attrib.items():
        if FORBIDDEN_NAME.fullmatch(name):
            refuse(
                f"attribute of <{element.tag}>", name, "one that runs no script and loads nothing"
            )
        if FORBIDDEN_VALUE.search(value):
            allowed = "without a backslash or any url(...) except url(#NAME)"
            refuse(f"{name} of <{element.tag}>", value, allowed)


def _check_size(root: ElementTree.Element) -> None:
    view = root.get("viewBox", "")
    found = re.fullmatch(rf"0 0 {WIDTH} ([1-9]\d*)", view)
    if not found:
        allowed = f'{WIDTH} wide, such as "0 0 {WIDTH} 200"'
        raise ValueError(f"viewBox = {in_short(view)}: must be {allowed}")
    for name, size in (("width", str(WIDTH)), ("height", found[1])):
        if root.get(name) != size:
            refuse(name, root.get(name), f"{size}, as in the viewBox")


def _words(element: ElementTree.Element, name: str, owner: str = "") -> str:
    """Return an attribute without its line breaks; raises ValueError if it is missing or empty."""
    found = SPACES.sub(" ", element.get(name, "")).strip()
    if not found:
        refuse(f"{name} of {owner or f'<{element.tag}>'}", found, "a text")
    return found


def _symbols(root: ElementTree.Element) -> dict[str, str]:
    symbols: dict[str, str] = {}
    for element in root.iter():
        if element.get("class") != "symbol" and "data-symbol" not in element.attrib:
            continue
        name = _words(element, "data-symbol")
        if name in symbols:
            refuse("symbol", name, "drawn once")
        symbols[name] = _words(element, "data-meaning", f"symbol {name}")
    return symbols
