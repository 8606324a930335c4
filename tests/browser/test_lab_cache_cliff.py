"""Lab 3 in the page: SQLite's own counts are those of an LRU cache, in Chromium and Firefox."""

import pytest
from playwright.sync_api import expect

from tests.browser.checks import assert_accessible
from tests.browser.conftest import SITE
from tests.browser.lab_runs import FIREFOX_LATER, run_lab
from tunables.page.labs.cache_cliff import ORDERS, miss_ratio

PAGE = "labs/03-cache-cliff.html"
ROWS = 4000
BANDS = {"cyclic": 0.0025, "zigzag": 0.0005, "shuffle": 0.007}  # inner pages are left out

PATIENCE_MS = 120_000
pytestmark = pytest.mark.browser


def assert_whole(told):
    assert told["state"] == "done", told["said"]
    assert told["said"].startswith("In 27 of 27 measurements SQLite has exactly as many hits")
    rows = told["results"]
    assert [row["order"] for row in rows[::9]] == list(ORDERS)
    for row in rows:
        assert {name: row[name] for name in row["twin"]} == row["twin"]
        assert row["law"] == pytest.approx(miss_ratio(row["order"], ROWS, row["room"]), abs=1e-12)
        if row["room"] == ROWS:
            assert row["misses"] == 0
        else:
            measured = row["misses"] / row["requests"]
            assert abs(measured - row["law"]) <= BANDS[row["order"]], row


@pytest.mark.parametrize("browser", FIREFOX_LATER)
def test_each_browsers_sqlite_counts_as_lru_would(browser, tmp_path):
    told = run_lab(browser, PAGE, "cache_cliff", tmp_path)
    assert_whole(told)
    assert told["elsewhere"] == []
    assert told["workers"] == 0  # none is left


@pytest.mark.long
def test_from_disk_it_runs_too_stops_at_once_and_is_accessible(disk_page):
    page = disk_page
    page.goto((SITE / PAGE).as_uri())
    lab = page.locator("#lab-cache_cliff")
    assert not lab.get_by_text("this section has a button").is_visible()
    lab.get_by_label("Your guess").fill("30")
    lab.get_by_role("button", name="Run").press("Enter")
    lab.get_by_text("You guessed 30; the result is 10.0.").wait_for(timeout=PATIENCE_MS)
    assert lab.locator("circle").count() == 27
    lab.get_by_role("button", name="Run").press("Enter")
    lab.locator("tbody tr").first.wait_for(timeout=PATIENCE_MS)
    stop = lab.get_by_role("button", name="Stop")
    expect(stop).to_be_focused()
    stop.press("Enter")
    lab.get_by_text("Stopped.").wait_for()
    expect(lab.get_by_role("button", name="Run")).to_be_focused()
    assert_accessible(page, "#lab-cache_cliff")


def test_a_script_that_does_not_come_is_told_and_can_be_asked_for_again(reader):
    page = reader(alone=True).page
    page.route("**/vendor/*/labs/*", lambda route: route.abort())
    page.goto(f"{reader().site}/{PAGE}")
    lab = page.locator("#lab-cache_cliff")
    lab.get_by_role("button", name="Run").click()
    lab.get_by_text("could not be loaded").wait_for()
    page.unroute("**/vendor/*/labs/*")
    lab.get_by_role("button", name="Run").click()
    lab.get_by_role("button", name="Stop").wait_for(timeout=PATIENCE_MS)
