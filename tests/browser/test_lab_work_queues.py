"""Lab 6 in the page: counts by the rules, and timers that are as late as the loop's order says."""

from pathlib import Path

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.conftest import SITE
from tests.browser.lab_runs import FIREFOX_LATER, run_lab
from tunables.simulators.work_queue import growth_rule
from tunables.theory.slicing import mean_timer_lateness

PAGE = "labs/06-work-queues.html"
ITEMS = 30_000
PATIENCE_MS = 120_000
BACKGROUND, YIELD = "postTask, background", "scheduler.yield"

pytestmark = pytest.mark.browser


def assert_counted(row):
    """What the rules and the clock make of a drain, however busy the machine is."""
    assert sum(row["cycles"]) == ITEMS
    grown, granularity = growth_rule(row["rule"]["name"]), 1
    for cycles, after in zip(row["cycles"], row["granularity"], strict=True):
        granularity = grown(cycles, granularity) if cycles >= granularity else granularity
        assert after == granularity
    assert all(length >= row["quantum_ms"] for length in row["slices_ms"][:-1])
    turns_s = [turn_ms / 1000 for turn_ms in row["turns_ms"]]
    assert row["law"] == pytest.approx(1000 * mean_timer_lateness(turns_s), rel=1e-9)


@pytest.mark.parametrize("browser", FIREFOX_LATER)
def test_slices_and_lateness_in_each_browsers_loop(browser, tmp_path: Path):
    told = run_lab(browser, PAGE, "work_queues", tmp_path)
    assert told["state"] == "done", told["said"]
    rows = told["results"]
    for row in rows:
        assert_counted(row)
    by_way = {row["title"]: row for row in rows if row["title"] == row["way"]}
    assert {"setTimeout 0", "message"} < by_way.keys()
    # A stall makes timers later; one that no timer falls into makes the law later. So the drains
    # that are least disturbed tell, on either side.
    calm = [row for row in rows if row["way"] == rows[0]["way"]]
    ratios = [row["late"] / row["law"] for row in calm]
    assert min(ratios) < 1.6
    assert max(ratios) > 0.6
    least = min(row["late_in_slices"] for row in calm)
    assert by_way[YIELD]["late_in_slices"] > 3 * least
    assert by_way[YIELD]["ticks"] < by_way[BACKGROUND]["ticks"]
    if browser == "chromium":
        assert by_way["message"]["late_in_slices"] > least
    by_rule = {row["title"]: row["granularity"][-1] for row in rows if row["way"] != row["title"]}
    assert by_rule["fixed"] == 1
    assert all(g % 2 for g in by_way[BACKGROUND]["granularity"])
    assert told["elsewhere"] == []
    assert told["workers"] == 0


def test_from_disk_it_runs_too_and_stops(disk_page):
    page = disk_page
    page.goto((SITE / PAGE).as_uri())
    lab = page.locator("#lab-work_queues")
    lab.get_by_role("button", name="Run").click()
    lab.locator("tbody tr").first.wait_for(timeout=PATIENCE_MS)
    lab.get_by_role("button", name="Stop").click()
    lab.get_by_text("Stopped.").wait_for()
    assert_accessible(page, "#lab-work_queues")
