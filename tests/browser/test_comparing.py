"""Two settings compared in the page: the numbers are those of the text above the box."""

import pytest

from tunables.page.simulation import interval_words
from tunables.views import how_many_runs as runs

pytestmark = pytest.mark.browser
PAGE = "book/how-many-runs.html"


def simulate(page, count):
    """Press the button, and return the three means when all runs are done."""
    page.get_by_role("button", name="Simulate").click()
    page.get_by_text(f"{count} of {count} runs at each setting").wait_for(timeout=30_000)
    return page.locator(".comparing-means td").all_inner_texts()


@pytest.mark.parametrize("common", [True, False])
def test_the_means_are_those_of_the_text(reader, common):
    page = reader().open(PAGE)
    page.get_by_label("Common random numbers").set_checked(common)
    count = 10
    page.get_by_label("Runs", exact=True).fill(str(count))
    assert simulate(page, count) == [interval_words(i) for i in runs.differences(count, common)]
    widths = page.locator(".comparing-widths tbody tr").all_inner_texts()
    assert [row.split()[0] for row in widths] == ["5", "10"]


def test_what_is_out_of_range_is_refused_and_the_next_run_goes_on(reader):
    page = reader().open(PAGE)
    page.get_by_label("Value in B", exact=True).fill("-1")
    page.get_by_role("button", name="Simulate").click()
    page.locator(
        ".run-note", has_text="must be a number at least 0 and at most 0.5, not -1."
    ).wait_for(timeout=30_000)
    page.get_by_label("Value in B", exact=True).fill("0.05")
    page.get_by_label("Runs", exact=True).fill("2")
    assert simulate(page, 2)[2] != "–"
