"""Lab 7 in the page: SQLite beside files of the browser's own storage, and the fit of both."""

import math
import re

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.conftest import SITE
from tests.browser.lab_runs import FIREFOX_LATER, run_lab
from tunables.page.labs.file_or_row import fit_costs, fitted_pages, ratios

PAGE = "labs/07-file-or-row.html"
PAGES = [1024, 4096, 8192, 16384, 65536]
SIZES = [10_000, 20_000, 50_000, 200_000, 1_000_000]
PATIENCE_MS = 300_000  # half a minute on an idle machine
LEFT = """
async () => {
  const left = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) left.push(name);
  return left;
}
"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(500)]


@pytest.mark.long  # test_without_network.py begins each lab, nbval runs it whole
@pytest.mark.parametrize("browser", FIREFOX_LATER)
def test_it_measures_each_size_with_each_page_and_says_how_well_it_predicts(browser, tmp_path):
    """Which of the two is faster depends on the machine and on what else it does."""
    told = run_lab(browser, PAGE, "file_or_row", tmp_path)
    assert told["state"] == "done", told["said"]
    rows = told["results"]
    assert [(row["size"], row["page"]) for row in rows] == [(s, p) for s in SIZES for p in PAGES]
    ratio = {(row["size"], row["page"]): row["file_ms"] / row["row_ms"] for row in rows}
    assert all(value > 0 for value in ratio.values())
    for size in SIZES:  # the files are the same for each page size
        assert len({row["file_ms"] for row in rows if row["size"] == size}) == 1
    assert told["said"].startswith("The costs were fitted to pages of 1,024 and 8,192 bytes.")
    says = r"are predicted to within (\d+)%, and the worst is off by (\d+)%"
    found = re.search(says, told["said"])
    assert found, told["said"]
    middle, worst = map(int, found.groups())
    assert middle <= worst
    if middle != 25:  # which is rounded
        assert ("don’t use the four costs" in told["said"]) == (middle > 25)
    assert told["elsewhere"] == []
    assert told["workers"] == 0


def loss(rows, costs):
    """Return the sum of squares that the fit makes small."""
    fitted = zip(ratios(rows, costs), rows, strict=True)
    return sum(math.log(ratio * row / file) ** 2 for ratio, (_, _, file, row) in fitted)


@pytest.mark.long
def test_what_it_predicts_is_what_the_package_predicts_and_no_file_is_left(reader):
    page = reader(alone=True).open(PAGE)
    lab = page.locator("#lab-file_or_row")
    lab.get_by_label("Your guess").fill("3")
    lab.get_by_role("button", name="Run").press("Enter")
    ended = (
        "() => ['done', 'ended'].includes(document.querySelector('#lab-file_or_row').dataset.state)"
    )
    page.wait_for_function(ended, timeout=PATIENCE_MS)
    assert lab.get_attribute("data-state") == "done", lab.inner_text()
    assert "You guessed 3; the result is " in lab.inner_text()
    names = "({ results, costs, fitted, predicted }) => ({ results, costs, fitted, predicted })"
    told = lab.evaluate(names)
    rows = [[r["page"], r["size"], r["file_ms"], r["row_ms"]] for r in told["results"]]
    assert told["fitted"] == fitted_pages(PAGES)
    known = [row for row in rows if row[0] in told["fitted"]]
    # The bottom may be so flat that the last bits of a logarithm lead to other costs there.
    assert loss(known, told["costs"]) == pytest.approx(loss(known, fit_costs(known)), rel=1e-4)
    others = [row for row in rows if row[0] not in told["fitted"]]
    assert told["predicted"] == pytest.approx(ratios(others, told["costs"]), rel=1e-9)
    assert page.evaluate(LEFT) == []
    assert_accessible(page, "#lab-file_or_row")
    lab.get_by_role("button", name="Run").press("Enter")
    lab.locator("tbody tr").first.wait_for(timeout=PATIENCE_MS)
    lab.get_by_role("button", name="Stop").press("Enter")
    lab.get_by_text("Stopped.").wait_for()
    for _ in range(40):  # the files stay locked until the browser has ended their worker
        if not page.evaluate(LEFT):
            break
        page.wait_for_timeout(250)
    assert page.evaluate(LEFT) == []


def test_from_disk_it_says_that_it_has_no_files(disk_page):
    page = disk_page
    page.goto((SITE / PAGE).as_uri())
    lab = page.locator("#lab-file_or_row")
    lab.get_by_role("button", name="Run").click()
    lab.get_by_text("won’t give the page private files (SecurityError)").wait_for(
        timeout=PATIENCE_MS
    )
