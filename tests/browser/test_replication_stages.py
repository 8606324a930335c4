"""Chapter 5's stages in the page: set by links, keys and addresses, by the page's own Python."""

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

CHAPTER = "chapters/05-replication.html"

pytestmark = pytest.mark.browser


def opened(visitor, name, query=""):
    return awake(visitor.open(f"{CHAPTER}{query}"), name)


def test_one_link_from_the_top_finds_the_stage_that_limits_triumf(reader):
    visitor = reader()
    box = opened(visitor, "wlcg")
    said(box, "RAL, after 842 s: 45 of 100 marks in the log, 5 wait for the pump, 50 done.")
    box.get_by_role("link", name="The far site", exact=True).click()
    assert "50 wait for the network" in said(box, "TRIUMF, after 3,924 s:")
    assert "slowest: the network, 2,295." in sentence(box)
    assert box.get_by_label("To which site").input_value() == "TRIUMF"
    box.page.wait_for_url(lambda url: "stage.wlcg.site=TRIUMF" in url)
    assert "stage.wlcg.second=3924" in box.page.url
    box.page.reload()
    assert "50 wait for the network" in said(box, "TRIUMF, after 3,924 s:")
    assert visitor.troubles == []


@pytest.mark.parametrize("name", ["wlcg", "wlcg-windows"])
def test_what_the_kernels_do_in_the_page_is_what_they_do_here(reader, name):
    visitor = reader()
    box = opened(visitor, name)
    stage = find_stage(name)
    for beat in stage.beats:
        box.locator(f".stage-beats a[href='#stage-{name}-{beat.name}']").click()
        wait_until_it_stands(box, **beat.settings)
        here = stage.run(beat)
        assert columns(box, here) == here
    assert visitor.troubles == []


def test_it_runs_by_keys_and_stops_where_it_is_told(reader):
    box = opened(reader(), "wlcg", "?stage.wlcg.site=BNL&stage.wlcg.second=3470")
    first = said(box, "BNL, after 3,470 s: 0 of 100 marks in the log, 50 wait for the network")
    time = box.get_by_role("slider", name="Time", exact=True)
    time.focus()
    box.page.keyboard.press("ArrowRight")
    assert said(box, "BNL, after 3,475 s:") != first  # when the next mark is done
    box.page.keyboard.press("End")
    assert "100 done" in said(box, "BNL, after 6,945 s")
    box.page.keyboard.press("Home")
    said(box, "BNL, after 0 s: 100 of 100 marks in the log")
    box.page.keyboard.press("Space")
    box.get_by_role("button", name="Pause").wait_for()
    box.page.keyboard.press("Space")
    box.get_by_role("button", name="Play").wait_for()
    assert time.get_attribute("aria-valuetext") == sentence(box)


@pytest.mark.parametrize("width", WIDTHS)
def test_both_are_accessible_and_fit_in_every_look(reader, width):
    page = opened(reader(viewport={"width": width, "height": 844}), "wlcg").page
    for name in ("wlcg", "wlcg-windows"):
        box = page.locator(f"#stage-{name}")
        assert_accessible(page, f"#stage-{name}")
        assert_words_stand_within(box)
    assert_accessible_in_the_dark(page, ".tunables-stage")
