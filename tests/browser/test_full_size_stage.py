"""Chapter 3's stage at full size in the page: a pixel a graph."""

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
NAME = "rrd-full-size"

pytestmark = pytest.mark.browser


def opened(visitor, query=""):
    return awake(visitor.open(f"{CHAPTER}{query}"), NAME)


def test_one_graph_more_turns_every_pixel(reader):
    visitor = reader()
    box = opened(visitor)
    assert "36,562 found in the cache, 0 not" in said(box, "Scan 3 of 3: 36,562")
    box.page.locator(f"p > a[href='#stage-{NAME}-one-more']").click()
    assert "0 found in the cache, 36,563 not" in said(box, "Scan 3 of 3: 36,563")
    assert box.locator(".stage-pane").count() == 2  # beside the scan that fits
    box.page.wait_for_url(lambda url: f"stage.{NAME}.graphs=36563" in url)
    box.page.reload()
    box = awake(box.page, NAME)
    assert "20.00 times as slow" in said(box, "Scan 3 of 3: 36,563")
    assert visitor.troubles == []


def test_what_the_kernel_does_in_the_page_is_what_it_does_here(reader):
    box = opened(reader())
    stage = find_stage(NAME)
    for scheme in ("random", "lru, shuffled", "2q"):
        box.get_by_label("Who leaves, in which order", exact=True).select_option(scheme)
        wait_until_it_stands(box, scheme=scheme)
        here = stage.play(**stage.given, graphs=36_562, scheme=scheme)
        assert columns(box, here) == here


def test_it_runs_by_keys_row_by_row(reader):
    box = opened(reader(), f"?stage.{NAME}.graphs=40000&stage.{NAME}.row=200")
    said(box, "Scan 2 of 3: 1,680 of 40,000")
    box.get_by_role("slider", name="Time", exact=True).focus()
    box.page.keyboard.press("ArrowRight")
    said(box, "Scan 2 of 3: 1,890 of 40,000")
    box.page.keyboard.press("Home")
    assert "The first scan fills the cache" in sentence(box)


@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_accessible_and_fits_in_every_look(reader, width):
    box = opened(reader(viewport={"width": width, "height": 844}))
    assert_accessible(box.page, f"#stage-{NAME}")
    assert_words_stand_within(box)
    assert_accessible_in_the_dark(box.page, f"#stage-{NAME}")
