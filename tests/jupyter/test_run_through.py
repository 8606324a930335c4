"""Chapters and labs in a real JupyterLab: Run All Cells, a reader's hands, and an interrupt."""

import shutil
import time

import pytest

from tests.browser.conftest import Reader, chromium  # noqa: F401
from tests.jupyter import hands
from tests.jupyter.server import ROOT, RUN
from tests.lab.interrupted import processes_that_name

CHAPTERS = sorted(f"chapters/{path.name[:2]}" for path in (ROOT / "chapters").glob("*.ipynb"))
STRANGE = ("page error", "another host")
LEFT_S = 60
SAID = """(words) => [...document.querySelectorAll('.jp-OutputArea')]
  .some((area) => area.innerText.includes(words))"""

# In `make test` nbval runs the notebooks, and test_live_parts.py uses each live part in JupyterLab.
# The first test starts JupyterLab.
pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def lab(shared_lab):
    """The address and the folder of a JupyterLab that has the chapters and the labs."""
    address, home = shared_lab
    for name in ("chapters", "labs"):
        shutil.copytree(ROOT / name, home / "notebooks" / name)
    return address, home


@pytest.fixture
def page(lab, chromium):  # noqa: F811
    # Without motion an animation is where a link leads at once, and rests there.
    options = {"viewport": {"width": 1280, "height": 1600}, "reduced_motion": "reduce"}
    context = chromium.new_context(**options)
    reader = Reader(context, lab[0])
    reader.page.set_default_timeout(240_000)
    yield reader.page
    hands.shut_down(reader.page)
    context.close()
    strange = [trouble for trouble in reader.troubles if trouble.startswith(STRANGE)]
    assert strange == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_live_part_of_a_chapter_answers_after_run_all(lab, page, chapter):
    hands.open_notebook(page, lab[0], chapter)
    hands.run_all(page)
    parts = hands.live_parts(page, chapter)
    assert parts["animation"]
    for name, use in hands.USES.items():
        for part in parts[name]:
            use(part)


@pytest.mark.parametrize(
    ("name", "action", "answer"),
    [
        ("labs/03", "Show its curve", "9 requests for 3 objects"),
        ("labs/07-your", "Fit the model", "This model fits"),
    ],
)
def test_a_lab_is_run_and_its_box_used(lab, page, name, action, answer):
    hands.open_notebook(page, lab[0], name)
    hands.run_all(page)
    button = page.get_by_role("button", name=action)
    button.click()
    box = page.locator(".jp-OutputArea", has=button).last
    box.get_by_text(answer).first.wait_for()


def test_lab_1_is_run_from_its_first_cell_to_its_last(lab, page):
    hands.open_notebook(page, lab[0], "labs/01")
    hands.run_all(page)
    page.wait_for_function(SAID, arg="with tickets: 0 of 240 acknowledged too early")


def left_behind(home):
    """Return what is there of a measurement: its files, and the processes that work on them."""
    return [*(home / "tmp").glob("tunables-*"), *processes_that_name(home / "tmp" / "tunables-")]


def comes_to(wanted, found):
    """Wait until found() is as wanted: something, or nothing."""
    give_up = time.monotonic() + LEFT_S
    while bool(found()) != wanted and time.monotonic() < give_up:
        time.sleep(0.05)
    assert bool(found()) == wanted, found()


def test_a_lab_interrupted_half_way_leaves_nothing_behind(lab, page):
    address, home = lab
    hands.open_notebook(page, address, "labs/01")
    page.evaluate(f"() => {{ ({RUN})(); }}")  # and does not wait for the end
    page.locator(".widget-label", has_text="Commits on the device").wait_for()
    comes_to(True, lambda: left_behind(home))
    page.evaluate("() => jupyterapp.commands.execute('notebook:interrupt-kernel')")
    page.locator(hands.ERROR).get_by_text("KeyboardInterrupt").first.wait_for()
    comes_to(False, lambda: left_behind(home))
