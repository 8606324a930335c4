"""Lab 8 in the page: a hundred leaves in workers, asked once and asked again."""

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.lab_runs import FIREFOX_LATER, run_from_disk, run_lab
from tunables.page.labs.hedged_requests import slow_requests

PAGE = "labs/08-hedged-requests.html"
LEAVES, REQUESTS, STALL_MS = 100, 60, 200
PATIENCE_MS = 120_000

pytestmark = pytest.mark.browser


def assert_asked(results):
    """What holds on any machine: no stall ends early, and no copy is sent before its delay."""
    rows = results["rows"]
    for row in rows:
        took_ms = [answer["took_ms"] for answer in row["answers"]]
        assert len(took_ms) == REQUESTS
        assert all(took_ms[request] >= 0.99 * STALL_MS for request in row["must"])
        asks_again = row["delay_ms"] is not None
        share = slow_requests(LEAVES, row["stall_probability"], row["shared"], asks_again)
        assert row["expected"] == pytest.approx(REQUESTS * share)
        assert abs(len(row["must"]) - row["expected"]) < 4 * REQUESTS**0.5 / 2
        for answer in row["answers"]:
            if answer["copies"]:
                assert asks_again
                assert answer["took_ms"] >= 0.99 * row["delay_ms"]
    once, again, shared, _ = (len(row["must"]) for row in rows)
    assert again < min(once, shared)
    copies = sum(answer["copies"] for row in rows for answer in row["answers"])
    assert results["asked"] == [len(rows) * REQUESTS * LEAVES, copies]


@pytest.mark.long  # test_without_network.py begins each lab, nbval runs it whole
@pytest.mark.parametrize("browser", FIREFOX_LATER)
def test_the_requests_that_must_be_slow_are(browser, tmp_path):
    told = run_lab(browser, PAGE, "hedged_requests", tmp_path)
    assert told["state"] == "done", told["said"]
    assert_asked(told["results"])
    assert "No request that had to wait for a stall ended before the stall did." in told["said"]
    assert told["elsewhere"] == []
    assert told["workers"] == 0


@pytest.mark.long
def test_from_disk_it_runs_a_setting_of_the_readers_beside_the_guess(disk_page):
    lab = run_from_disk(
        disk_page,
        PAGE,
        "hedged_requests",
        ("Ask again after", "5"),
        "Ask again after (ms): a whole number from 10 to 199.",
        lambda lab: lab.get_by_label("Ask again after").fill("20"),
    )
    lab.get_by_text("You guessed 4; the result is").wait_for(timeout=PATIENCE_MS)
    assert_accessible(disk_page, "#lab-hedged_requests")
