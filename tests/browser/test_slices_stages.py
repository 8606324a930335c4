"""Chapter 6's two stages in the page: what a reader does there, and what the kernels do."""

import pytest

from tests.browser.checks import assert_accessible, assert_accessible_in_the_dark
from tests.browser.stages import (
    WIDTHS,
    assert_words_stand_within,
    awake,
    columns,
    said,
    wait_until_it_stands,
)
from tunables.parts.registry import find_stage

CHAPTER = "chapters/06-work-queues.html"

pytestmark = pytest.mark.browser


def played(box, name, **settings):
    """Return columns of the run that stands in the page with such settings, and of the own one."""
    wait_until_it_stands(box, **settings)
    here = find_stage(name).play(**settings)
    return columns(box, here), here


def test_a_reader_sees_a_hold_timer_expire_by_one_press(reader):
    visitor = reader()
    page = visitor.open(CHAPTER)
    box = awake(page, "quagga-sessions")
    page.locator("a[href='#stage-quagga-sessions-expires']").first.click()
    assert "Neighbour 1 dropped the session at 61.8 s, 1 of 10" in said(box, "At 63.0 s")
    assert box.locator(".stage-screen svg", has_text="✕ at 61.8 s").is_visible()
    page.wait_for_url(lambda url: "stage.quagga-sessions.second=63" in url)
    page.reload()
    box = awake(page, "quagga-sessions")
    said(box, "Neighbour 1 dropped the session")
    assert visitor.troubles == []


def test_links_set_the_loop_and_its_address_keeps_the_moment(reader):
    visitor = reader()
    page = visitor.open(CHAPTER)
    box = awake(page, "quagga")
    assert "Run 20: 38 items" in said(box, "Run 20:")
    page.locator("p > a[href='#stage-quagga-ratchet']").click()
    assert "197.0 ms, 187.0 beyond the quantum" in said(box, "Run 100:")
    page.wait_for_url(lambda url: "stage.quagga.run=100.7" in url)
    time = box.get_by_role("slider", name="Time", exact=True)
    time.focus()
    page.keyboard.press("ArrowRight")
    said(box, "Run 101:")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    said(box, "Run 99:")
    page.keyboard.press("End")
    assert "All is done" in said(box, "Run 108:")
    page.wait_for_url(lambda url: "stage.quagga.run=108" in url)
    page.reload()
    said(awake(page, "quagga"), "Run 108:")
    assert visitor.troubles == []


def test_what_the_kernels_do_in_the_page_is_what_they_do_here(reader):
    page = reader().open(CHAPTER)
    box = awake(page, "quagga")
    settings = {"work": "drawn", "rule": "2010", "most": "none", "queues": 1}
    box.get_by_label("Rule of growth").select_option("2010")
    there, here = played(box, "quagga", **settings)
    assert there == here
    box.get_by_label("A bound", exact=True).select_option("15")
    there, here = played(box, "quagga", **settings | {"most": "15"})
    assert there == here
    box = awake(page, "quagga-sessions")
    box.get_by_label("It runs", exact=True).select_option("slices")
    there, here = played(box, "quagga-sessions", block=33, work="slices", timers="15/45")
    for name in ("due", "sent", "dropped"):
        here[name] = [float("inf") if each < 0 else each / 1e9 for each in here[name]]
    assert there == here


@pytest.mark.parametrize("width", WIDTHS)
def test_they_are_accessible_and_fit_in_every_look(reader, width):
    page = reader(viewport={"width": width, "height": 844}).open(CHAPTER)
    for name, beat in (("quagga", "ratchet"), ("quagga-sessions", "seven")):
        box = awake(page, name)
        page.locator(f"a[href='#stage-{name}-{beat}']").first.click()
        said(box, "Run 100:" if name == "quagga" else "At 70.0 s")
        page.mouse.move(0, 0)  # off the links, which have another colour under it
        assert_accessible(page, f"#stage-{name}")
        assert_words_stand_within(box)
    assert_accessible_in_the_dark(page, ".tunables-stage")
