"""Two runs of chapter 1 on one clock: by a link, by the reader's own hand, and on a phone."""

import json

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.stages import awake, said
from tests.browser.test_one_screen import MOST_OF_A_PHONE
from tunables.parts.registry import find_stage

CHAPTER = "chapters/01-group-commit.html"

pytestmark = pytest.mark.browser


def assert_room_for_text(box):
    """Hold what stays in view on a phone against its share of the height."""
    high = box.locator(".stage-main").bounding_box()["height"]
    assert high <= MOST_OF_A_PHONE * box.page.viewport_size["height"]


def opened(visitor, query=""):
    return awake(visitor.open(f"{CHAPTER}{query}"), "rdu")


def test_a_link_shows_two_runs_and_a_reader_keeps_one_beside_the_next(reader):
    visitor = reader(reduced_motion="reduce")
    box = opened(visitor)
    box.locator(".stage-beats a[href='#stage-rdu-decides']").click()
    found = said(box, "two caps: 50 held.")
    assert "At 60.0 s, commit stage: 9 in the lease query" in found
    titles = box.locator(".stage-title").all_inner_texts()
    assert titles == ["Where the time goes: commit stage", "Where the time goes: two caps"]
    beat = next(beat for beat in find_stage("rdu").beats if beat.name == "decides")
    assert beat.other
    here = json.loads(json.dumps(find_stage("rdu").play(**beat.other)))
    there = box.evaluate(
        "(section, names) => names.map(n => section.stage.panes.traces[1][n])", [*here]
    )
    assert dict(zip(here, there, strict=True)) == here
    box.page.wait_for_url(lambda url: "stage.rdu.against.hypothesis=two+caps" in url)
    box.page.reload()
    assert said(box, "two caps: 50 held.") == found

    first, second = (
        box.get_by_role("slider", name=name, exact=True)
        for name in ("Time", "Time of the other run")
    )
    second.focus()
    box.page.keyboard.press("Home")
    assert said(box, "At 0.0 s, commit stage: 50 in").count("At 0.0 s") == 2
    first.focus()
    box.page.keyboard.press("End")
    assert said(box, "At 64.0 s, commit stage").count("At 64.0 s") == 2

    box.get_by_role("button", name="Drop the kept run").click()
    second.wait_for(state="detached")
    box.page.wait_for_url(lambda url: "against" not in url)
    box.get_by_role("button", name="Keep this run to compare").click()
    second.wait_for()
    box.get_by_label("The test").select_option("both")
    box.locator(".stage-title", has_text="The test: nobody's").wait_for()
    assert "The test: 3." in box.locator(".stage-title").first.inner_text()
    box.page.wait_for_url(lambda url: "stage.rdu.against.test=fourth" in url)
    assert visitor.troubles == []


def test_on_a_phone_a_switch_says_which_run_is_seen(reader):
    box = opened(
        reader(reduced_motion="reduce", viewport={"width": 390, "height": 844}),
        "?stage.rdu.against.hypothesis=commit+stage&stage.rdu.second=20",
    )
    said(box, "At 20.0 s, commit stage")
    first, second = box.locator(".stage-screen svg").all()
    assert first.is_visible()
    assert not second.is_visible()
    assert_room_for_text(box)
    box.get_by_role("button", name="Where the time goes: commit stage").click()
    assert not first.is_visible()
    assert second.bounding_box()["width"] > 300
    second.get_by_text("11 wait").wait_for()
    assert_room_for_text(box)
    assert_accessible(box.page, "#stage-rdu")
