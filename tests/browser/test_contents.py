"""The contents of a chapter: a panel that moves nothing, and closes by a choice or its button."""

import pytest

from tests.browser.checks import FRAMES, assert_accessible

CHAPTER = "chapters/03-cache-cliff.html"
PANEL = "#pst-secondary-sidebar-modal"
FAR = 3000  # px down the page, where the header is out of view

pytestmark = pytest.mark.browser


@pytest.fixture(params=[1280, 390])
def page(reader, request):
    """A chapter at a laptop's and a phone's width, its button for the contents out of view."""
    height = 800 if request.param == 1280 else 844
    page = reader(viewport={"width": request.param, "height": height}).open_when_ready(CHAPTER)
    page.locator("button.secondary-toggle").first.wait_for(state="attached")
    page.evaluate(f"scrollTo({{ top: {FAR}, behavior: 'instant' }})")
    page.evaluate(FRAMES)
    return page


def scroll_position(page):
    page.evaluate(FRAMES)
    return page.evaluate("scrollY")


def open_contents(page):
    """Open the contents from where one reads: by the button's own click, which moves no page."""
    before = scroll_position(page)
    page.evaluate(
        "() => [...document.querySelectorAll('button.secondary-toggle')]"
        ".find((one) => one.checkVisibility()).click()"
    )
    panel = page.locator(PANEL)
    panel.get_by_role("link", name="Practice").wait_for()
    assert scroll_position(page) == before > 0
    return panel


def assert_within_the_window(panel):
    box, size = panel.bounding_box(), panel.page.viewport_size
    assert box["y"] == 0
    assert box["height"] == size["height"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] == size["width"]


def test_it_opens_beside_what_is_read_and_esc_leaves_the_page_where_it_was(page):
    panel = open_contents(page)
    assert_within_the_window(panel)
    assert_accessible(page, PANEL)
    before = scroll_position(page)
    page.keyboard.press("Escape")
    panel.wait_for(state="hidden")
    assert scroll_position(page) == before > 0
    assert page.locator("#pst-secondary-sidebar nav.page-toc").count() == 1


def test_its_close_button_closes_it(page):
    panel = open_contents(page)
    close = panel.get_by_role("button", name="Close")
    assert close.bounding_box()["height"] >= 44
    before = scroll_position(page)
    close.click()
    panel.wait_for(state="hidden")
    assert scroll_position(page) == before > 0
    open_contents(page)  # and once more


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_an_entry_closes_it_and_leads_to_its_heading_with_the_focus(page, by):
    panel = open_contents(page)
    entry = panel.get_by_role("link", name="Practice")
    place = entry.get_attribute("href")
    if by == "mouse":
        entry.click()
    else:
        entry.focus()
        page.keyboard.press("Enter")
    panel.wait_for(state="hidden")
    heading = page.get_by_role("heading", name="Practice")
    assert heading.evaluate("h => h === document.activeElement")
    top = heading.evaluate("h => h.getBoundingClientRect().top")
    assert 0 <= top < 400
    assert page.url.endswith(place)
    # The page is alive: the next stop of the keyboard is below the heading, and a click is heard.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") > top
    page.locator(".tunables-practice").get_by_role("button", name="New problem").click(timeout=5000)
