"""Lab 2 in the page: real timeouts at a worker that never answers, in Chromium and Firefox."""

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.lab_runs import FIREFOX_LATER, run_from_disk, run_lab

PAGE = "labs/02-time-outs.html"
CALLERS = 50
PUBLISHED_S = (8.072, 4.126, 1.131)
PATIENCE_MS = 120_000

pytestmark = pytest.mark.browser


def assert_waited(results):
    """What holds on any machine: timeouts come late if it is busy, and never early."""
    rows = results["rows"]
    published_s = [row["published"]["response_s"] for row in rows[:3]]
    assert published_s == pytest.approx(PUBLISHED_S)
    for row in rows:
        attempts = row["retries"] + 1
        assert row["batches"] == 2 * CALLERS
        assert row["attempts"] == row["batches"] * attempts
        assert row["predicted"]["least_s"] == attempts * row["timeout_s"]
        assert row["measured"]["least_s"] >= 0.99 * row["predicted"]["least_s"]
        for name in ("response_s", "throughput_per_s"):
            published = row.get("published", row["predicted"])[name]
            assert row["predicted"][name] == pytest.approx(published, rel=0.03)
    assert results["swallowed"] == sum(row["attempts"] for row in rows)
    ratios = [row["measured"]["response_s"] / row["predicted"]["response_s"] for row in rows]
    assert min(ratios) > 0.93
    assert min(ratios) < 1.15  # the one that other work disturbed least
    first, flush, both, own = (row["measured"]["response_s"] for row in rows)
    assert both < min(flush, own)
    assert max(flush, own) < first


@pytest.mark.long  # test_without_network.py begins each lab, nbval runs it whole
@pytest.mark.parametrize("browser", FIREFOX_LATER)
def test_fifty_callers_wait_as_long_as_the_law_says(browser, tmp_path):
    told = run_lab(browser, PAGE, "time_outs", tmp_path)
    assert told["state"] == "done", told["said"]
    assert_waited(told["results"])
    assert "none was answered. No batch ended before" in told["said"]
    assert told["elsewhere"] == []
    assert told["workers"] == 0


@pytest.mark.long
def test_from_disk_it_runs_a_setting_of_the_readers_beside_the_guess(disk_page):
    def settle(lab):
        lab.get_by_label("Threads").fill("50")
        lab.get_by_label("One second in the report lasts").select_option("a tenth of a second")

    refusal = "Threads: a whole number from 1 to 50."
    lab = run_from_disk(disk_page, PAGE, "time_outs", ("Threads", "51"), refusal, settle)
    lab.get_by_text("You guessed 4; the result is").wait_for(timeout=PATIENCE_MS)
    assert_accessible(disk_page, "#lab-time_outs")
