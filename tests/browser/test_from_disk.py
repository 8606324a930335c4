"""A page opened by double-click: text, tables, charts and the live model, with nothing served."""

from pathlib import Path

import pytest

from tests.browser.hands import unfold

SITE = Path(__file__).parents[2] / "_build" / "html"
CHAPTER = SITE / "chapters" / "03-cache-cliff.html"

pytestmark = pytest.mark.browser


@pytest.fixture
def page(disk_page):
    troubles: list = []
    asked: list = []

    def note(request):
        asked.append(request.url)

    def complain(error):
        troubles.append(str(error))

    disk_page.on("pageerror", complain)
    disk_page.on("request", note)
    yield disk_page
    assert troubles == []
    assert [url for url in asked if url.startswith("http")] == []


def test_the_explorer_answers_from_disk(page):
    page.goto(CHAPTER.as_uri())
    page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=60_000)
    section = page.locator(".tunables-explorer")
    page.get_by_role("textbox", name="Usable memory").fill("4")
    page.wait_for_function(
        "() => document.querySelector('[data-output=slowdown]').textContent === '1.00'"
    )
    assert not section.locator(".explorer-message").is_visible()
    section.scroll_into_view_if_needed()
    page.wait_for_selector(".explorer-views [data-drawn] svg.marks")


def test_without_a_worker_the_page_says_how_to_be_read_and_the_table_stands(page):
    page.add_init_script("delete globalThis.Worker")
    page.goto(CHAPTER.as_uri())
    page.get_by_text("could not start").first.wait_for()
    assert "make serve" in page.locator(".tunables-explorer .engine-note").inner_text()
    explorer = unfold(page.locator(".tunables-explorer").first)
    assert "73,469" in explorer.locator("table").inner_text()
