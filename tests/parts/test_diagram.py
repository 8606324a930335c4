"""The diagrams: nothing touches, nothing is cut off, and their symbols are the chapters' own."""

import re
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from tests.chapters.notebooks import ROOT, cells, markdown
from tests.parts.letters import width_px
from tunables.page.chapters import find_chapter, page_name, with_facet
from tunables.parts.diagram import SYMBOL, WIDTH, Arrow, Box, Label
from tunables.parts.registry import find_diagram
from tunables.reader.diagram import (
    SUBSCRIPT_PX,
    SYMBOL_PX,
    TEXT_PX,
    base_lines,
    diagram,
)
from tunables.reader.pictures import with_drawings

SLUGS = with_facet("diagram")
PADDING, APART = 3, 1
GREEK = {r"\lambda": "λ", r"\Lambda": "Λ", r"\mu": "μ"}


def text_width(text):
    """Return how wide a line is at most, its symbols included."""
    width, end = 0.0, 0
    for match in SYMBOL.finditer(text):
        width += width_px(text[end : match.start()], TEXT_PX) + width_px(match[1], SYMBOL_PX)
        width += width_px(match[2] or "", SUBSCRIPT_PX)
        end = match.end()
    return width + width_px(text[end:], TEXT_PX)


def frame(x, y, text, anchor):
    """Return (left, top, right, bottom) of a line of text."""
    width = text_width(text)
    left = x - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    return left, y - 0.8 * TEXT_PX, left + width, y + 0.25 * TEXT_PX


def labels(drawn):
    return {each.text: frame(each.x, each.y, each.text, each.anchor) for each in drawn.labels}


def lines(box):
    middle = box.x + box.width / 2
    feet = zip(base_lines(box), box.lines, strict=True)
    return {text: frame(middle, y, text, "middle") for y, text in feet}


def parts(drawn):
    return {p.name: (p.x, p.y, p.x + p.width, p.y + p.height) for p in drawn.parts}


def strokes(drawn):
    """Return each straight piece of the arrows as a frame without breadth."""
    found = {}
    for arrow in drawn.arrows:
        for n, ((a, b), (c, d)) in enumerate(pairwise(drawn.route(arrow))):
            found[f"{arrow.start}-{arrow.end} {n}"] = min(a, c), min(b, d), max(a, c), max(b, d)
    return found


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


def troubles(drawn):
    """Return what touches, and what is cut off by the drawing's edge or its box."""
    sheet = (0, 0, WIDTH, drawn.height)
    everything = labels(drawn) | parts(drawn)
    found = [
        name for name, each in (everything | strokes(drawn)).items() if not within(each, sheet)
    ]
    found += [
        f"{a} | {b}"
        for (a, one), (b, other) in combinations(everything.items(), 2)
        if touch(one, other)
    ]
    found += [
        f"{line} | {text}"
        for line, stroke in strokes(drawn).items()
        for text, place in labels(drawn).items()
        if touch(stroke, place)
    ]
    found += [
        f"{line} | {name}"
        for line, stroke in strokes(drawn).items()
        for name, place in parts(drawn).items()
        if touch(stroke, place, -APART)
    ]
    found += [
        f"{box.name} | {text}"
        for box in drawn.parts
        if isinstance(box, Box)
        for text, place in lines(box).items()
        if not within(place, parts(drawn)[box.name], PADDING)
    ]
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_touches_and_nothing_is_cut_off(slug):
    assert troubles(find_diagram(slug)) == []


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        ({"labels": (Label(300, 41, "too long for here"),)}, "too long for here"),
        ({"labels": (Label(90, 50, "on the arrow"),)}, "clients-server 0 | on the arrow"),
        ({"labels": (Label(4, 60, "x"),)}, "x | clients"),
        ({"height": 190}, "disk"),
        ({"arrows": (Arrow("clients", "other"),)}, "clients-other 0 | server"),
    ],
)
def test_a_trouble_is_seen(change, trouble):
    assert trouble in troubles(replace(find_diagram("group_commit"), **change))


def test_a_long_line_in_a_box_is_seen():
    drawn = find_diagram("group_commit")
    *others, disk = drawn.parts
    assert isinstance(disk, Box)
    long = replace(disk, lines=("a disk, far too slow",))
    assert troubles(replace(drawn, parts=(*others, long))) == ["disk | a disk, far too slow"]


@pytest.mark.parametrize("slug", SLUGS)
def test_no_letter_is_smaller_than_12_px_on_a_phone(slug):
    html = with_drawings(diagram(slug)._repr_html_())
    assert f'width="{WIDTH}"' in html
    assert WIDTH <= 390 - 2 * 16
    assert min(map(float, re.findall(r'font-size="([^"]+)"', html))) >= 12


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
def test_each_symbol_is_drawn_once_and_is_the_chapters(slug):
    drawn = find_diagram(slug)
    assert sorted(drawn.drawn_symbols()) == sorted(drawn.symbols)
    number = find_chapter(slug).number
    shared, _, own = (ROOT / "book" / "notation.md").read_text().partition("## Chapter 1")
    own = f"## Chapter 1{own}".split(f"## Chapter {number}")[1].split("\n## ")[0]
    rows = [row for row in shared.splitlines() if re.search(rf"\b{number}\b[^|]*\|$", row)]
    known = set()
    for row in rows + own.splitlines():
        if row.startswith("| $"):
            known |= symbols_in(row.split("|")[1].replace("$", " "))
    assert {name.split("_")[0] for name in drawn.symbols} <= known


@pytest.mark.parametrize("slug", SLUGS)
def test_the_chapter_opens_with_its_diagram_and_a_formula_of_its_symbols(slug):
    path = ROOT / "chapters" / f"{page_name(slug)}.ipynb"
    shown = cells(path, "code")[0]
    assert f'diagram("{slug.replace("_", "-")}")' in shown["source"]
    html = "".join(shown["outputs"][0]["data"]["text/html"])
    assert html == diagram(slug)._repr_html_(), "the chapter is out of date: run `make notebooks`"
    formula = cells(path, "markdown")[1]["source"]
    drawn = set(find_diagram(slug).symbols)
    assert symbols_in(formula.strip("$")) <= drawn
    formulas = re.findall(r"\$\$.*?\$\$|\$[^$\n]+\$", markdown(path), re.DOTALL)
    assert drawn <= {name for each in formulas for name in symbols_in(each.strip("$"))}


def test_bad_input_is_told():
    drawn = find_diagram("group_commit")
    with pytest.raises(ValueError, match="end of an arrow = 'tape': must be one of clients, "):
        replace(drawn, arrows=(Arrow("server", "tape"),))
    with pytest.raises(ValueError, match="symbol = 'q': must be one of N, "):
        replace(drawn, labels=(Label(0, 0, "a $q$"),))
    with pytest.raises(ValueError, match="must lie straight beside, above or below 'server'"):
        drawn.route(Arrow("server", "disk", via=((340, 120),)))
    with pytest.raises(ValueError, match="chapter"):
        diagram("no chapter")
