"""A link to a step: its page leads to the step, and the animation's button copies its address."""

import functools

import pytest

from book._ext import shared
from tests.browser.animations import wait_for_rest
from tests.browser.conftest import SITE
from tests.browser.test_embedded import copied
from tunables.core.registry import find_animation
from tunables.page.chapters import find_chapter

pytestmark = pytest.mark.browser

CHAPTER, STEP = "chapters/03-cache-cliff.html", "rrd-hole"
MARKED = '<section class="tunables-animation" id="stage-rrd"'


def _answer(html, route):
    route.fulfill(body=html, content_type="text/html; charset=utf-8")


@pytest.fixture
def visitor(reader):
    """Return a reader of the site as it is where its address is known."""
    visitor = reader()
    bookmark = next(each for each in find_animation("rrd").bookmarks if each.name == "hole")
    shown = shared.shared_page(find_chapter(3), STEP, bookmark, "", f"{visitor.site}/")
    written = (SITE / CHAPTER).read_text(encoding="utf-8")
    assert MARKED in written
    marked = written.replace(MARKED, f'{MARKED} data-share="../share/rrd-"')
    for path, html in ((f"share/{STEP}.html", shown), (CHAPTER, marked)):
        visitor.page.route(f"**/{path}*", functools.partial(_answer, html))
    return visitor


def test_the_button_copies_the_page_of_a_step_which_leads_back_to_the_same_moment(visitor):
    page = visitor.open_when_ready(CHAPTER)
    stage = page.locator("#stage-rrd")
    page.locator('a[href="#stage-rrd-hole"]:not(.step)').click()
    wait_for_rest(stage, "hole")
    said = stage.locator(".animation-sentence").inner_text()
    link = copied(page, stage, "Copy link")
    assert link.startswith(f"{visitor.site}/share/{STEP}.html?stage.rrd.")
    page.goto(link)
    page.wait_for_url(f"**/{CHAPTER}?stage.rrd.*#stage-{STEP}")
    wait_for_rest(stage, "hole")
    assert stage.locator(".animation-sentence").inner_text() == said
    assert visitor.troubles == []


def test_at_settings_of_no_step_the_link_leads_to_the_animation(visitor):
    page = visitor.open_when_ready(f"{CHAPTER}?stage.rrd.files=17")
    page.locator("#stage-rrd[data-step='']").wait_for()
    link = copied(page, page.locator("#stage-rrd"), "Copy link")
    assert link == f"{visitor.site}/{CHAPTER}?stage.rrd.files=17#stage-rrd"
    assert visitor.troubles == []
