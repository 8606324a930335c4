"""A chapter's diagram: beside its first words, and its symbols answer to hand, finger and keys."""

import pytest

from tunables.core.registry import chapters_with_diagram
from tunables.page.chapters import page_name

pytestmark = pytest.mark.browser
PAGES = {slug: f"chapters/{page_name(slug)}.html" for slug in chapters_with_diagram()}
PHONE = {"width": 390, "height": 844}

# What a reader has in view without scrolling: title, question, drawing and formula. What asks for
# the first guess is the last.
EDGES = """
() => [
  'h1', '.chapter-question', '.diagram-drawing', '.opening-figure div.math .katex',
  '.opening-words :is(.guess-question, .admonition.tip .admonition-title)',
].map((part) => document.querySelector(part).getBoundingClientRect())
  .map(({right, bottom}) => [right, bottom])
"""
# On a phone: how far down the first words begin, the drawing ends, and what runs begins.
ORDER = """
() => [
  document.querySelector('.opening-words p:not(.on-paper)').getBoundingClientRect().top,
  document.querySelector('.opening-figure').getBoundingClientRect().top,
  document.querySelector('.one-screen').getBoundingClientRect().top,
]
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


@pytest.mark.sampled
@pytest.mark.parametrize("slug", PAGES)
def test_the_diagram_and_its_formula_are_in_view_and_on_a_phone_after_the_words(reader, slug):
    visitor = reader(viewport={"width": 1280, "height": 800})
    page = visitor.open(PAGES[slug])
    page.locator(".diagram-drawing button").first.wait_for()
    *first, (_, asked) = page.evaluate(EDGES)
    assert all(right <= 1280 and bottom <= 800 for right, bottom in first)
    assert asked <= 1.4 * 800
    smallest, symbols = page.evaluate(DRAWN)
    assert smallest >= 12
    assert page.locator(".diagram-drawing button").count() == symbols
    page.wait_for_function(f"() => ({ASTRAY})().length === 0")  # once the letters are there
    page.set_viewport_size(PHONE)
    assert all(right <= PHONE["width"] for right, _ in page.evaluate(EDGES))
    words, figure, live = page.evaluate(ORDER)
    assert words < PHONE["height"]
    assert words < figure < live
    assert page.evaluate(DRAWN)[0] >= 12
    assert page.evaluate(ASTRAY) == []
    assert visitor.troubles == []


def test_a_symbol_is_marked_wherever_it_stands(reader):
    page = reader().open(PAGES["replication"])
    ratio = page.get_by_role("button", name="r: the compression ratio")
    told = page.locator(".diagram-told")
    hint = told.inner_text()
    ratio.hover()
    marked = page.evaluate(MARKED)
    assert len(marked) > 4
    assert set(marked) == {"r"}
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
    formula = page.locator(".opening-figure div.math")
    formula.locator("[data-symbol=X_pump]").dispatch_event("click")
    assert {text.replace("\u200b", "") for text in page.evaluate(MARKED)} == {"Xpump"}
    assert page.get_by_role("button", name="X pump").get_attribute("aria-pressed") == "true"
    assert ratio.get_attribute("aria-pressed") == "false"
    formula.locator("[data-symbol=X]").hover()
    assert page.locator("button.is-marked").get_attribute("aria-label").startswith("X: ")
    assert set(page.evaluate(MARKED)) == {"X"}
