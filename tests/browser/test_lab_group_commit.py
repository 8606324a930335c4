"""Lab 1 in the page: all writers share a flush that waits, half of them one that does not."""

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.conftest import SITE
from tests.browser.lab_runs import FIREFOX_LATER, run_lab
from tunables.theory.group_commit import closed_group_commit

PAGE = "labs/01-group-commit.html"
WRITERS = 16
PATIENCE_MS = 120_000
LEFT = """
async () => {
  const left = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) left.push(name);
  return left;
}
"""

pytestmark = pytest.mark.browser


def assert_shared(points):
    """What holds however busy the machine is: counts, and the law with its message."""
    emulated = [point for point in points if not point["device"]]
    assert [point["delay_ms"] for point in emulated] == [0, 1, 0, 5, 0, 25, 0]
    for point in points:
        share = 1 if point["delay_ms"] else 0.5  # without a delay one leads, and 15 follow
        assert point["share"] == pytest.approx(share, abs=0.5 / point["flushes"]), point
        delay_s = point["delay_s"] if point["delay_ms"] else 0
        assert 1000 * delay_s >= 0.99 * point["delay_ms"]  # clocks are coarse
        laws = {"law": point["flush_s"], "with_hop": point["flush_s"] + point["hop_s"]}
        for name, flush_s in laws.items():
            law = closed_group_commit(WRITERS, flush_s, delay_s)
            assert point[name] == pytest.approx(law, rel=1e-12)
        assert 0.7 < point["rate"] / point["with_hop"] < 1.1, point


@pytest.mark.parametrize("browser", FIREFOX_LATER)
def test_writers_share_the_flushes_of_the_device(browser, tmp_path):
    told = run_lab(browser, PAGE, "group_commit", tmp_path)
    assert told["state"] == "done", told["said"]
    assert "give the page a private file" not in told["found"]
    assert_shared(told["results"])
    on_device = sum(point["device"] for point in told["results"])
    assert on_device == (0 if "keeps files in memory" in told["found"] else 7)
    assert told["elsewhere"] == []
    assert told["workers"] == 0


def test_a_private_window_is_told_and_no_file_is_left_when_it_is_stopped(reader):
    page = reader(alone=True).open(PAGE)
    lab = page.locator("#lab-group_commit")
    lab.get_by_role("button", name="Run").click()
    lab.locator("tbody tr").first.wait_for(timeout=PATIENCE_MS)
    lab.get_by_text("this window keeps files in memory").wait_for()
    assert len(page.evaluate(LEFT)) == 1
    lab.get_by_role("button", name="Stop").click()
    lab.get_by_text("Stopped.").wait_for()
    assert page.evaluate(LEFT) == []
    lab.get_by_role("spinbutton", name="Writers", exact=True).fill("0")
    lab.get_by_role("button", name="Run").click()
    lab.get_by_text("Writers: enter a whole number from 1 to 64.").wait_for()
    assert_accessible(page, "#lab-group_commit")


def test_from_disk_it_says_that_there_is_no_flush_and_emulates_one(disk_page):
    page = disk_page
    page.goto((SITE / PAGE).as_uri())
    lab = page.locator("#lab-group_commit")
    lab.get_by_role("button", name="Run").click()
    lab.locator("tbody tr").first.wait_for(timeout=PATIENCE_MS)
    lab.get_by_text("give the page a private file (SecurityError)").wait_for()
