"""Labs in the page where something fails: storage, a worker, the tab, or another tab beside it."""

import pytest

from tests.browser.conftest import FLAGS, chromium_path
from tests.browser.test_lab_cache_cliff import PAGE as WITH_SQLITE
from tests.browser.test_lab_group_commit import LEFT, PAGE, PATIENCE_MS

pytestmark = pytest.mark.browser
FULL = "the browser won’t let this site store any more data: free some disk space"
# A script may end a worker without a word, as the browser itself may. The first is the lab's own.
KEEP_WORKERS = """
self.made = [];
self.Worker = class extends Worker {
  constructor(...given) { super(...given); self.made.push(this); }
};
"""


@pytest.fixture
def window(chromium, site, tmp_path):
    """A window with a profile on disk, whose tabs share what a page may keep there.

    Yields a function that opens a tab with a lab.
    """
    window = chromium.browser_type.launch_persistent_context(
        tmp_path, executable_path=chromium_path(), args=FLAGS
    )
    window.add_init_script(KEEP_WORKERS)

    def tab(path=PAGE):
        page = window.new_page()
        page.goto(f"{site}/{path}")
        return page

    yield tab
    window.close()


def run(page):
    """Press Run; return the lab."""
    section = page.locator(".tunables-lab")
    section.get_by_role("button", name="Run").click()
    return section


def rows(page, more_than=0):
    """Wait until the page's lab shows more rows than that; return how many there are."""
    count = "more => document.querySelectorAll('.tunables-lab tbody tr').length > more"
    page.wait_for_function(count, arg=more_than, timeout=PATIENCE_MS)
    return page.locator(".tunables-lab tbody tr").count()


def stop(page):
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped.").wait_for()


@pytest.mark.parametrize(
    ("room_bytes", "said"),
    [
        pytest.param(20_000, "The lab failed", marks=pytest.mark.long),
        (1_200_000, "The lab stopped with an error"),
    ],
)
def test_storage_that_is_full_at_once_or_later_is_told(window, room_bytes, said):
    page = window()
    given = {"origin": page.evaluate("location.origin"), "quotaSize": room_bytes}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", given)
    lab = run(page)
    lab.get_by_text(f"{said} ({FULL}").wait_for(timeout=PATIENCE_MS)
    assert lab.get_attribute("data-state") == "ended"
    assert page.evaluate(LEFT) == []
    assert lab.get_by_role("button", name="Run").is_visible()


@pytest.mark.long
def test_storage_that_takes_no_file_is_told_and_the_lab_goes_on(window):
    page = window()
    given = {"origin": page.evaluate("location.origin"), "quotaSize": 1}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", given)
    run(page).get_by_text("won’t let this site store any more data (QuotaExceededError)").wait_for()
    rows(page)


@pytest.mark.parametrize("path", [PAGE, pytest.param(WITH_SQLITE, marks=pytest.mark.long)])
def test_a_worker_that_the_browser_ends_is_told(window, path):
    page = window(path)
    section = run(page)
    rows(page)
    page.evaluate("() => self.made[0].terminate()")
    section.get_by_text("The browser ended the lab, perhaps").wait_for()
    assert section.get_attribute("data-state") == "ended"
    assert page.evaluate(LEFT) == []


@pytest.mark.long
def test_of_a_tab_that_is_closed_as_it_measures_the_next_run_leaves_nothing(window):
    page, beside = window(), window()
    run(page)
    rows(page)
    page.close()
    assert len(beside.evaluate(LEFT)) == 1
    run(beside)
    rows(beside)
    stop(beside)
    assert beside.evaluate(LEFT) == []


@pytest.mark.long
def test_two_tabs_at_once_leave_each_other_their_files(window):
    one, other = window(), window()
    for page in (one, other):
        run(page)
    for page in (one, other):
        rows(page)
    assert len(one.evaluate(LEFT)) == 2
    stop(one)
    assert len(other.evaluate(LEFT)) == 1
    rows(other, more_than=rows(other))
    assert other.locator(".tunables-lab").get_attribute("data-state") == "running"
    stop(other)
    assert other.evaluate(LEFT) == []
