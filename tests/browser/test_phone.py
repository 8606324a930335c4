"""On a phone: nothing is cut off unsaid, sliders fill their lines, and two runs are compared."""

import pytest

from tests.browser.test_pages import CHARTED
from tunables.page.chapters import CHAPTERS, page_name

PHONE = {"viewport": {"width": 390, "height": 844}}

pytestmark = pytest.mark.browser

# What is cut off at the right, in a box that scrolls and in one that does not say so.
WIDE = """
() => [...document.querySelectorAll('main .bd-article *')].filter((box) => {
  const style = getComputedStyle(box);
  return box.checkVisibility() && box.scrollWidth > box.clientWidth + 1
    && /auto|scroll/.test(style.overflowX) && box.clientWidth > 40;
}).map((box) => [box.outerHTML.slice(0, 90), getComputedStyle(box).backgroundAttachment])
"""
# The slider of a chart's x is as wide as the plot.
NARROW_SLIDERS = """
() => [...document.querySelectorAll('.control:not(.is-axis) .control-inputs input[type=range]')]
  .filter((slider) => slider.checkVisibility())
  .map((slider) => slider.clientWidth / slider.closest('.control').clientWidth)
  .filter((share) => share < 0.95)
"""


@pytest.mark.sampled
@pytest.mark.parametrize("path", CHARTED)
def test_what_scrolls_sideways_has_a_shadow_at_the_edge(reader, path):
    page = reader(**PHONE).open(path)
    wide = page.evaluate(WIDE)
    assert [html for html, shadows in wide if "local, local, scroll, scroll" not in shadows] == []


@pytest.mark.sampled
@pytest.mark.parametrize("path", [path for path in CHARTED if path.startswith("chapters")])
def test_sliders_are_as_wide_as_their_line(reader, path):
    page = reader(**PHONE).open_when_ready(path)
    assert page.locator(".control-inputs input[type=range]:visible").count() > 0
    assert page.evaluate(NARROW_SLIDERS) == []


@pytest.mark.parametrize("path", ["book/on-call.html", "book/six-cliffs.html"])
def test_cells_below_each_other_are_as_wide_as_the_text(reader, path):
    page = reader(**PHONE).open(path)
    text_px = page.locator("main .bd-article section > p").first.bounding_box()["width"]
    cells = page.locator("table.stacks td").evaluate_all(
        "all => all.map(cell => [cell.clientWidth, getComputedStyle(cell, '::before').content])"
    )
    assert len(cells) == 4 * len(CHAPTERS)
    assert all(width > 0.95 * text_px and len(name) > 2 for width, name in cells)


# Words of a row of buttons that stand out of it.
OUT_OF_ROW = """
() => [...document.querySelectorAll('.animation-transport')].flatMap((row) => {
  const frame = row.getBoundingClientRect();
  return [...row.querySelectorAll('*')].filter((part) => {
    const box = part.getBoundingClientRect();
    return part.checkVisibility() && (box.right > frame.right + 1 || box.bottom > frame.bottom + 1
      || part.scrollWidth > part.clientWidth + 1 && part.matches('.animation-rule'));
  }).map((part) => part.textContent);
})
"""


@pytest.mark.parametrize("width", [320, 390])
def test_what_the_front_page_says_of_a_miss_is_within_its_row(reader, width):
    page = reader(viewport={"width": width, "height": 844}).open("index.html")
    page.locator(".animation-rule", has_text="a miss takes").wait_for()
    assert page.evaluate(OUT_OF_ROW) == []


def test_the_number_of_the_open_step_is_that_of_the_words_above_it(reader):
    page = reader(**PHONE).open("chapters/03-cache-cliff.html")
    steps = page.locator(".animation-steps").first
    for number in (2, 3):
        steps.get_by_role("button", name="Next step").click()
        steps.get_by_text(f"Step {number} of").wait_for()
        (link,) = steps.locator("a.step:visible").all()
        # No script can read a counter. A step that is not displayed isn't counted.
        displays = "all => all.map(step => getComputedStyle(step).display)"
        assert "none" not in steps.locator("li").evaluate_all(displays)
        assert link.bounding_box()["y"] - steps.bounding_box()["y"] < 80  # they take no room


def test_a_table_with_long_names_shows_all_its_columns(reader):
    page = reader(**PHONE).open(f"chapters/{page_name('storm')}.html")
    tables = page.locator("table.names-above")
    assert tables.count() == 2
    for table in tables.all():
        assert table.evaluate("t => t.parentElement.scrollWidth - t.parentElement.clientWidth") <= 1
        last = table.locator("tbody tr").first.locator("td").last.bounding_box()
        assert 0 < last["width"] <= 390 - last["x"]
