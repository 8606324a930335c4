"""Interventions: a reader stops the server of chapter 2's animation, and brings it back."""

import re
from urllib.parse import quote

import pytest

from tests.browser.animations import (
    OVERLAPS,
    WIDTHS,
    columns,
    mounted_animation,
    sentence,
    wait_for_settings,
)
from tests.browser.checks import assert_accessible
from tunables.core.registry import find_animation

CHAPTER = "chapters/02-time-outs.html"
QUEUE = r"([\d,]+ attempts? in the queue|the queue is empty)"
SENTENCE = re.compile(rf"At [\d.]+ s[^:]*: {QUEUE}.* (\d+) served, (\d+) in time\.")
INTERVENTIONS_MATCH = """
(text) => new RegExp(text).test(document.querySelector('#stage-storm').animation.state.deeds)
"""

pytestmark = pytest.mark.browser


def open_storm(visitor, query=""):
    return mounted_animation(visitor.open(f"{CHAPTER}{query}"), "storm")


def state_at(box, time_s):
    """Move the scrubber to a time; return (queue, served, in time) from the sentence."""
    box.get_by_role("slider", name="Time", exact=True).evaluate(
        "(node, t) => { node.value = t; node.dispatchEvent(new Event('input')); }", time_s
    )
    found = SENTENCE.fullmatch(sentence(box))
    assert found
    return found[1], int(found[2]), int(found[3])


def press(box, button, interventions):
    """Press a button, wait for its run, and pause it."""
    box.get_by_role("button", name=button).click()
    wait_for_settings(box, deeds=interventions)
    if box.get_by_role("button", name="Pause").count():
        box.get_by_role("button", name="Pause").click()


@pytest.mark.long
def test_two_interventions_stop_the_server_permanently_and_bring_it_back(reader):
    visitor = reader()
    box = open_storm(visitor)
    press(box, "Stop the server", "10_outage_2")
    queue, served, in_time = state_at(box, 60)
    assert int(queue.split()[0].replace(",", "")) > 500
    assert served > 400
    assert in_time == 0
    press(box, "Empty the queue", "10_outage_2-60_drop")
    queue, served, in_time = state_at(box, 70)
    assert queue == "the queue is empty"
    assert served == in_time > 100
    box.page.wait_for_url(lambda url: "10_outage_2-60_drop" in url)
    press(box, "Undo", "10_outage_2")
    assert state_at(box, 70)[2] == 0
    assert visitor.troubles == []


def test_rarer_interventions_are_behind_more(reader):
    box = open_storm(reader())
    rare = box.get_by_role("button", name="Turn retries off")
    assert not rare.is_visible()
    box.get_by_role("button", name="More").click()
    less = box.get_by_role("button", name="Less")
    assert less.get_attribute("aria-expanded") == "true"
    undo = box.get_by_role("button", name="Undo")
    assert undo.bounding_box()["y"] < rare.bounding_box()["y"]
    press(box, "Turn retries off", "10_noretries")
    less.click()
    assert not rare.is_visible()


def test_the_server_is_stopped_as_long_as_the_button_is_held(reader):
    visitor = reader()
    box = open_storm(visitor, "?stage.storm.second=10")
    page = box.page
    button = box.get_by_role("button", name="Stop the server")
    button.scroll_into_view_if_needed()
    button.hover()
    page.mouse.down()
    page.wait_for_function(INTERVENTIONS_MATCH, arg="^10_outage_20$")
    page.wait_for_function("() => document.querySelector('#stage-storm').animation.clock.t > 12")
    page.mouse.move(5, 5)  # it may be released outside the button
    page.mouse.up()
    page.wait_for_function(INTERVENTIONS_MATCH, arg=r"^10_outage_1?\d(\.\d+)?$")
    interventions = box.evaluate("section => section.animation.state.deeds")
    assert 2 <= float(interventions.rpartition("_")[2]) < 20
    settings = find_animation("storm").bookmarks[0].settings | {"deeds": interventions}
    here = find_animation("storm").replay(settings)
    assert columns(box, ["fate", "gap"]) == {name: here[name] for name in ("fate", "gap")}
    box.get_by_role("button", name="Stop the server").press("Enter")  # by keys it is a click
    page.wait_for_function(INTERVENTIONS_MATCH, arg=r"^10_outage_[\d.]+-[\d.]+_outage_2$")
    assert visitor.troubles == []


def test_a_link_keeps_interventions_and_the_kernel_does_the_same_in_the_page_as_here(reader):
    interventions = "20_outage_2-60_pause_10-60_watch"
    box = open_storm(reader(), f"?stage.storm.deeds={interventions}&stage.storm.second=75")
    wait_for_settings(box, deeds=interventions)
    assert sentence(box).startswith("At 75 s:")
    settings = find_animation("storm").bookmarks[0].settings | {"deeds": interventions}
    here = find_animation("storm").replay(settings)
    names = [name for name in here if name != "deeds"]
    assert columns(box, names) == {name: here[name] for name in names}


def test_unknown_interventions_are_refused_in_words(reader):
    box = open_storm(reader(), "?stage.storm.deeds=20_dance")
    box.get_by_text("intervention = 'dance': must be one of").wait_for()


@pytest.mark.sampled
@pytest.mark.parametrize("text", ["1e3;2", "20_outage_x_-", "_", "20_dance_3", "x_outage_2"])
def test_the_list_of_interventions_names_none_that_a_link_invents(reader, text):
    box = open_storm(reader(), f"?stage.storm.deeds={quote(text)}")
    box.locator(".engine-note", has_text="must be").wait_for()
    listed = box.locator(".animation-done").inner_text()
    assert "undefined" not in listed
    assert "dance" not in listed
    assert "NaN" not in listed


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
def test_no_two_labels_overlap_at_any_bookmark(reader, width):
    box = open_storm(reader(viewport={"width": width, "height": 844}))
    for bookmark in find_animation("storm").bookmarks:
        settings = {name: bookmark.settings[name] for name in ("deeds", "arrival_rate_per_s")}
        box.evaluate(
            "(section, bookmark) => section.animation.go(bookmark)", {"settings": bookmark.settings}
        )
        wait_for_settings(box, **settings)
        for time_s in (bookmark.at, 21, 119):
            box.evaluate("(section, t) => section.animation.clock.seek(t)", time_s)
            assert box.evaluate(OVERLAPS) == []
    assert_accessible(box.page, "#stage-storm")
