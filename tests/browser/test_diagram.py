"""A chapter's diagram: above its formula, and its symbols answer to hand, finger and keys."""

import pytest

from tunables.core.registry import chapters_with_diagram
from tunables.page.chapters import page_name

pytestmark = pytest.mark.browser
PAGES = {slug: f"chapters/{page_name(slug)}.html" for slug in chapters_with_diagram()}
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}

# The right and lower edges of what opens a chapter: title, question, and what asks for the first
# guess, which is the last.
OPENING = """
() => ['h1', '.chapter-question', '.opening .guess-question']
  .map((part) => document.querySelector(part).getBoundingClientRect())
  .map(({right, bottom}) => [right, bottom])
"""
# Of a drawing brought to the top of the window: the right and lower edges of it and of the next
# formula, below the bar.
EDGES = """
() => {
  const drawing = document.querySelector('.diagram-drawing');
  drawing.scrollIntoView();
  const formula = [...document.querySelectorAll('div.math .katex')].find((part) =>
    drawing.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING);
  return [drawing, formula].map((part) => part.getBoundingClientRect())
    .map(({right, bottom}) => [right, bottom]);
}
"""
# How far down the page the first words, what runs first, the drawing, and the explorer begin.
ORDER = """
() => ['.opening-words p:not(.on-paper)', '.one-screen', '.diagram-drawing', '.tunables-explorer']
  .map((part) => document.querySelector(part).getBoundingClientRect().top)
"""
# The smallest letters of the drawing as they stand on the screen, and the buttons over symbols.
DRAWN = """
() => {
  const svg = document.querySelector('.diagram-drawing svg');
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const sizes = [...svg.querySelectorAll('text, tspan')]
    .map((text) => scale * parseFloat(getComputedStyle(text).fontSize));
  return [Math.min(...sizes), svg.querySelectorAll('[data-symbol]').length];
}
"""
# The buttons that do not lie over their symbol, and those whose middles are too close.
ASTRAY = """
() => {
  const buttons = [...document.querySelectorAll('.diagram-drawing button')];
  const middle = (part) => {
    const {left, top, width, height} = part.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const drawn = [...document.querySelectorAll('.diagram-drawing [data-symbol]')].map(middle);
  return buttons.filter((button, n) => far(middle(button), drawn[n]) > 2
    || buttons.some((other) => other !== button && far(middle(other), middle(button)) < 24))
    .map((button) => button.ariaLabel);
}
"""
MARKED = "[...document.querySelectorAll('.katex .is-marked')].map((part) => part.textContent)"
# How many parts of the page's formulas are that letter, and not in a subscript.
LETTERS = """
(letter) => [...document.querySelectorAll('.katex-html .mord.mathnormal')]
  .filter((part) => part.textContent === letter && !part.closest('.msupsub'))
  .length
"""


@pytest.mark.sampled
@pytest.mark.parametrize("slug", PAGES)
def test_a_chapter_opens_with_its_question_and_shows_its_diagram_with_the_formula(reader, slug):
    visitor = reader(viewport=WIDE)
    page = visitor.open(PAGES[slug])
    page.locator(".diagram-drawing button").first.wait_for()
    *first, (_, asked) = page.evaluate(OPENING)
    assert all(right <= WIDE["width"] and bottom <= WIDE["height"] for right, bottom in first)
    assert asked <= 1.4 * WIDE["height"]
    words, *rest = page.evaluate(ORDER)
    assert [words, *rest] == sorted([words, *rest])
    assert words < WIDE["height"]
    for right, bottom in page.evaluate(EDGES):
        assert right <= WIDE["width"]
        assert bottom <= WIDE["height"]
    smallest, symbols = page.evaluate(DRAWN)
    assert smallest >= 12
    assert page.locator(".diagram-drawing button").count() == symbols
    page.wait_for_function(f"() => ({ASTRAY})().length === 0")  # once the letters are there
    page.set_viewport_size(PHONE)
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(ORDER)[0] < PHONE["height"]
    for right, bottom in [*page.evaluate(OPENING)[:2], *page.evaluate(EDGES)]:
        assert right <= PHONE["width"]
        assert bottom <= PHONE["height"]
    assert page.evaluate(DRAWN)[0] >= 12
    page.wait_for_function(f"() => ({ASTRAY})().length === 0")
    assert visitor.troubles == []


def test_a_symbol_is_marked_wherever_it_stands(reader):
    page = reader().open(PAGES["replication"])
    ratio = page.get_by_role("button", name="r: the compression ratio")
    told = page.locator(".diagram-told")
    hint = told.inner_text()
    ratio.hover()
    marked = page.evaluate(MARKED)
    assert marked == ["r"] * page.evaluate(LETTERS, "r")
    assert len(marked) > 2
    assert f"{len(marked)} times" in told.inner_text()
    page.mouse.move(0, 0)
    assert page.evaluate(MARKED) == []
    assert told.inner_text() == hint
    ratio.focus()
    assert page.evaluate(MARKED) == marked
    page.keyboard.press("Enter")
    ratio.evaluate("button => button.blur()")
    assert ratio.get_attribute("aria-pressed") == "true"
    assert page.evaluate(MARKED) == marked  # kept
    # The other way round: a tap in the formula, on a letter with its subscript.
    formula = page.locator(".cell:has(.tunables-diagram) + div.math")
    formula.locator("[data-symbol=X_pump]").dispatch_event("click")
    assert {text.replace("\u200b", "") for text in page.evaluate(MARKED)} == {"Xpump"}
    assert page.get_by_role("button", name="X pump").get_attribute("aria-pressed") == "true"
    assert ratio.get_attribute("aria-pressed") == "false"
    formula.locator("[data-symbol=X]").first.hover()
    assert page.locator("button.is-marked").get_attribute("aria-label").startswith("X: ")
    assert set(page.evaluate(MARKED)) == {"X"}
