"""Chapter 1's stage in the page: links set it, keys step it, and its run is this machine's."""

import json

import pytest

from tests.browser.checks import assert_accessible, assert_accessible_in_the_dark
from tests.browser.stages import WIDTHS, assert_words_stand_within, awake, columns, said
from tunables.parts.registry import find_stage

CHAPTER = "chapters/01-group-commit.html"

pytestmark = pytest.mark.browser


def opened(visitor, query=""):
    return awake(visitor.open(f"{CHAPTER}{query}"), "rdu")


def test_a_link_in_the_text_sets_it_and_a_reload_finds_it_there(reader):
    visitor = reader(reduced_motion="reduce")  # so that a link starts nothing
    box = opened(visitor)
    said(box, "At 2.0 s, two caps: 50 in the lease query.")
    box.page.locator("p > a[href='#stage-rdu-commit-stage']").click()
    found = said(box, "At 20.0 s, commit stage:")
    assert "26 in the lease query, 11 waiting for a thread, 13 held." in found
    assert "Client 1: held for 1.1 s. 91 answers: mean 8,572 ms (formula ≈ 8,049 ms)." in found
    box.page.wait_for_url(lambda url: "stage.rdu.second=20" in url)
    box.page.reload()
    assert said(box, "At 20.0 s, commit stage:") == found
    assert visitor.troubles == []


def test_what_the_kernels_do_in_the_page_is_what_they_do_here(reader):
    box = opened(reader(reduced_motion="reduce"))
    stage = find_stage("rdu")
    for name in ("short", "decides", "stuck"):
        beat = next(beat for beat in stage.beats if beat.name == name)
        box.locator(f"a[href='#stage-rdu-{name}']").last.click()
        said(box, f"At {beat.at:.1f} s, {beat.settings['hypothesis']}:")
        here = json.loads(json.dumps(stage.play(**beat.settings)))
        assert columns(box, here) == here


def test_it_steps_by_keys_from_event_to_event_of_client_1(reader):
    box = opened(reader())
    box.get_by_role("slider", name="Time", exact=True).focus()
    box.page.keyboard.press("ArrowRight")
    assert "Client 1: working for 0.0 s." in said(box, "At 4.0 s")
    box.page.keyboard.press("ArrowRight")
    assert "Client 1: held for 0.0 s." in said(box, "Client 1: held")
    box.page.keyboard.press("Home")
    assert "50 in the lease query." in said(box, "At 0.0 s")
    box.page.keyboard.press("End")
    said(box, "At 64.0 s")


@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_accessible_and_its_labels_stand_apart(reader, width):
    box = opened(reader(reduced_motion="reduce", viewport={"width": width, "height": 844}))
    box.page.locator("p > a[href='#stage-rdu-commit-stage']").click()
    said(box, "At 20.0 s")
    box.evaluate("section => section.scrollIntoView()")  # nothing under the drawing
    assert_accessible(box.page, "#stage-rdu")
    assert_words_stand_within(box)
    texts = [text for text in box.locator(".stage-screen svg text").all() if text.inner_html()]
    places = [text.bounding_box() for text in texts]
    for n, one in enumerate(places):
        for other in places[n + 1 :]:
            beside = (
                one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            )
            assert beside or abs(one["y"] - other["y"]) > 12
    assert_accessible_in_the_dark(box.page, "#stage-rdu")
