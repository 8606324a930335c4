"""Diagrams: nothing touches, nothing is cut off, and the symbols are those of the chapters."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from tests.chapters.notebooks import ROOT, cells, markdown
from tests.core.letters import width_px
from tunables.core.diagram import WIDTH, parse_diagram
from tunables.core.registry import chapters_with_diagram, diagram_path, find_diagram
from tunables.page.chapters import find_chapter, page_name
from tunables.views.charts import with_drawings
from tunables.views.diagram import diagram

SLUGS = chapters_with_diagram()
PADDING, APART = 3, 1
GREEK = {r"\lambda": "λ", r"\Lambda": "Λ", r"\mu": "μ"}
Frame = tuple[float, float, float, float]  # left, top, right, bottom


def source(slug) -> str:
    return diagram_path(slug).read_text(encoding="utf-8")


def runs(element, size):
    """Yield (words, font size) of a text and of the tspans in it."""
    size = float(element.get("font-size", size))
    yield element.text or "", size
    for child in element:
        yield from runs(child, size)
        yield child.tail or "", size


def text_frame(text, anchor, size) -> Frame:
    """Return the frame of a line of text, as wide as its letters are at most."""
    words, sizes = map(list, zip(*runs(text, size), strict=True))
    words[0] = words[0].lstrip()
    words[-1] = words[-1].rstrip()
    width = sum(map(width_px, words, sizes))
    x, y = float(text.attrib["x"]), float(text.attrib["y"])
    left = x - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", anchor)]
    return left, y - 0.8 * size, left + width, y + 0.25 * size


def around(frames) -> Frame:
    """Return the frame around others."""
    left, top, right, bottom = zip(*frames, strict=True)
    return min(left), min(top), max(right), max(bottom)


def rect_frame(rect) -> Frame:
    x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


class Layout:
    """The frames of a drawing's parts: labels, boxes and rows, the lines in boxes, the arrows.

    A group with rects is a box or a row of places; its texts are the lines in the box. A text
    outside such a group is a label. An arrow is a polyline, of straight pieces without breadth.
    """

    def __init__(self, svg: str):
        root = ElementTree.fromstring(parse_diagram(svg).drawing)
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
        self.sheet = tuple(map(float, root.attrib["viewBox"].split()))  # its corner is at 0, 0
        self.labels: dict[str, Frame] = {}
        self.parts: dict[str, Frame] = {}
        self.lines: dict[tuple[str, str], Frame] = {}  # by (box, line)
        self.strokes: dict[str, Frame] = {}
        self.size = float(root.attrib["font-size"])
        for group in (root, *root.iter("g")):
            self._read(group)
        for arrow in root.iter("polyline"):
            corners = [
                tuple(map(float, each.split(","))) for each in arrow.attrib["points"].split()
            ]
            for (a, b), (c, d) in pairwise(corners):
                self.strokes[f"{a:g},{b:g} {c:g},{d:g}"] = (
                    *(min(a, c), min(b, d)),
                    *(max(a, c), max(b, d)),
                )

    def _read(self, group):
        texts = {
            " ".join("".join(text.itertext()).split()): text_frame(
                text, group.get("text-anchor", "start"), self.size
            )
            for text in group.findall("text")
        }
        rects = [rect_frame(rect) for rect in group.findall("rect")]
        if not rects:
            self.labels |= texts
            return
        name = " ".join(texts) or f"{len(rects)} places at {rects[0][0]:g},{rects[0][1]:g}"
        self.parts[name] = around(rects)
        self.lines |= {(name, line): frame for line, frame in texts.items()}


def touch(one, other, room=APART):
    return (
        one[0] < other[2] + room
        and other[0] < one[2] + room
        and one[1] < other[3] + room
        and other[1] < one[3] + room
    )


def within(inner, outer, room=0.0):
    return (
        inner[0] >= outer[0] + room
        and inner[1] >= outer[1] + room
        and inner[2] <= outer[2] - room
        and inner[3] <= outer[3] - room
    )


def troubles(svg: str) -> list[str]:
    """Return what touches, and what is cut off by the drawing's edge or its box."""
    drawn = Layout(svg)
    everything = drawn.labels | drawn.parts
    found = [
        name for name, each in (everything | drawn.strokes).items() if not within(each, drawn.sheet)
    ]
    found += [
        f"{a} | {b}"
        for (a, one), (b, other) in combinations(everything.items(), 2)
        if touch(one, other)
    ]
    found += [
        f"{line} | {text}"
        for line, stroke in drawn.strokes.items()
        for text, place in drawn.labels.items()
        if touch(stroke, place)
    ]
    found += [
        f"{line} | {name}"
        for line, stroke in drawn.strokes.items()
        for name, place in drawn.parts.items()
        if touch(stroke, place, -APART)
    ]
    found += [
        f"{box} | {line}"
        for (box, line), place in drawn.lines.items()
        if not within(place, drawn.parts[box], PADDING)
    ]
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_touches_and_nothing_is_cut_off(slug):
    assert troubles(source(slug)) == []


SMALL = f"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} 100" width="{WIDTH}" height="100"
  font-size="13" aria-label="Clients ask a server
    for N changes." data-caption="The changes:">
  <!-- Arrow -->
  <g fill="none"><polyline points="84,47 134,47"/></g>
  <!-- Clients -->
  <g text-anchor="middle">
    <rect x="0" y="24" width="84" height="46"/>
    <text x="42" y="52">clients</text>
  </g>
  <!-- Server -->
  <g text-anchor="middle">
    <rect x="134" y="24" width="96" height="46"/>
    <text x="182" y="52">server</text>
  </g>
  <!-- Places -->
  <g><rect x="300" y="24" width="11" height="11"/><rect x="314" y="24" width="11" height="11"/></g>
  <!-- Labels -->
  <text x="109" y="92" text-anchor="middle">
    <tspan class="symbol" data-symbol="N" data-meaning="changes &gt; 0" font-size="16">N</tspan>
    changes
  </text>
</svg>
"""


def changed(old: str, new: str) -> str:
    """Return the small diagram with a change."""
    assert SMALL.count(old) == 1
    return SMALL.replace(old, new)


def test_a_small_diagram_has_no_trouble():
    assert troubles(SMALL) == []


@pytest.mark.parametrize(
    ("old", "new", "trouble"),
    [
        ("</svg>", '<text x="300" y="92">too long for here</text></svg>', "too long for here"),
        ("</svg>", '<text x="90" y="50">on it</text></svg>', "84,47 134,47 | on it"),
        ("</svg>", '<text x="4" y="80">x</text></svg>', "x | clients"),
        ("</svg>", '<text x="4" y="60">x</text></svg>', "x | clients"),
        ('x="314"', 'x="350"', "2 places at 300,24"),
        ("84,47 134,47", "84,47 300,47 300,35", "84,47 300,47 | server"),
        ("84,47 134,47", "84,47 84,120", "84,47 84,120"),
        (">server<", ">a server, far too slow<", "a server, far too slow | a server, far too slow"),
    ],
)
def test_a_trouble_is_seen(old, new, trouble):
    assert trouble in troubles(changed(old, new))


@pytest.mark.parametrize("slug", SLUGS)
def test_no_letter_is_smaller_than_12_px_on_a_phone(slug):
    html = with_drawings(diagram(slug)._repr_html_())
    assert f'width="{WIDTH}"' in html
    assert WIDTH <= 390 - 2 * 16
    assert min(map(float, re.findall(r'font-size="([^"]+)"', html))) >= 12


@pytest.mark.parametrize("slug", SLUGS)
def test_a_symbol_is_drawn_as_it_is_named(slug):
    root = ElementTree.fromstring(find_diagram(slug).drawing)
    for symbol in root.iterfind(".//*[@class='symbol']"):
        assert "".join(symbol.itertext()) == symbol.attrib["data-symbol"].replace("_", "")
        upright = "Α" <= (symbol.text or "") <= "Ω"  # as in formulas, capital Greek letters
        assert symbol.get("font-style") == ("normal" if upright else "italic")


def read(latex):
    """Return a formula with its symbols as the drawing writes them."""
    for name, letter in GREEK.items():
        latex = latex.replace(name, letter)
    latex = re.sub(r"_\\text\{(\w+)\}", r"_\1", latex)
    return re.sub(r"\\mathit\{(\w+)\}", r"\1", latex)


def symbols_in(latex):
    """Return all symbols of a formula: letters, with the subscripts that are words."""
    bare = re.sub(r"\\(text|mathrm)\{[^}]*\}|\\[a-zA-Z]+", " ", read(latex))
    return set(re.findall(r"RTT|[A-Za-zλΛμ](?:_[a-z]{2,})?", bare))


@pytest.mark.parametrize("slug", SLUGS)
def test_each_symbol_is_the_chapters(slug):
    number = find_chapter(slug).number
    shared, _, own = (ROOT / "book" / "notation.md").read_text().partition("## Chapter 1")
    own = f"## Chapter 1{own}".split(f"## Chapter {number}")[1].split("\n## ")[0]
    rows = [row for row in shared.splitlines() if re.search(rf"\b{number}\b[^|]*\|$", row)]
    known = set()
    for row in rows + own.splitlines():
        if row.startswith("| $"):
            known |= symbols_in(row.split("|")[1].replace("$", " "))
    drawn = find_diagram(slug).symbols
    assert drawn
    assert {name.split("_")[0] for name in drawn} <= known


@pytest.mark.parametrize("slug", SLUGS)
def test_the_chapter_shows_its_diagram_and_then_a_formula_of_its_symbols(slug):
    path = ROOT / "chapters" / f"{page_name(slug)}.ipynb"
    call = f'diagram("{slug.replace("_", "-")}")'
    both = cells(path, "code", "markdown")
    place = next(n for n, cell in enumerate(both) if call in cell["source"])
    shown = both[place]
    html = "".join(shown["outputs"][0]["data"]["text/html"])
    assert html == diagram(slug)._repr_html_(), "the chapter is out of date: run `make notebooks`"
    after = "".join(cell["source"] for cell in both[place:] if cell["cell_type"] == "markdown")
    named = [symbols_in(found.strip("$")) for found in re.findall(r"\$\$.*?\$\$", after, re.S)]
    drawn = set(find_diagram(slug).symbols)
    assert any(len(symbols & drawn) > 2 for symbols in named)
    formulas = re.findall(r"\$\$.*?\$\$|\$[^$\n]+\$", markdown(path), re.DOTALL)
    assert drawn <= {name for each in formulas for name in symbols_in(each.strip("$"))}


def test_what_an_author_writes_is_read():
    small = parse_diagram(SMALL)
    assert small.words == "Clients ask a server for N changes."
    assert small.caption == "The changes:"
    assert small.symbols == {"N": "changes > 0"}
    assert "<!--" not in small.drawing
    assert "\n" not in small.drawing
    assert parse_diagram(small.drawing) == small


SYMBOL = '<tspan class="symbol" data-symbol="N" data-meaning="b">N</tspan>'


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("</svg>", "", "svg: must be XML; no element found: line"),
        ("</svg>", "&nbsp;</svg>", "svg: must be XML; undefined entity"),
        ("<svg ", "<!DOCTYPE svg><svg ", "must be without <!DOCTYPE>"),
        (' xmlns="http://www.w3.org/2000/svg"', "", "root of the svg = 'svg': must be <svg xmlns="),
        ("</svg>", "<script>1</script></svg>", "element = 'script': must be one of g, "),
        ("</svg>", "<svg/></svg>", "element = 'svg': must be one of"),
        ("</svg>", "<image/></svg>", "element = 'image': must be one of"),
        ("</svg>", '<a xmlns="x"/></svg>', "element = '{x}a': must be one of"),
        ('<rect x="0"', '<rect onclick="f" x="0"', "attribute of <rect> = 'onclick': must be one"),
        ('<rect x="0"', '<rect style="" x="0"', "attribute of <rect> = 'style': must be one that"),
        ('<rect x="0"', '<rect href="x" x="0"', "attribute of <rect> = 'href': must be one that"),
        ('fill="none"', 'fill="url(http://a.example/b)"', "fill of <g> = .*: must be without"),
        ('fill="none"', r'fill="u\72l(x)"', "fill of <g> = .*: must be without a backslash"),
        ("0 0 358 100", "0 0 360 100", "viewBox = '0 0 360 100': must be 358 wide"),
        (' viewBox="0 0 358 100"', "", "viewBox = '': must be 358 wide"),
        ('width="358"', 'width="400"', "width = '400': must be 358, as in the viewBox"),
        (' height="100"', "", "height = None: must be 100, as in the viewBox"),
        ("aria-label", "aria-hint", "aria-label of <svg> = '': must be a text"),
        ("The changes:", " ", "data-caption of <svg> = '': must be a text"),
        (' data-meaning="changes &gt; 0"', "", "data-meaning of symbol N = '': must be a text"),
        (' data-symbol="N"', "", "data-symbol of <tspan> = '': must be a text"),
        ("changes\n", f"changes {SYMBOL}\n", "symbol = 'N': must be drawn once"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_a_sentence(old, new, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_diagram(changed(old, new))


def test_a_fault_names_the_file(tmp_path, monkeypatch):
    (tmp_path / SLUGS[0]).mkdir()
    (tmp_path / SLUGS[0] / "diagram.svg").write_text("<svg/>")
    monkeypatch.setattr("tunables.chapters.__path__", [str(tmp_path)])
    with pytest.raises(ValueError, match=rf"^{SLUGS[0]}/diagram\.svg: root of the svg = 'svg'"):
        diagram(SLUGS[0])
    refused = f"chapter with a diagram = .*: must be one of {SLUGS[0]}$"
    with pytest.raises(ValueError, match=refused):
        diagram(SLUGS[1])
    with pytest.raises(ValueError, match="chapter"):
        diagram("no chapter")
