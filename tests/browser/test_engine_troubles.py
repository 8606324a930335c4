"""An engine that does not start, dies or falls silent: a sentence, and a button that mends it."""

import json
import re

import pytest

from tests.browser.checks import assert_accessible, open_parts
from tests.browser.conftest import vendor
from tests.browser.hands import unfold
from tests.browser.test_from_disk import CHAPTER as ON_DISK

CHAPTER = "chapters/03-cache-cliff.html"
PARTS = ["engine-worker.js", "micropython.wasm", "shared.js", "cache_cliff.js"]  # of the engine
KEEP_WORKERS = """
globalThis.workers = [];
globalThis.Worker = class extends Worker {
  constructor(...given) { super(...given); workers.push(this); }
};
"""

pytestmark = pytest.mark.browser


@pytest.fixture
def page(reader):
    """A page whose clock can be put forward, and whose workers are kept at hand."""
    page = reader(alone=True).page  # a clock is the whole context's
    page.clock.install()
    page.add_init_script(KEEP_WORKERS)
    return page


def open_chapter(page, site):
    page.goto(f"{site}/{CHAPTER}", wait_until="domcontentloaded")  # a part may never come
    return page.locator(".tunables-explorer")


def ready(page):
    page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=20_000)


def wait_for_note(box, words):
    note = box.locator(".engine-note")
    note.get_by_text(words).wait_for()
    assert note.get_attribute("role") == "status"
    return note


def press(note):
    """Press its button as the keyboard does; the focus must not be lost with the button."""
    button = note.get_by_role("button", name="Start it again")
    button.focus()
    button.press("Enter")
    assert note.evaluate("n => n === document.activeElement")


def commit(page, guess="70,000"):
    box = page.locator(".tunables-guess").first
    box.get_by_label("Your guess").fill(guess)
    box.get_by_role("button", name="Check my guess").click()
    return box


@pytest.mark.sampled
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("status", [404, None])
def test_a_part_that_is_refused_is_told_and_can_be_fetched_again(page, site, part, status):
    def refuse(route):
        route.fulfill(status=status) if status else route.abort()

    page.route(f"**/{part}", refuse)
    explorer = open_chapter(page, site)
    note = wait_for_note(explorer, "The Python engine could not start")
    assert "73,469" in unfold(explorer).locator("table").inner_text()
    press(note)
    wait_for_note(explorer, "could not start").get_by_role(
        "button"
    ).wait_for()  # it is refused again
    page.unroute(f"**/{part}")
    press(note)
    ready(page)
    wait_for_note(explorer, "The Python engine is running.")
    page.get_by_role("textbox", name="Usable memory").fill("4")
    page.wait_for_function(
        "() => document.querySelector('[data-output=slowdown]').textContent === '1.00'"
    )
    page.wait_for_function("() => document.querySelector('.engine-note').textContent === ''")


@pytest.mark.sampled
@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_never_comes_is_given_up(page, site, part):
    held = []
    page.route(f"**/{part}", lambda route: held.append(route))
    explorer = open_chapter(page, site)
    wait_for_note(explorer, re.compile("(Starting|Waiting for) the Python engine"))
    page.clock.fast_forward(31_000)
    note = wait_for_note(
        explorer, re.compile("did not start within 30 s|gave no answer within 20 s")
    )
    page.unroute(f"**/{part}")
    press(note)
    ready(page)
    assert held


def test_a_worker_that_dies_silently_is_noticed_and_the_question_asked_again(page, site):
    open_chapter(page, site)
    ready(page)
    page.wait_for_function(
        "() => !document.querySelector('.tunables-explorer').explorer.curves.drawing"
    )
    page.evaluate("workers[0].terminate()")
    box = commit(page)
    wait_for_note(box, "Waiting for the Python engine.")
    page.clock.fast_forward(21_000)
    note = wait_for_note(box, "gave no answer within 20 s")
    assert "You can still open the answer." in note.inner_text()
    assert_accessible(page, ".tunables-guess")
    press(note)
    box.locator(".guess-result .guess-verdict").wait_for()
    assert page.evaluate("workers.length") == 2


def test_a_worker_that_breaks_down_mid_work_says_so_and_one_press_answers_all_boxes(page, site):
    explorer = open_chapter(page, site)
    ready(page)
    page.wait_for_function(
        "() => !document.querySelector('.tunables-explorer').explorer.curves.drawing"
    )
    page.evaluate("workers[0].terminate()")
    page.get_by_role("textbox", name="Usable memory").fill("4")
    box = commit(page)
    open_parts(page)
    practice = page.locator(".tunables-practice")
    practice.get_by_label("Your answer").fill("1")
    practice.get_by_role("button", name="Check my answer").click()
    validity = page.locator(".tunables-validity")
    validity.get_by_label("Tolerance").press("ArrowRight")
    page.evaluate("workers[0].dispatchEvent(new ErrorEvent('error', {message: 'no memory'}))")
    for each in (explorer, practice, validity):
        wait_for_note(each, "broke down (no memory)").get_by_role("button").wait_for()
    press(wait_for_note(box, "broke down"))
    box.locator(".guess-result .guess-verdict").wait_for()
    practice.locator(".practice-verdict[data-verdict=wrong]").wait_for()
    validity.get_by_text("more than 6%").wait_for()
    page.wait_for_function(
        "() => document.querySelector('[data-output=slowdown]').textContent === '1.00'"
    )
    assert page.evaluate("workers.length") == 2


BROKEN = {
    "raise ZeroDivisionError('by nothing')": "failed (ZeroDivisionError: by nothing)",
    'return \'{"refusal": ""}\'': "failed (it refused without giving a reason)",
    "return 'no JSON'": "failed",
}


@pytest.mark.sampled
@pytest.mark.parametrize("line", BROKEN)
def test_a_fault_in_one_answer_is_told_and_the_engine_lives(page, site, line):
    def serve_broken(route):
        methods = f"def __init__(self, text): pass\n    def reply(self, text): {line}\n"
        body = f"class GuessSession:\n    {methods}"
        change = f"tunablesPython.shared['tunables/page/guess.py'] = {json.dumps(body)};"
        route.fulfill(body=vendor("python/shared.js").read_text() + change)

    page.route("**/shared.js", serve_broken)
    open_chapter(page, site)
    ready(page)
    box = commit(page)
    note = wait_for_note(box, BROKEN[line])
    assert note.get_by_role("button").count() == 0
    assert "undefined" not in box.inner_text()
    assert box.locator(".guess-result").inner_text() == ""
    page.get_by_role("textbox", name="Usable memory").fill("4")
    page.wait_for_function(
        "() => document.querySelector('[data-output=slowdown]').textContent === '1.00'"
    )


def test_from_disk_it_is_told_and_can_be_started_again(disk_page):
    page = disk_page
    page.route("**/engine-from-disk.js", lambda route: route.abort())
    page.goto(ON_DISK.as_uri())
    explorer = page.locator(".tunables-explorer")
    note = wait_for_note(explorer, "(engine-from-disk.js could not be loaded: reload the page)")
    assert "make serve" in note.inner_text()
    page.unroute("**/engine-from-disk.js")
    press(note)
    ready(page)
