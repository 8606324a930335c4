"""What surrounds every page: a bar that fits and stays, fonts in which no text jumps, few bytes."""

import gzip

import pytest

from tests.browser.checks import FRAMES
from tests.browser.conftest import AWAKE, SITE
from tunables.page.chapters import CHAPTERS, page_name

CHAPTER = "chapters/03-cache-cliff.html"
FONTS = SITE / "_static" / "vendor" / "fonts"
MOST_OF_FONTS = 95_000  # bytes
MOST_AT_LOAD = 1_000_000  # bytes, packed
MOST_SHIFT = 0.02

pytestmark = pytest.mark.browser

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) {
    if (!hadRecentInput) shifts.push(value);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("path", ["book/index.html", CHAPTER])
def test_nothing_moves_while_a_page_loads(reader, path, size):
    visitor = reader(viewport={"width": size[0], "height": size[1]}, alone=True)
    visitor.page.add_init_script(SHIFTS)
    page = visitor.open_when_ready(path)
    page.wait_for_timeout(500)
    assert page.evaluate("shifts.reduce((sum, value) => sum + value, 0)") <= MOST_SHIFT


@pytest.mark.parametrize("path", ["book/index.html", CHAPTER])
def test_a_page_loads_few_bytes_and_is_set_in_the_books_fonts(reader, path):
    visitor = reader(alone=True)
    sizes = {}

    def note(response):
        if response.url.startswith(visitor.site) and response.status == 200:
            sizes[response.url] = len(gzip.compress(response.body()))

    visitor.page.on("response", note)
    page = visitor.page
    page.goto(f"{visitor.site}/{path}", wait_until="load")
    page.evaluate("document.fonts.ready.then(() => null)")
    at_load = sum(sizes.values())
    assert any(url.endswith("fonts/serif.woff2") for url in sizes)
    assert 100_000 < at_load <= MOST_AT_LOAD, sorted(sizes.items(), key=lambda one: -one[1])[:8]
    page.wait_for_function(AWAKE)
    used = page.evaluate(
        "[...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family)"
    )
    assert {"Tunables Serif", "Tunables Display", "Tunables Sans"} <= {
        family.strip('"') for family in used
    }


def test_the_fonts_are_small():
    sizes = [path.stat().st_size for path in FONTS.glob("*.woff2")]
    assert len(sizes) == 4
    assert sum(sizes) <= MOST_OF_FONTS


@pytest.mark.sampled
@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1280, 1600])
@pytest.mark.parametrize("path", ["book/index.html", CHAPTER, "labs/03-cache-cliff.html"])
def test_the_bar_is_one_row_that_fits_and_stays_in_reach(reader, path, width):
    page = reader(viewport={"width": width, "height": 800}).open(path)
    page.evaluate("scrollTo({ top: 900, behavior: 'instant' })")
    page.evaluate(FRAMES)
    bar = page.locator(".book-bar")
    assert bar.bounding_box()["y"] == 0
    assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
    boxes = [part.bounding_box() for part in bar.locator("a:visible, button:visible").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 52 for box in boxes)
    assert all(box["height"] >= 40 for box in boxes)
    assert len(boxes) >= 5


def test_the_bar_names_the_chapter_that_is_read(reader):
    page = reader().open(CHAPTER)
    chapters = page.get_by_role("navigation", name="Chapters")
    assert chapters.get_by_role("link").count() == len(CHAPTERS)
    assert chapters.locator("[aria-current=page]").inner_text().split() == [
        "3",
        "The",
        "LRU",
        "cliff",
    ]
    chapters.get_by_role("link", name="Timeouts and retries").click()
    page.wait_for_url(f"**/{page_name(2)}.html")
    page.get_by_role("link", name="Tunables", exact=True).click()
    page.wait_for_url("**/book/index.html")


def test_the_first_stop_of_the_keyboard_leads_to_the_text(reader):
    page = reader().open(CHAPTER)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.hash") == "#main-content"
