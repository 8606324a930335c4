"""Every page of the book, in a browser that can reach no other host.

A page is loaded once, wide, and then turned dark and narrow; all that holds of it in each look is
asserted together. `make test` visits the first and the last chapter and some pages of each other
kind, and one page of each kind is seen by axe, gone around by Tab and looked at dark. `make harden`
does all of it for all pages.
"""

import pytest

from tests.browser.checks import (
    AT_REST,
    COLOURS,
    assert_accessible,
    assert_accessible_in_the_dark,
    assert_every_id_is_used_once,
    assert_every_picture_becomes_a_live_chart_with_all_its_words,
    assert_every_question_is_answered,
    assert_labels_of_axes_stand_apart,
    assert_no_word_of_a_drawing_is_cut_off,
    assert_nothing_hangs_over,
    assert_reached_by_tab,
    open_parts,
)
from tests.browser.conftest import SITE

PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    # Jupyter Book's own front page only leads on; the theme's templates are no pages.
    if path != SITE / "index.html" and "_static" not in path.parts
)
CHARTED = [
    path
    for path in PAGES
    if path.startswith("chapters")
    or (
        path.startswith(("labs", "book/evidence"))
        and 'class="tunables-chart"' in (SITE / path).read_text()
    )
]
# A page of each kind: a chapter, a lab, an evidence page, a lesson, and what has no source.
CHAPTERS = [path for path in PAGES if path.startswith("chapters")]
OF_A_KIND = {
    "labs/03-cache-cliff.html",
    "book/evidence/03-cache-cliff.html",
    "book/teaching/03-cache-cliff.html",
}
EACH_KIND = OF_A_KIND | {CHAPTERS[-1]} | {path for path in PAGES if "/" not in path}
LOOKED_AT_LATER = sorted({*PAGES} - EACH_KIND)
# The ledger's is the longest table that a script wakes; axe takes half a minute for it.
VISITED = EACH_KIND | {CHAPTERS[0], "book/index.html", "book/ledger.html"}
PHONE, NARROW = ({"width": width, "height": 844} for width in (390, 320))

pytestmark = pytest.mark.browser

REACHABLE = """
() => [...document.querySelectorAll('.pst-scrollable-table-container')]
  .every((table) => table.scrollWidth <= table.clientWidth || table.tabIndex === 0)
"""


def assert_all_fits(page):
    assert_nothing_hangs_over(page)
    assert_labels_of_axes_stand_apart(page)
    assert_no_word_of_a_drawing_is_cut_off(page)


def assert_whole_when_narrow(page, charted, asked):
    """Turn the window narrow; what no width can break, axe's rules of colours, is never asked."""
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    page.set_viewport_size(PHONE)
    if charted:
        assert_every_picture_becomes_a_live_chart_with_all_its_words(page)
    assert_all_fits(page)
    page.set_viewport_size(NARROW)
    page.wait_for_function(REACHABLE)  # the theme sees to its tables a moment later
    page.wait_for_function(AT_REST)
    if asked:
        assert_accessible(page, rules={rule: {"enabled": False} for rule in COLOURS})
    assert_all_fits(page)


def assert_accessible_by_axe_and_tab(page, path):
    assert_accessible(page)
    if path.startswith("chapters"):
        open_parts(page)
        assert_accessible(page, ".part")
    assert_reached_by_tab(page)


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path in VISITED else pytest.mark.long) for path in PAGES],
)
def test_a_page_is_whole_and_accessible(reader, path):
    visitor = reader()
    page = visitor.open_when_ready(path)
    assert page.locator("h1:visible").count() == 1
    if path in EACH_KIND:
        assert_accessible_by_axe_and_tab(page, path)
    assert_every_id_is_used_once(page)
    if path in CHARTED:
        assert_every_picture_becomes_a_live_chart_with_all_its_words(page)
    if path.startswith("chapters"):
        assert_every_question_is_answered(page)
    assert_all_fits(page)
    if path in EACH_KIND:
        assert_accessible_in_the_dark(page)
    assert_whole_when_narrow(page, path in CHARTED, path in EACH_KIND)
    assert visitor.troubles == []


@pytest.mark.long
@pytest.mark.parametrize("path", LOOKED_AT_LATER)
def test_a_page_of_a_kind_is_accessible_in_each_look(reader, path):
    visitor = reader()
    page = visitor.open_when_ready(path)
    assert_accessible_by_axe_and_tab(page, path)
    assert_accessible_in_the_dark(page)
    assert_whole_when_narrow(page, path in CHARTED, asked=True)
    assert visitor.troubles == []


@pytest.mark.sampled
@pytest.mark.parametrize("path", CHARTED)
def test_every_chart_stands_as_a_picture_without_scripts(reader, path):
    still = reader(java_script_enabled=False).open(path)
    figures = still.locator("figure.tunables-chart")
    assert figures.count() > 0
    assert still.locator("figure.tunables-chart:has(svg)").count() == figures.count()


# The colours that a page has had since its body began.
COLOURS_SEEN = """
const seen = window.coloursSeen = new Set();
new MutationObserver(() => {
  if (document.body) seen.add(document.documentElement.dataset.theme);
}).observe(document, {attributes: true, childList: true, subtree: true});
"""


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_page_has_its_colours_from_the_beginning(reader, colours):
    visitor = reader(color_scheme=colours)
    visitor.page.add_init_script(COLOURS_SEEN)
    page = visitor.open_when_ready("chapters/03-cache-cliff.html")
    assert page.evaluate("[...coloursSeen]") == [colours]


def test_the_search_finds_a_word_with_no_server_behind_it(reader):
    visitor = reader()
    page = visitor.open("search.html?q=eviction")
    page.wait_for_selector("#search-results li a")
    links = page.locator("#search-results li a").evaluate_all("all => all.map(a => a.href)")
    assert any("03-cache-cliff" in link for link in links)
    assert visitor.troubles == []


@pytest.mark.parametrize("missing", ["chapters/07-none.html", "a/b/book/none.html"])
def test_an_address_that_leads_nowhere_leads_back_to_the_book(reader, missing):
    visitor = reader()
    page = visitor.page
    body = (SITE / "404.html").read_text()
    page.route("**/none.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.route("**/07-none.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{visitor.site}/{missing}")
    assert f"/{missing}" in page.locator("code").inner_text()
    if missing.startswith("chapters"):
        page.get_by_role("link", name="Contents").click()
        assert page.url.endswith("/html/book/index.html")
        assert page.locator("h1").first.inner_text().startswith("Tunables")


def test_on_paper_there_are_no_controls_and_nothing_is_cut_off(reader):
    page = reader().wake("chapters/03-cache-cliff.html").page
    page.emulate_media(media="print")
    assert page.locator(".tunables-explorer input:visible").count() == 0
    assert page.locator(".tunables-explorer select:visible").count() == 0
    assert not page.locator(".book-pages, .book-bar").first.is_visible()
    page.set_viewport_size({"width": 720, "height": 1000})  # A4 at 96 dpi, less margins
    cut = page.evaluate(
        "[...document.querySelectorAll('main pre, main table')]"
        ".filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.outerHTML.slice(0, 100))"
    )
    assert cut == []
