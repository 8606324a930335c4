"""A page that rests needs no network: simulations, animations, charts, labs and the ledger."""

import pytest

from tests.browser.animations import mounted_animation, wait_for_settings
from tests.browser.conftest import AWAKE, RESTS
from tests.browser.test_hostile_links import MEASURING, labs
from tunables.page.chapters import CHAPTERS, page_name

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def cut_off(reader):
    """Open a page, wait until it rests, and take the network away; return it and its requests."""

    def open_page(path, opens_by_itself=False):
        visitor, asked = reader(alone=True), []
        page = visitor.open(path)
        page.wait_for_function(AWAKE, timeout=60_000)
        if opens_by_itself:  # its engine may still load its files
            page.wait_for_selector(".tunables-lab[data-state]", timeout=60_000)
        page.wait_for_function(RESTS, timeout=60_000)

        def refuse(route):
            if route.request.resource_type != "font":  # an icon that was not in view yet
                asked.append(route.request.url)
            route.abort()

        # Requests for data that stands in the page itself are none.
        page.context.route(lambda url: url.startswith("http"), refuse)
        return page, asked

    return open_page


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", [chapter.slug for chapter in CHAPTERS])
def test_a_chapter_simulates_and_runs_its_animations(cut_off, chapter):
    page, asked = cut_off(f"chapters/{page_name(chapter)}.html")
    explorer = page.locator(".tunables-explorer").first
    explorer.get_by_role("button", name="Simulate").click()
    explorer.locator(".run-bar").get_by_text("simulated").or_(
        explorer.get_by_text("simulated ")
    ).first.wait_for(timeout=120_000)
    for animation in page.locator(".tunables-animation").all():
        name = animation.get_attribute("id")
        page.locator(f"a[href^='#{name}-']:not(.step)").last.click()
        page.wait_for_function("s => !s.animation.engine.current", arg=animation.element_handle())
        assert "could not" not in animation.inner_text()
    assert asked == []


def test_a_chart_that_comes_into_view_is_drawn(cut_off):
    page, asked = cut_off("chapters/03-cache-cliff.html")
    chart = page.locator(".tunables-chart").last
    chart.scroll_into_view_if_needed()
    chart.locator("svg.marks").wait_for()
    assert asked == []


def test_a_animation_runs_with_settings_of_the_readers_own(cut_off):
    page, asked = cut_off("chapters/03-cache-cliff.html")
    box = mounted_animation(page, "rrd")
    box.get_by_label("Eviction policy and scan order", exact=True).select_option("2q")
    wait_for_settings(box, scheme="2q")
    assert asked == []


@pytest.mark.parametrize(("name", "lab"), labs().items())
def test_a_lab_begins(cut_off, name, lab):
    page, asked = cut_off(f"labs/{lab}", opens_by_itself=name not in MEASURING)
    box = page.locator(".tunables-lab").first
    if name in MEASURING:
        box.get_by_role("button", name="Run").first.click()
    page.wait_for_function("s => s.dataset.state", arg=box.element_handle())
    box.locator(".run-bar button:visible").last.click()
    page.wait_for_function("s => s.dataset.state !== 'ready'", arg=box.element_handle())
    assert asked == []


def test_the_ledger_simulates(cut_off):
    page, asked = cut_off("book/ledger.html")
    page.locator(".tunables-ledger").get_by_role("button", name="Simulate").first.click()
    page.wait_for_function(
        "() => document.querySelector('.tunables-ledger').innerText.includes('±')", timeout=120_000
    )
    assert asked == []
