"""The validity maps in the page: walked through by keys, at other tolerances, with the explorer."""

import json

import pytest

from tests.browser.checks import assert_accessible
from tunables.core.registry import maps
from tunables.page.chapters import page_name
from tunables.page.validity import judge

PAGES = {name: f"chapters/{page_name(name)}.html" for name in maps()}
QUICK = ("storm",)  # to compute whole

pytestmark = pytest.mark.browser


def open_map(visitor, path):
    page = visitor.open(path)
    page.wait_for_selector(".tunables-validity[data-engine=ready]", timeout=20_000)
    return page.locator(".tunables-validity")


def settle(section):
    section.page.wait_for_function(
        "s => !s.validity.engine.current && !s.validity.linked.explorer.engine.current",
        arg=section.element_handle(),
    )


def verdicts(section):
    """Return the verdicts of the page, from the lowest y up, as Python has them."""
    rows = section.locator(".validity-grid tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.dataset.verdict))"
    )
    return rows[::-1]


@pytest.mark.sampled
@pytest.mark.parametrize("name", maps())
def test_page_and_cpython_judge_every_cell_alike_at_any_tolerance(reader, name):
    section = open_map(reader(), PAGES[name])
    description = json.loads(section.locator(".validity-description").text_content())
    slider = section.get_by_label("Tolerance")
    for percent in (5, 1, 17, 50):
        slider.fill(str(percent))
        settle(section)
        judged = judge(description, percent)
        assert verdicts(section) == judged["verdicts"]
        assert section.locator(".validity-summary").inner_text() == judged["summary"]
    labels = (
        section.locator("tbody tr")
        .last.locator("td")
        .evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    )
    assert labels == judged["texts"][0]


def test_the_map_is_walked_through_by_keys_and_enter_sets_the_explorer(reader):
    section = open_map(reader(), PAGES["rrd"])
    page = section.page
    grid = section.get_by_role("grid")
    assert grid.locator('td[tabindex="0"]').count() == 1
    grid.locator('td[tabindex="0"]').focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    told = section.locator(".validity-cell")
    assert "Usable memory: 1.5 GiB." in told.inner_text()
    page.keyboard.press("End")
    assert "Usable memory: 5 GiB." in told.inner_text()
    page.keyboard.press("Enter")
    settle(section)
    explorer = page.locator("#explore-rrd")
    assert explorer.evaluate("s => s.explorer.state.memory_gib") == 5
    assert explorer.locator('[data-output="slowdown"]').inner_text() == "1.00"
    here = grid.locator("td.is-here")
    assert here.get_attribute("aria-selected") == "true"
    outlines = section.locator(".validity-here")
    assert (
        outlines.inner_text()
        == "The outlined cell is both the chosen one and the explorer’s setting."
    )
    assert here.get_attribute("aria-current") == "true"
    assert (
        section.locator(".validity-actions")
        .inner_text()
        .endswith("The explorer is set to this cell.")
    )
    page.wait_for_url(lambda url: "03-cache-cliff" in url)


def test_a_cell_is_told_when_pointed_at_and_its_button_says_what_the_explorer_lacks(reader):
    section = open_map(reader(), PAGES["rrd"])
    row = section.locator("tbody tr").filter(has=section.page.get_by_role("rowheader", name="0.5"))
    cell = row.first.locator("td").nth(8)
    cell.hover()
    told = section.locator(".validity-cell").inner_text()
    assert "3.25 GiB" in told
    assert cell.get_attribute("aria-label")[1:] in told
    cell.click()
    section.get_by_role("button", name="Set the explorer to this cell").click()
    assert "it has no “Disorder" in section.locator(".validity-actions").inner_text()


def test_the_outline_follows_the_explorer_or_says_why_not(reader):
    section = open_map(reader(), PAGES["rrd"])
    explorer = section.page.locator("#explore-rrd")
    here = section.locator("td.is-here")
    assert (
        "3.25"
        in section.locator("thead th").nth(here.evaluate("c => c.cellIndex - 1")).inner_text()
    )
    explorer.get_by_role("textbox", name="Usable memory").fill("2.55")
    settle(section)
    assert here.evaluate("c => c.cellIndex - 1") == 4
    explorer.get_by_role("textbox", name="Usable memory").fill("12")
    settle(section)
    assert here.count() == 0
    assert "outside the map" in section.locator(".validity-here").inner_text()
    explorer.get_by_role("combobox", name="Eviction policy and scan order").select_option("mru")
    settle(section)
    assert (
        "is set to mru, but this map is for lru" in section.locator(".validity-here").inner_text()
    )


def test_the_tolerance_is_in_the_link_beside_the_explorers_state(reader):
    visitor = reader()
    section = open_map(visitor, f"{PAGES['rrd']}?rrd.graphs=60000&validity.rrd=20")
    assert section.get_by_label("Tolerance").input_value() == "20"
    assert "more than 20%" in section.locator(".validity-summary").inner_text()
    section.get_by_label("Tolerance").press("ArrowLeft")
    settle(section)
    section.page.wait_for_url(lambda url: "validity.rrd=19" in url)
    section.page.wait_for_url(lambda url: "rrd.graphs=60000" in url)
    assert (
        "does not have"
        not in section.page.locator(".tunables-explorer .explorer-message").text_content()
    )
    section.get_by_label("Tolerance").fill("5")
    settle(section)
    section.page.wait_for_url(lambda url: "validity" not in url)


@pytest.mark.sampled
@pytest.mark.parametrize("query", ["validity.rrd=7.5", "validity.rrd=0", "validity.rrd=many"])
def test_a_tolerance_that_makes_no_sense_is_the_usual_one(reader, query):
    section = open_map(reader(), f"{PAGES['rrd']}?{query}")
    assert section.get_by_label("Tolerance").input_value() == "5"


@pytest.mark.sampled
@pytest.mark.parametrize("name", maps())
def test_with_scripts_off_the_map_and_its_words_stand(reader, name):
    page = reader(java_script_enabled=False).open(PAGES[name])
    section = page.locator(".tunables-validity")
    assert "make serve" in section.locator(".validity-cell").inner_text()
    summary = section.locator(".validity-summary").inner_text()
    marked = section.locator('tbody td[data-verdict^="too"]').count()
    assert f"in {marked} of" in summary


def test_without_the_engine_the_map_says_so(reader):
    visitor = reader()
    visitor.page.route("**/*.wasm", lambda route: route.abort())
    page = visitor.open(PAGES["rrd"])
    page.locator(".tunables-validity").get_by_label("Tolerance").press("ArrowRight")
    page.locator(".tunables-validity .engine-note").get_by_text("could not start").wait_for()
    assert page.locator('.validity-grid td[data-verdict="too high"]').count() > 0


def test_the_map_scrolls_inside_its_region_on_a_narrow_phone(reader):
    section = open_map(reader(viewport={"width": 320, "height": 640}), PAGES["rrd"])
    assert section.locator(".table-scroll").evaluate("r => r.getBoundingClientRect().width") < 320


def computed_cells(section, asked):
    """Return the cells that the page simulates, rounded as those of a printed map are."""
    cells = section.evaluate("(s, asked) => s.validity.compute(asked)", asked)
    return [[[float(f"{value:.5g}") for value in cell] for cell in row] for row in cells]


def map_description(section):
    return json.loads(section.locator(".validity-description").text_content())


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in maps()],
)
def test_computed_in_the_page_at_its_own_settings_a_map_is_the_printed_one(reader, name):
    section = open_map(reader(), PAGES[name])
    words = section.locator(".validity-summary").inner_text()
    assert computed_cells(section, {}) == map_description(section)["cells"]
    settle(section)
    assert section.locator(".validity-summary").inner_text() == words
    assert_accessible(section.page, ".tunables-validity")


def test_a_map_is_computed_at_the_explorers_numbers_and_printed_again(reader):
    section = open_map(reader(), PAGES["rrd"])
    explorer = section.page.locator("#explore-rrd")
    explorer.get_by_role("textbox", name="Graphs updated in each scan").fill("2000")
    settle(section)
    printed = verdicts(section)
    section.get_by_label("Runs per cell").fill("3")
    section.get_by_role("button", name="Compute").press("Enter")
    told = section.get_by_text("Computed here with seed 1, 3 runs per cell, Graphs updated")
    told.wait_for(timeout=60_000)
    settle(section)
    assert verdicts(section) != printed
    assert "outlined" in section.locator(".validity-here").inner_text()
    section.get_by_role("button", name="Back to the book’s map").click()
    settle(section)
    assert verdicts(section) == printed


def test_a_map_that_is_cancelled_keeps_the_cells_that_have_come(reader):
    section = open_map(reader(), PAGES["rdu"])
    section.get_by_role("button", name="Compute").click()
    section.locator('td[data-verdict="to come"]').first.wait_for()
    section.page.wait_for_function(
        "s => Number.parseInt(s.querySelector('.run-progress').textContent) > 12",
        arg=section.element_handle(),
    )
    section.get_by_role("button", name="Cancel").click()
    section.get_by_text("You stopped the simulation.").wait_for()
    settle(section)
    waiting = sum(row.count("to come") for row in verdicts(section))
    assert 0 < waiting < 132
    assert f"of {144 - waiting} cells" in section.locator(".validity-summary").inner_text()


def test_a_map_whose_simulation_is_refused_says_so_and_stays(reader):
    visitor = reader()
    visitor.page.route("**/simulations/*.js", lambda route: route.abort())
    section = open_map(visitor, PAGES["rrd"])
    section.get_by_role("button", name="Compute").click()
    section.get_by_text("The simulation could not start").wait_for()
    section.get_by_role("button", name="Back to the book’s map").click()
    settle(section)
    assert verdicts(section) == judge(map_description(section), 5)["verdicts"]
