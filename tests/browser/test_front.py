"""The front page: a running machine with one control, the chapters as cards, and the doors."""

from urllib.parse import urljoin, urlsplit

import pytest

from tests.browser.animations import mounted_animation, wait_for_settings
from tests.browser.conftest import SITE
from tunables.page.chapters import CHAPTERS

pytestmark = pytest.mark.browser

FRONT = "book/index.html"
ON_CALL = "book/on-call.html"
BEFORE, AFTER = 25, 37  # the first request of the third scan, and of the fourth
LONGEST_S = 5  # what moves by itself for longer needs a button to stop it (WCAG 2.2.2)
MOVED = "box => !box.animation.clock.playing && box.animation.panes.moment.at"


def hero(visitor):
    return mounted_animation(visitor.open(FRONT), "rrd")


def rest(box, moment):
    """Wait until the machine rests at that moment."""
    script = f"([box, at]) => ({MOVED})(box) === at"
    box.page.wait_for_function(script, arg=[box.element_handle(), moment])


def test_it_plays_one_scan_by_itself_in_five_seconds_and_the_address_stays(reader):
    visitor = reader(alone=True)  # a clock is the whole context's
    visitor.page.clock.install()
    box = hero(visitor)
    address = box.page.url
    visitor.page.clock.run_for(1000 * LONGEST_S)  # of the page's time, however slow the machine is
    assert box.evaluate(MOVED) == AFTER
    assert box.page.url == address
    assert visitor.troubles == []


def test_it_plays_nothing_for_who_asks_for_less_motion(reader):
    box = hero(reader(reduced_motion="reduce"))
    box.page.wait_for_timeout(1500)
    assert box.evaluate(MOVED) == BEFORE


def test_it_rests_where_a_link_leads(reader):
    visitor = reader()
    box = mounted_animation(visitor.open(f"{FRONT}?stage.rrd.files=13"), "rrd")
    wait_for_settings(box, files=13)
    box.page.wait_for_timeout(1500)
    assert box.evaluate(MOVED) is not False


def test_one_file_more_plays_on_and_every_request_misses(reader):
    box = hero(reader())
    rest(box, AFTER)
    slider = box.get_by_role("slider", name="Files in each scan")
    slider.press("ArrowRight")
    wait_for_settings(box, files=13)
    figures = box.locator(".animation-figures")
    figures.get_by_text("20.00").first.wait_for()
    box.page.wait_for_function("() => document.querySelector('#stage-rrd').animation.clock.playing")
    box.get_by_role("button", name="Pause").click()
    assert box.get_by_role("button", name="Play").is_visible()


def test_it_has_one_setting_and_no_steps_speeds_or_second_run(reader):
    box = hero(reader())
    assert box.get_by_role("slider").count() == 2  # the setting, and the time
    for absent in (".animation-steps", ".animation-keep", ".segments", "select"):
        assert box.locator(absent).count() == 0
    assert box.get_by_role("button").count() == 4


def test_a_card_for_each_chapter_and_one_page_that_leads_to_each_operators_card(reader):
    page = reader().open(FRONT)
    assert page.locator("a.chapter-card > svg.miniature").count() == len(CHAPTERS)
    to_cards = reader().open(ON_CALL).get_by_role("link", name="Put in your numbers", exact=True)
    for links in (page.locator("a.chapter-card"), to_cards):
        addresses = links.evaluate_all("all => all.map(a => a.getAttribute('href'))")
        assert len(addresses) == len(CHAPTERS)
        for address in addresses:
            to = urlsplit(urljoin(FRONT, address))
            text = (SITE / to.path).read_text(encoding="utf-8")
            assert not to.fragment or f'id="{to.fragment}"' in text


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 1), (390, 844, 1.5)])
def test_headline_question_slider_and_picture_are_on_the_first_screen(
    reader, width, height, screens
):
    box = hero(reader(viewport={"width": width, "height": height}))
    page = box.page
    shown = [page.locator(".hero-claim"), page.locator(".hero-figure > p"), box]
    feet = [part.evaluate("e => e.getBoundingClientRect().bottom") for part in shown]
    assert max(feet) <= screens * height, feet


def test_miniatures_have_the_colours_of_the_page_in_the_dark(reader):
    page = reader(color_scheme="dark").open(FRONT)
    drawn, of_page = page.locator(".miniature").first.evaluate(
        "drawing => [[drawing, '--animation-miss'], [document.documentElement, '--miss']]"
        ".map(([tag, name]) => getComputedStyle(tag).getPropertyValue(name).trim())"
    )
    assert drawn == of_page
