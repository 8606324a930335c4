"""Chapter 4's stage in the page: what the fifteenth packet does, by links, by hand and by keys."""

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

CHAPTER = "chapters/04-flow-priority.html"

pytestmark = pytest.mark.browser


def opened(visitor, query=""):
    return awake(visitor.open(f"{CHAPTER}{query}"), "dpp")


def test_one_link_from_the_top_of_the_chapter_shows_what_the_fifteenth_packet_does(reader):
    visitor = reader()
    box = opened(visitor)
    assert "0 of 15 packets through, number 15 behind 62" in said(box, "transaction 2")
    box.page.locator("p > a[href='#stage-dpp-fifteenth']").click()
    box.get_by_role("button", name="Pause").wait_for()
    said(box, "14 of 15 packets through")
    said(box, "all 15 packets through after 30.2 ms")
    box.get_by_role("button", name="Play").wait_for()  # and there it rests
    assert visitor.troubles == []


def test_one_packet_more_shows_the_same_transaction_as_long_after_it_began(reader):
    box = opened(reader(), "?stage.dpp.ms=190")
    said(box, "8.8 ms in: 14 of 15")
    ahead = box.get_by_role("slider", name="Packets ahead")
    ahead.focus()
    box.page.keyboard.press("ArrowRight")
    wait_until_it_stands(box, max_packets=15)
    said(box, "transaction 2: all 15 packets through after 5.4 ms")
    box.page.keyboard.press("ArrowLeft")
    said(box, "transaction 2, 8.8 ms in: 14 of 15")
    box.get_by_label("Watch", exact=True).select_option("3")
    said(box, "User 3, transaction 2")
    box.page.wait_for_url(lambda url: "stage.dpp.user=3" in url)
    box.page.reload()
    said(box, "User 3, transaction 2")


def test_what_the_kernels_do_in_the_page_is_what_they_do_here(reader):
    box = opened(reader())
    stage = find_stage("dpp")
    box.get_by_label("A flow is new after a pause of").select_option("15 ms")
    wait_until_it_stands(box, gap="15 ms")
    here = stage.play(max_packets=14, user="5", gap="15 ms")
    told = columns(box, here)
    assert told.pop("end") == here.pop("end") / 1000  # the stage's clock counts milliseconds
    assert told == here


def test_it_runs_by_keys_alone_from_event_to_event_of_the_watched_user(reader):
    box = opened(reader(), "?stage.dpp.ms=186.3")
    said(box, "14 of 15 packets through")
    box.get_by_role("slider", name="Time", exact=True).focus()
    box.page.keyboard.press("ArrowRight")
    said(box, "all 15 packets through after 30.2 ms")
    box.page.keyboard.press("ArrowLeft")
    said(box, "14 of 15 packets through, number 15 behind")
    box.page.keyboard.press("ArrowLeft")
    said(box, "13 of 15 packets through")
    box.page.keyboard.press("ArrowDown")
    said(box, "User 6, transaction 2")
    box.page.keyboard.press("ArrowUp")
    said(box, "User 5, transaction 2")
    box.page.keyboard.press("End")
    said(box, "transaction 25, 25.5 ms in")
    box.page.keyboard.press("Home")
    said(box, "has not asked for anything yet")
    box.page.keyboard.press("Space")
    box.get_by_role("button", name="Pause").wait_for()


@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_accessible_and_fits_in_every_look(reader, width):
    box = opened(reader(viewport={"width": width, "height": 844}))
    box.get_by_role("link", name="Twenty in a row").click()
    said(box, "transaction 23: all 15 packets through")
    assert_accessible(box.page, "#stage-dpp")
    assert_words_stand_within(box)
    assert_accessible_in_the_dark(box.page, "#stage-dpp")
