"""The contents of a page and the list of all pages: panels that move nothing, and close again."""

import pytest

from tests.browser.checks import FRAMES, assert_accessible

CHAPTER = "chapters/03-cache-cliff.html"
FAR = 3000  # px down the page
BAR = 52  # px
PANELS = [
    (".opens-contents", "#page-contents"),
    (".opens-book", "#book-pages"),
    (".opens-menu", "#page-menu"),
]
HEIGHTS = {1280: 800, 390: 844, 320: 600}

pytestmark = pytest.mark.browser


def open_far_down(reader, width, **options):
    viewport = {"width": width, "height": HEIGHTS[width]}
    page = reader(viewport=viewport, **options).open(CHAPTER)
    if options.get("java_script_enabled", True):
        page.wait_for_function("() => document.querySelector('.tunables-practice button')")
        page.evaluate(f"scrollTo({{ top: {FAR}, behavior: 'instant' }})")
        page.evaluate(FRAMES)
    return page


@pytest.fixture(params=[1280, 390])
def page(reader, request):
    """A chapter at a laptop's and a phone's width, far down."""
    return open_far_down(reader, request.param)


def scroll_position(page):
    page.evaluate(FRAMES)
    return page.evaluate("scrollY")


def open_panel(page, button=".opens-contents", panel="#page-contents"):
    """Open a panel by its button in the bar, which is in view wherever one reads."""
    before = scroll_position(page)
    page.locator(button).click()
    found = page.locator(panel)
    found.wait_for()
    assert scroll_position(page) == before > 0
    return found


def assert_within_the_window(panel):
    box, size = panel.bounding_box(), panel.page.viewport_size
    assert box["y"] >= BAR
    assert box["y"] + box["height"] <= size["height"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]


@pytest.mark.sampled
@pytest.mark.parametrize(("button", "panel"), PANELS)
def test_a_panel_opens_over_what_is_read_and_esc_leaves_the_page_where_it_was(page, button, panel):
    opened = open_panel(page, button, panel)
    assert_within_the_window(opened)
    assert_accessible(page, panel)
    before = scroll_position(page)
    page.keyboard.press("Escape")
    opened.wait_for(state="hidden")
    assert scroll_position(page) == before > 0


@pytest.mark.sampled
@pytest.mark.parametrize("tabs", [0, 1, 2, 6])
@pytest.mark.parametrize(("button", "panel"), PANELS)
def test_esc_closes_a_panel_wherever_the_focus_is_in_it_and_gives_it_back(
    page, button, panel, tabs
):
    page.locator(button).press("Enter")
    opened = page.locator(panel)
    opened.wait_for()
    for _ in range(tabs):
        page.keyboard.press("Tab")
    inside = page.evaluate("s => document.activeElement.closest(s) !== null", panel)
    assert inside == (tabs > 0)
    page.keyboard.press("Escape")
    opened.wait_for(state="hidden")
    assert page.evaluate("s => document.activeElement.matches(s)", button)


def test_its_close_button_and_the_page_beside_it_close_the_contents(page):
    panel = open_panel(page)
    close = panel.get_by_role("button", name="Close")
    assert close.bounding_box()["height"] >= 44
    before = scroll_position(page)
    close.click()
    panel.wait_for(state="hidden")
    open_panel(page)  # and once more
    page.mouse.click(5, page.viewport_size["height"] - 5)
    panel.wait_for(state="hidden")
    assert scroll_position(page) == before > 0


@pytest.mark.sampled
@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_an_entry_closes_it_and_leads_to_its_heading_with_the_focus(page, by):
    panel = open_panel(page)
    entry = panel.get_by_role("link", name="Practice")
    place = entry.get_attribute("href")
    if by == "mouse":
        entry.click()
    else:
        entry.focus()
        page.keyboard.press("Enter")
    panel.wait_for(state="hidden")
    heading = page.get_by_role("heading", name="Practice")
    assert heading.evaluate("h => (h.closest('summary') ?? h) === document.activeElement")
    page.evaluate(FRAMES)
    top = heading.evaluate("h => h.getBoundingClientRect().top")
    assert BAR <= top < 400
    assert page.url.endswith(place)
    # The page is alive: the next stop of the keyboard is below the heading, and a click is heard.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= top
    page.locator(".tunables-practice").get_by_role("button", name="New problem").click(timeout=5000)


# The section that is marked, and the last one whose heading is in the upper third of the window.
READ = """
() => {
  const links = [...document.querySelectorAll('#page-contents a')];
  const above = links.map(({ hash }) => document.querySelector(hash).querySelector('h1, h2, h3'))
    .map((heading) => heading.getBoundingClientRect().top <= innerHeight / 3);
  const marked = links.map((link) => Boolean(link.ariaCurrent));
  return [marked.lastIndexOf(true), above.lastIndexOf(true)];
}
"""


def test_the_section_whose_heading_is_in_the_upper_third_is_marked(page):
    open_panel(page)
    found = set()
    for position in (2 * FAR, 4 * FAR, 3 * FAR, 3 * FAR - 400):  # down, and up
        page.evaluate(f"scrollTo({{ top: {position}, behavior: 'instant' }})")
        page.evaluate(FRAMES)
        marked, read = page.evaluate(READ)
        assert marked == read >= 0
        found.add(marked)
    assert len(found) > 1
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    page.evaluate(FRAMES)
    assert page.locator("#page-contents a").last.get_attribute("aria-current") == "true"


def test_panels_open_without_scripts(reader):
    page = open_far_down(reader, 390, java_script_enabled=False)
    for button, panel in ((".opens-contents", "#page-contents"), (".opens-book", "#book-pages")):
        page.locator(button).click()
        page.locator(panel).wait_for()
        page.keyboard.press("Escape")
        page.locator(panel).wait_for(state="hidden")


def test_a_labs_lists_stand_beside_its_text_where_there_is_room(reader):
    page = reader().open("labs/03-cache-cliff.html")
    assert page.locator(".book-pages li.current > a").inner_text().startswith("Lab 3")
    assert page.get_by_role("link", name="Reflect").is_visible()
    assert not page.locator(".opens-book").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.locator(".book-pages").is_visible()
    assert not page.locator("#page-contents").is_visible()
    page.locator(".opens-book").click()
    page.locator(".book-pages").wait_for()
