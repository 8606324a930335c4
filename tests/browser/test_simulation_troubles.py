"""A simulation that cannot start, breaks off or refuses: a sentence, and the closed forms go on."""

import base64
import json

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.conftest import vendor
from tests.browser.hands import unfold
from tests.browser.test_engine_troubles import KEEP_WORKERS, ready
from tests.browser.test_explorer import settle
from tunables.core.registry import find_case
from tunables.page.chapters import CHAPTERS, page_name
from tunables.page.formats import output_text

SLUG = CHAPTERS[0].slug
CHAPTER = f"chapters/{page_name(SLUG)}.html"
FILE = f"**/simulations/{SLUG}.js"
MODULE = f"tunables/chapters/{SLUG}/simulation.py"
GIVEN = f"tunablesSimulations.{SLUG}"

pytestmark = pytest.mark.browser


def section_of(number, *items):
    """Return a section of a WebAssembly module, or anything else with a count and a length."""
    body = bytes([len(items)]) + b"".join(items)
    return bytes([number, len(body)]) + body


def kernels(allocates, *code):
    """Return a module whose `allocate` returns a number, and whose experiment is this code."""
    kinds = (b"\x60\x00\x01\x7f", b"\x60\x01\x7f\x00", b"\x60\x01\x7f\x01\x7f")
    named = [("mark", 0), ("release", 1), ("allocate", 2), ("experiment.experiment", 3)]
    exports = [bytes([len(name)]) + name.encode() + bytes([0, index]) for name, index in named]
    bodies: tuple = ([0x41, 8], [], [0x41, allocates], code)
    return b"".join(
        [
            b"\0asm\x01\0\0\0",
            section_of(1, *kinds),
            section_of(3, *(bytes([kind]) for kind in (0, 1, 2, 2))),
            section_of(5, b"\x00\x01"),
            section_of(7, b"\x06memory\x02\x00", *exports),
            section_of(10, *(bytes([len(body) + 2, 0, *body, 0x0B]) for body in bodies)),
        ]
    )


def code(module):
    return f"{GIVEN}.kernels.code = {json.dumps(base64.b64encode(module).decode())};"


def source(line):
    text = f"def run(seed, **settings):\n    {line}\n"
    return f"{GIVEN}.python[{json.dumps(MODULE)}] = {json.dumps(text)};"


# The next worker dies once it has said a first word, the others live.
NEXT_ONE_DIES = """() => {
  const Living = Worker;
  globalThis.Worker = class extends Living {
    constructor(...given) {
      super(...given);
      globalThis.Worker = Living;
      this.addEventListener('message', () => this.terminate(), { once: true });
    }
  };
}"""
UNREACHABLE = 0x00
CLIENTS = "Concurrent calls N (calls) must be more, not "
BROKEN = {
    "no module": (code(b"no module"), "The simulation could not start"),
    "a trap": (code(kernels(8, UNREACHABLE)), 'The kernel "experiment.experiment" stopped'),
    "no memory": (code(kernels(0, UNREACHABLE)), "needs more memory than it is allowed to use"),
    "a refusal": (source("raise ValueError('clients = 3: must be more')"), CLIENTS),
    "a fault": (
        source("raise ZeroDivisionError('by nothing')"),
        "The simulation failed (ZeroDivisionError: by nothing). "
        "The formula’s results still update.",
    ),
}


@pytest.fixture
def page(reader):
    """A page whose clock can be put forward, and whose workers are kept at hand."""
    page = reader(alone=True).page
    page.clock.install()
    page.add_init_script(KEEP_WORKERS)
    return page


def begin(page, site, before="0"):
    """Open the chapter, evaluate a script and press Simulate; return the explorer."""
    page.goto(f"{site}/{CHAPTER}")
    ready(page)
    page.evaluate(before)
    section = page.locator("#explore-rdu")
    section.get_by_role("button", name="Simulate").click()
    return section


def goes_on(section):
    """Move a control: the closed form must answer."""
    section.get_by_role("textbox", name="Maximum flush delay D").fill("1")
    settle(section)
    case = find_case("rdu")
    response_s = case.predict(**case.settings(max_delay_s=1.0))["response_s"]
    shown = output_text(response_s, case.output("response_s").digits)
    assert section.locator("[data-output=response_s]").inner_text() == shown


def mends(section):
    section.get_by_role("button", name="Reset").click()
    section.get_by_role("button", name="Simulate").click()
    section.get_by_text("simulated 6.154 ± 0.001").wait_for()
    assert section.locator(".run-note").inner_text() == ""


@pytest.mark.sampled
@pytest.mark.parametrize("status", [404, None])
def test_a_file_that_is_refused_is_told_and_can_be_fetched_again(page, site, status):
    page.route(FILE, lambda route: route.fulfill(status=status) if status else route.abort())
    section = begin(page, site)
    note = section.locator(".run-note")
    note.get_by_text("The simulation could not start").wait_for()
    assert note.get_attribute("role") == "status"
    assert "The formula’s results still update." in note.inner_text()
    goes_on(section)
    assert_accessible(page, "#explore-rdu")
    page.unroute(FILE)
    mends(section)


def test_a_file_that_never_comes_is_given_up(page, site):
    held = []
    page.route(FILE, lambda route: held.append(route))
    section = begin(page, site)
    page.wait_for_function("() => workers.length === 2")
    page.wait_for_timeout(1000)
    page.clock.fast_forward(31_000)
    section.get_by_text("gave no answer within 20 s").or_(
        section.get_by_text("did not start within 30 s")
    ).wait_for()
    assert held


@pytest.mark.sampled
@pytest.mark.parametrize("trouble", BROKEN)
def test_what_breaks_is_told_and_the_next_one_may_run(page, site, trouble):
    change, words = BROKEN[trouble]
    page.route(
        FILE,
        lambda route: route.fulfill(body=vendor(f"simulations/{SLUG}.js").read_text() + change),
    )
    section = begin(page, site)
    section.get_by_text(words).wait_for()
    goes_on(section)
    assert "null" not in section.inner_text()


def test_a_worker_that_dies_is_noticed_and_the_next_one_runs(page, site):
    section = begin(page, site, NEXT_ONE_DIES)
    told = section.get_by_text("The simulation").first
    while not told.is_visible():  # what the worker has said before begins the wait again
        page.clock.fast_forward(31_000)
        page.wait_for_timeout(100)
    goes_on(section)
    mends(section)


def test_without_webassembly_the_printed_numbers_stand(reader):
    page = reader(alone=True).page
    script = vendor("engine-worker.js").read_text()
    without = "self.WebAssembly = undefined;" + script
    page.route("**/engine-worker.js", lambda route: route.fulfill(body=without))
    page.goto(f"{reader().site}/{CHAPTER}")
    section = page.locator("#explore-rdu")
    section.get_by_role("button", name="Simulate").click()
    section.get_by_text("The simulation could not start").wait_for()
    assert "6.167" in unfold(section).locator("table").inner_text()
