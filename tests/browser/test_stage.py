"""Chapter 3's stage in the page: moved by hand, by keys and by links; still for those who ask."""

import pytest

from tests.browser.checks import assert_accessible, assert_accessible_in_the_dark
from tests.browser.stages import (
    WIDTHS,
    assert_words_stand_within,
    awake,
    columns,
    said,
    sentence,
    wait_until_it_stands,
)
from tunables.parts.registry import find_stage

CHAPTER = "chapters/03-cache-cliff.html"

pytestmark = pytest.mark.browser


def opened(visitor, query=""):
    return awake(visitor.open(f"{CHAPTER}{query}"), "rrd")


def test_a_link_in_the_text_sets_the_machine_and_lets_it_run(reader):
    visitor = reader()
    box = opened(visitor)
    assert "Request 13, in scan 2: file 1, a hit." in said(box, "Request 13")
    box.page.locator(".guess-answer summary").first.click()  # the links stand in the answer
    box.page.locator("p > a[href='#stage-rrd-hole']").click()
    assert "file 2, the very next one wanted, leaves" in said(box, "Request 27, in scan 3: file 1,")
    assert "14 misses; 20.00 times as slow" in sentence(box)
    assert box.get_by_label("Files in each scan").input_value() == "13"
    box.page.wait_for_url(lambda url: "stage.rrd.files=13" in url)
    assert "stage.rrd.request=27" in box.page.url
    # Of these settings.
    current = "p > a[href^='#stage-rrd-']:not([href*='full-size'])[aria-current]"
    assert box.page.locator(current).count() == 2
    box.get_by_label("Speed").select_option("80")
    box.page.locator("p > a[href='#stage-rrd-one-more']").click()
    box.get_by_role("button", name="Pause").wait_for()
    said(box, "Request 30,")  # and there it rests
    box.get_by_role("button", name="Play").wait_for()
    assert visitor.troubles == []


def test_what_the_kernels_do_in_the_page_is_what_they_do_here(reader):
    box = opened(reader())
    stage = find_stage("rrd")
    for scheme in ("2q", "random", "lru, zigzag"):
        box.get_by_label("Who leaves, in which order", exact=True).select_option(scheme)
        wait_until_it_stands(box, scheme=scheme)
        here = stage.play(files=12, scheme=scheme)
        assert columns(box, here) == here


def test_it_runs_by_keys_alone_and_only_when_it_has_the_focus(reader):
    visitor = reader()
    box = opened(visitor, "?stage.rrd.files=13&stage.rrd.scheme=mru&stage.rrd.request=25")
    first = said(box, "Request 25, in scan 2: file 12, a miss; file 11 leaves")
    box.page.keyboard.press("ArrowRight")
    assert sentence(box) == first
    time = box.get_by_role("slider", name="Time", exact=True)
    time.focus()
    box.page.keyboard.press("ArrowRight")
    said(box, "Request 26,")
    box.page.keyboard.press("ArrowLeft")
    assert said(box, "Request 25,") == first
    box.page.keyboard.press("End")
    said(box, "Request 325,")
    box.page.keyboard.press("Home")
    said(box, "Request 1,")
    box.page.keyboard.press("Space")
    box.get_by_role("button", name="Pause").wait_for()
    said(box, "Request 2,")
    box.page.keyboard.press("Space")
    box.get_by_role("button", name="Play").wait_for()
    assert time.get_attribute("aria-valuetext") == sentence(box)


def test_paused_and_out_of_view_it_draws_nothing(reader):
    box = opened(reader())
    page = box.page
    page.evaluate("""() => {
      globalThis.changes = 0;
      new MutationObserver(() => { changes += 1; })
        .observe(document.querySelector('#stage-rrd'), {subtree: true, attributes: true});
    }""")
    page.wait_for_timeout(400)
    assert page.evaluate("changes") == 0
    box.get_by_role("button", name="Play").click()
    page.wait_for_function("() => changes > 50")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(300)
    seen = page.evaluate("changes")
    page.wait_for_timeout(400)
    assert page.evaluate("changes") == seen


@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_accessible_and_fits_in_every_look(reader, width):
    box = opened(reader(viewport={"width": width, "height": 844}))
    box.get_by_role("link", name="The hole").click()
    said(box, "Request 27,")
    assert_accessible(box.page, "#stage-rrd")
    assert_words_stand_within(box)
    for control in box.locator("button, select, input").all():
        assert control.bounding_box()["height"] >= 24
    assert_accessible_in_the_dark(box.page, "#stage-rrd")


def test_without_scripts_and_on_paper_the_stills_stand_there(reader):
    still = find_stage("rrd").beats[2].title
    page = reader(java_script_enabled=False).open(CHAPTER)
    assert page.get_by_text(still).is_visible()
    assert page.locator("#stage-rrd .stage-stills figure svg").count() == 6
    box = opened(reader())
    assert not box.get_by_text(still).is_visible()
    box.page.emulate_media(media="print")
    assert box.get_by_text(still).is_visible()
    caption = box.locator("figcaption").first
    assert caption.evaluate("box => getComputedStyle(box).fontWeight") == "400"  # not the theme's
    assert not box.locator(".stage-live").is_visible()
    box.page.emulate_media(media="screen", reduced_motion="reduce")
    assert box.get_by_text(still).is_visible()
    box.get_by_role("link", name="One file more").click()
    said(box, "Request 26,")
    box.get_by_role("button", name="Play").wait_for()  # a link starts nothing
