"""What a reader does in a notebook once all its cells were run."""

from tests.browser.conftest import AWAKE
from tests.jupyter.server import ROOT, RUN

ERROR = '.jp-OutputArea [data-mime-type="application/vnd.jupyter.stderr"]'
TROUBLE = ("Error displaying widget", "model not found")
CHANGED = """([section, before]) => before
  !== [...section.querySelectorAll('[data-output]')].map((part) => part.textContent).join('|')"""
OUTPUTS = """(section) =>
  [...section.querySelectorAll('[data-output]')].map((part) => part.textContent).join('|')"""


def open_notebook(page, address: str, name: str) -> None:
    """Open the notebook whose path begins so: "chapters/03"."""
    path = next(ROOT.glob(f"{name}-*.ipynb")).relative_to(ROOT).as_posix()
    page.goto(f"{address}/lab/tree/{path}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")


def run_all(page) -> None:
    """Run all cells; none fails, and each live part in them wakes."""
    page.evaluate(RUN)
    assert page.locator(ERROR).all_inner_texts() == []
    page.wait_for_function(AWAKE)
    words = page.locator(".jp-Notebook").inner_text()
    assert not [trouble for trouble in TROUBLE if trouble in words]


def shut_down(page) -> None:
    """End the kernels: a later test starts its own."""
    page.evaluate("() => jupyterapp.serviceManager.sessions.shutdownAll()")


def move_first_slider(section) -> None:
    """Move the first slider to its farther end: the numbers beside it answer."""
    slider = section.locator("input[type=range]").first
    low, high, now = (
        float(text)
        for text in (
            slider.get_attribute("min"),
            slider.get_attribute("max"),
            slider.input_value(),
        )
    )
    before = section.evaluate(OUTPUTS)
    assert before
    slider.fill(f"{low if now - low > high - now else high:g}")
    section.page.wait_for_function(CHANGED, arg=[section.element_handle(), before])


def guess_one(page) -> None:
    section = page.locator(".tunables-guess").first
    section.get_by_label("Your guess").fill("1")
    section.get_by_role("button", name="Commit").click()
    section.locator(".guess-result table").wait_for()


def ask_the_map(page) -> None:
    section = page.locator(".tunables-validity").first
    least = section.get_by_label("Tolerance").get_attribute("min")
    section.get_by_label("Tolerance").fill(least)
    section.get_by_text(f"by more than {least} %").first.wait_for()


def solve_a_problem(page) -> None:
    section = page.locator(".tunables-practice[data-problem]").first
    shown = section.get_attribute("data-problem")
    section.get_by_role("button", name="New problem").click()
    page.wait_for_selector(f".tunables-practice[data-problem]:not([data-problem='{shown}'])")
    section.get_by_label("Your answer").fill("1")
    section.get_by_role("button", name="Check my answer").click()
    section.locator("[data-verdict=right], [data-verdict=wrong]").wait_for()
