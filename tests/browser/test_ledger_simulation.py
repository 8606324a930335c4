"""Every line of the ledger, simulated in the page: its printed numbers come back."""

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.test_ledger import open_ledger
from tunables.core.registry import cases

pytestmark = pytest.mark.browser

MODELLED = [name for name, case in cases().items() if any(each.output for each in case.numbers)]
IN_CLOSED_FORM = ["storm"]  # its simulation tells what follows an outage, which is not published
SIMULATED = [name for name in MODELLED if name not in IN_CLOSED_FORM]
CELLS = """
(s, name) => s.ledger.simulator.lines.flatMap((line, index) => line?.case === name
  ? [{index, printed: line.place.parentElement.firstChild.textContent, state: line.state}] : [])
"""


@pytest.mark.parametrize("name", IN_CLOSED_FORM)
def test_a_case_that_simulates_no_published_number_has_no_button(reader, name):
    assert open_ledger(reader()).evaluate(CELLS, name) == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", SIMULATED)
def test_each_lines_simulation_gives_what_is_printed(reader, name):
    section = open_ledger(reader())
    lines = section.evaluate(CELLS, name)
    assert lines
    done = []
    for line in lines:
        if line["state"] not in done:  # lines of the same settings share their simulation
            section.evaluate("(s, i) => s.ledger.simulator.simulate(i)", line["index"])
            done.append(line["state"])
    for line in lines:
        told = section.evaluate(
            "(s, i) => s.ledger.simulator.lines[i].place.textContent", line["index"]
        )
        assert told.rsplit(", ", 1)[0] == line["printed"]


START_AND_CANCEL = """
async (button) => {
  const place = button.nextElementSibling;
  button.focus();
  button.click();
  const named = button.getAttribute('aria-label');
  while (!/ of 20 runs$/.test(place.textContent)) await new Promise((done) => setTimeout(done));
  button.click();
  return named;
}
"""


def test_a_line_is_simulated_and_cancelled_by_its_button(reader):
    section = open_ledger(reader())
    button = section.get_by_role("button", name="Simulate 1. Throughput, row 1")
    assert button.evaluate(START_AND_CANCEL) == "Cancel 1. Throughput, row 1"
    section.get_by_text("You stopped the simulation.").first.wait_for()
    assert button.evaluate("b => b.matches(':focus')")
    button.press("Enter")
    section.get_by_text("6.154 ± 0.001, 20 runs").first.wait_for()
    assert_accessible(section.page, "#ledger-table")


def test_a_file_that_is_refused_is_told_in_the_line(reader):
    visitor = reader()
    visitor.page.route("**/simulations/*.js", lambda route: route.abort())
    section = open_ledger(visitor)
    section.get_by_role("button", name="Simulate 1. Throughput, row 1").click()
    section.get_by_text("The simulation could not start").first.wait_for()
