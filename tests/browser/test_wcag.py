"""Criteria of WCAG 2.2 that no other test asks for: what book/conformance.md says of them.

Numbers are those of the criteria. Each page stands for its kind.
"""

import pytest

from tests.browser.checks import (
    assert_accessible,
    assert_nothing_hangs_over,
    once_around,
    open_parts,
)

pytestmark = pytest.mark.browser

CHAPTER = "chapters/03-cache-cliff.html"
PAGES = (
    CHAPTER,
    "book/index.html",
    "labs/03-cache-cliff.html",
    "book/ledger.html",
    "search.html",
    "embed/03-cache-cliff.html",
)
SIZES = [{"width": 1280, "height": 900}, {"width": 390, "height": 844}]
BY_WIDTH = ["wide", "phone"]
# A phone leaves the least room; wide, `make test` looks at the chapter alone.
LOOKS = [
    pytest.param(
        path,
        size,
        id=f"{path}-{width}",
        marks=() if width == "phone" or path == CHAPTER else pytest.mark.long,
    )
    for path in PAGES
    for size, width in zip(SIZES, BY_WIDTH, strict=True)
]

# The spacing that a reader may set, in a rule of the book's own sheet: no page lets in another.
SPACE_OUT = """
() => {
  const sheet = [...document.styleSheets].find(({ href }) => href?.includes('/vendor/'));
  const add = (rule) => sheet.insertRule(rule, sheet.cssRules.length);
  add('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; }');
  add('* { word-spacing: 0.16em !important; }');
  add('p { margin-bottom: 2em !important; }');
}
"""
# Text in a box that cuts it off; what only a screen reader reads is 1 px wide.
CUT_OFF = """
() => [...document.querySelectorAll('body *')]
  .filter((box) => box.clientWidth > 1 && !box.closest('svg, math') && box.innerText?.trim()
    && box.checkVisibility({ visibilityProperty: true }))
  .filter((box) => {
    const { overflowX, overflowY } = getComputedStyle(box);
    const cuts = (overflow) => ['hidden', 'clip'].includes(overflow);
    return (cuts(overflowX) && box.scrollWidth > box.clientWidth + 2)
      || (cuts(overflowY) && box.scrollHeight > box.clientHeight + 2);
  }).map((box) => box.outerHTML.slice(0, 120))
"""
# At each stop of the Tab key: whether any of 25 points of it is in view and not covered.
WATCH = """
() => {
  globalThis.stops = [];
  globalThis.covered = [];
  const shows = (stop) => {
    const { left, top, width, height } = stop.getBoundingClientRect();
    const part = [0.1, 0.3, 0.5, 0.7, 0.9];
    const label = stop.closest('label') ?? stop;
    return part.some((x) => part.some((y) => {
      const seen = document.elementFromPoint(left + x * width, top + y * height);
      return seen && (label.contains(seen) || seen.contains(stop));
    }));
  };
  document.addEventListener('focusin', ({ target: stop }) => {
    globalThis.start ??= stop;
    stops.push({ again: stop === start && stops.length > 0 });
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const hidden = document.activeElement === stop && !shows(stop);
      if (hidden) covered.push(stop.outerHTML.slice(0, 120));
    }));
  });
}
"""


@pytest.mark.parametrize(("path", "size"), LOOKS)
def test_2_5_8_what_is_pressed_is_large_or_stands_apart(reader, path, size):
    page = reader(viewport=size, reduced_motion="reduce").open_when_ready(path)
    open_parts(page)
    rules = {"target-size": {"enabled": True}}
    assert_accessible(page, runOnly=["target-size"], rules=rules)


@pytest.mark.parametrize(("path", "size"), LOOKS)
def test_1_4_12_wider_spacing_cuts_no_text_off(reader, path, size):
    page = reader(viewport=size, reduced_motion="reduce").open_when_ready(path)
    before = page.evaluate(CUT_OFF)
    page.evaluate(SPACE_OUT)
    assert page.evaluate("getComputedStyle(document.body).letterSpacing") != "normal"
    assert [box for box in page.evaluate(CUT_OFF) if box not in before] == []
    assert_nothing_hangs_over(page)


@pytest.mark.parametrize("size", SIZES, ids=BY_WIDTH)
def test_2_4_11_no_bar_and_no_pane_covers_what_has_the_focus(reader, size):
    page = reader(viewport=size, reduced_motion="reduce").open_when_ready(CHAPTER)
    page.evaluate(WATCH)
    once_around(page, 1)
    assert len(page.evaluate("stops")) > 100
    assert page.evaluate("covered") == []


def test_1_4_13_escape_puts_away_what_a_chart_says_under_the_pointer(reader):
    page = reader().open_when_ready(CHAPTER)
    explorer = page.locator("#explore-rrd")
    explorer.scroll_into_view_if_needed()
    drawn = "svg.marks[aria-valuetext]"  # no longer the stored picture
    explorer.locator(".tunables-chart").first.locator(drawn).hover()
    reading = "section => section.explorer.charts[0].reading"
    assert explorer.evaluate(reading) is not None
    page.keyboard.press("Escape")
    assert explorer.evaluate(reading) is None


def test_2_1_4_no_key_of_one_character_acts_outside_a_control(reader):
    page = reader().open_when_ready(CHAPTER)
    state = "() => [document.activeElement.tagName, location.href, scrollY, document.title]"
    before = page.evaluate(state)
    for key in "abcdefghijklmnopqrstuvwxyz0123456789/?.,;'[]":
        page.keyboard.press(key)
    assert page.evaluate(state) == before
    assert page.locator("dialog[open], :popover-open").count() == 0
