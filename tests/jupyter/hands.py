"""What a reader does in a notebook once all its cells were run."""

import re

from tests.chapters.notebooks import cells
from tests.jupyter.server import ROOT, RUN

ERROR = '.jp-OutputArea [data-mime-type="application/vnd.jupyter.stderr"]'
TROUBLE = ("Error displaying widget", "model not found")
OUTPUTS = """(section) =>
  [...section.querySelectorAll('[data-output]')].map((part) => part.textContent).join('|')"""
CHANGED = f"([section, before]) => ({OUTPUTS})(section) !== before"
SAYS_ANOTHER = "([sentence, before]) => sentence.textContent !== before"
ANSWER_MS = 30_000
# How a chapter asks for each of its live parts, and the part that must then be in the page.
PARTS = {
    "animation": ".tunables-animation.is-live",
    "explore": ".tunables-explorer[data-engine=ready]",
    "operator_card": ".tunables-card[data-engine=ready]",
    "validity_map": ".tunables-validity[data-engine=ready]",
    "guess": ".tunables-guess:has(button)",
    "practice": ".tunables-practice[data-problem]",
}


def notebook(name: str):
    """Return the file whose path begins so: "chapters/03"."""
    return next(ROOT.glob(f"{name}-*.ipynb"))


def open_notebook(page, address: str, name: str) -> None:
    """Open the notebook whose path begins so: "chapters/03"."""
    path = notebook(name).relative_to(ROOT).as_posix()
    page.goto(f"{address}/lab/tree/{path}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")


def run_all(page) -> None:
    """Run all cells; none fails."""
    page.evaluate(RUN)
    assert page.locator(ERROR).all_inner_texts() == []
    words = page.locator(".jp-Notebook").inner_text()
    assert not [trouble for trouble in TROUBLE if trouble in words]


def live_parts(page, name: str) -> dict[str, list]:
    """Return the live parts of a chapter, awake: as many of each sort as its code asks for."""
    code = "\n".join(cell["source"] for cell in cells(notebook(name), "code"))
    found = {}
    for call, selector in PARTS.items():
        asked = len(re.findall(rf"^{call}\(", code, re.MULTILINE))
        if asked:
            page.locator(selector).nth(asked - 1).wait_for()
        found[call] = page.locator(selector).all()
        assert len(found[call]) == asked, f"{name} shows {len(found[call])} of {asked} {call}"
    return found


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


def use_an_animation(section) -> None:
    """Click the last of its moments, move its slider, press a button: each changes its sentence."""
    sentence = section.locator(".animation-sentence")
    slider = section.locator(".animation-scrubber").first

    def changes(act) -> None:
        before = sentence.text_content()
        act()
        asked = [sentence.element_handle(), before]
        section.page.wait_for_function(SAYS_ANOTHER, arg=asked, timeout=ANSWER_MS)

    changes(section.locator("a.step").last.click)
    end, now = float(slider.get_attribute("max") or 0), float(slider.input_value())
    changes(lambda: slider.fill(str(end if now < end / 2 else end / 3)))
    changes(section.get_by_role("button", name="Back to the start").click)


def answer_a_guess(section) -> None:
    section.get_by_label("Your guess").fill("1")
    section.get_by_role("button", name="Check my guess").click()
    section.locator(".guess-result .guess-verdict").wait_for()


def ask_a_map(section) -> None:
    field = section.get_by_label("Tolerance")
    least = field.get_attribute("min")
    field.fill(least)
    section.get_by_text(f"by more than {least}%").first.wait_for()


def solve_a_problem(section) -> None:
    shown = section.get_attribute("data-problem")
    section.get_by_role("button", name="New problem").click()
    other = f".tunables-practice[data-problem]:not([data-problem='{shown}'])"
    section.page.wait_for_selector(other)
    section.get_by_label("Your answer").fill("1")
    section.get_by_role("button", name="Check my answer").click()
    section.locator("[data-verdict=right], [data-verdict=wrong]").wait_for()


# What a reader does to a part of each sort; it fails where the part does not answer.
USES = {
    "animation": use_an_animation,
    "explore": move_first_slider,
    "operator_card": move_first_slider,
    "validity_map": ask_a_map,
    "guess": answer_a_guess,
    "practice": solve_a_problem,
}
