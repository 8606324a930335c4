"""Lab 7 in the page: SQLite beside files of the browser's own storage, and the fit of both."""

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.conftest import SITE
from tests.browser.lab_runs import FIREFOX_LATER, run_lab
from tunables.page.labs.file_or_row import fit_costs, fitted_pages, ratios

PAGE = "labs/07-file-or-row.html"
PAGES = [1024, 4096, 8192, 16384, 65536]
SIZES = [10_000, 20_000, 50_000, 200_000, 1_000_000]
PATIENCE_MS = 120_000
LEFT = """
async () => {
  const left = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) left.push(name);
  return left;
}
"""

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("browser", FIREFOX_LATER)
def test_a_file_costs_its_opening_and_small_pages_cost_large_blobs(browser, tmp_path):
    told = run_lab(browser, PAGE, "file_or_row", tmp_path)
    assert told["state"] == "done", told["said"]
    rows = told["results"]
    assert [(row["size"], row["page"]) for row in rows] == [(s, p) for s in SIZES for p in PAGES]
    ratio = {(row["size"], row["page"]): row["file_ms"] / row["row_ms"] for row in rows}
    assert all(value > 0 for value in ratio.values())
    # These hold by far: a small BLOB against a large one, and many pages against few.
    assert ratio[10_000, 4096] > ratio[1_000_000, 4096]
    assert ratio[200_000, 16384] > ratio[200_000, 1024]
    assert told["said"].startswith("The costs were fitted to pages of 1,024 and 8,192 bytes.")
    assert told["elsewhere"] == []
    assert told["workers"] == 0


def test_what_it_predicts_is_what_the_package_predicts_and_no_file_is_left(reader):
    page = reader(alone=True).open(PAGE)
    lab = page.locator("#lab-file_or_row")
    lab.get_by_label("Your guess").fill("3")
    lab.get_by_role("button", name="Run").press("Enter")
    lab.get_by_text("You guessed 3; it is ").wait_for(timeout=PATIENCE_MS)
    names = "({ results, costs, fitted, predicted }) => ({ results, costs, fitted, predicted })"
    told = lab.evaluate(names)
    rows = [[r["page"], r["size"], r["file_ms"], r["row_ms"]] for r in told["results"]]
    assert told["fitted"] == fitted_pages(PAGES)
    costs = fit_costs([row for row in rows if row[0] in told["fitted"]])
    assert told["costs"] == pytest.approx(costs, rel=1e-6)
    others = [row for row in rows if row[0] not in told["fitted"]]
    assert told["predicted"] == pytest.approx(ratios(others, told["costs"]), rel=1e-9)
    assert page.evaluate(LEFT) == []
    assert_accessible(page, "#lab-file_or_row")
    lab.get_by_role("button", name="Run").press("Enter")
    lab.locator("tbody tr").first.wait_for(timeout=PATIENCE_MS)
    lab.get_by_role("button", name="Stop").press("Enter")
    lab.get_by_text("Stopped.").wait_for()
    assert page.evaluate(LEFT) == []


def test_from_disk_it_says_that_it_has_no_files(disk_page):
    page = disk_page
    page.goto((SITE / PAGE).as_uri())
    lab = page.locator("#lab-file_or_row")
    lab.get_by_role("button", name="Run").click()
    lab.get_by_text("no files of its own (SecurityError)").wait_for(timeout=PATIENCE_MS)
