"""The experiments simulated in the page: the ledger's numbers, progress, cancel, what is shown."""

import pytest

from tests.browser.checks import assert_accessible, assert_nothing_hangs_over
from tests.browser.test_explorer import settle
from tunables.core.registry import case_names, find_case
from tunables.page.chapters import page_name
from tunables.page.formats import interval_text, rounded

PAGES = {name: f"chapters/{page_name(name)}.html" for name in case_names()}
LONG = "rdu"  # a case of many runs

pytestmark = pytest.mark.browser


def open_explorer(visitor, name):
    visitor.open(PAGES[name])
    section = visitor.page.locator(f"#explore-{name}")
    visitor.page.wait_for_selector(f"#explore-{name}[data-engine=ready]", timeout=60_000)
    return section


def simulate_in_page(section, asked):
    """Return {output: (mean, half-width)} of a simulation in the page's console."""
    reply = section.evaluate("(s, asked) => s.explorer.simulate(asked)", asked)
    return {output: tuple(interval) for output, interval in reply.items()}


def simulated_text(section, name):
    return section.locator(f'[data-simulated="{name}"]').text_content()  # some are folded


def ran(section):
    """Wait until a simulation that was started by hand has ended."""
    section.get_by_role("button", name="Simulate").wait_for(timeout=60_000)


@pytest.mark.sampled
@pytest.mark.parametrize("name", case_names())
def test_every_case_gives_the_ledgers_numbers_to_the_last_bit(reader, name):
    """What runs is fetched once, and what it tells fits on a narrow phone."""
    visitor, fetched = reader(viewport={"width": 320, "height": 640}), []
    visitor.page.on("request", lambda request: fetched.append(request.url))
    case, section = find_case(name), open_explorer(visitor, name)
    expected = case.simulate(1, **case.settings())
    assert simulate_in_page(section, {"seed": 1}) == expected
    one_run = section.locator(".run-progress").text_content() == "1 run"
    for output, interval in expected.items():
        digits = case.output(output).digits
        shown = rounded(interval[0], digits) if one_run else interval_text(interval, digits)
        assert simulated_text(section, output) == f"simulated {shown}"
    (file,) = [url for url in fetched if "/simulations/" in url]
    assert file.endswith(f"/simulations/{case.chapter}.js")
    assert_nothing_hangs_over(section.page)


def test_more_replications_go_on_from_those_that_were_made(reader):
    case, section = find_case(LONG), open_explorer(reader(), LONG)
    settings, runs = case.settings(), case.simulation.replications
    again = simulate_in_page(section, {"seed": 3, "replications": 2 * runs})
    first, second = (case.simulation.runs(seed, **settings) for seed in (3, 4))
    responses = [run["response_s"] for run in first + second]
    assert again["response_s"][0] == pytest.approx(sum(responses) / len(responses), rel=1e-12)


# Twenty runs may be over before a test can look: the page itself notes what was shown, and where
# the focus was.
NOTE_PROGRESS = """
(told) => {
  told.noted = [];
  const note = () => told.noted.push([told.textContent, document.activeElement.textContent]);
  new MutationObserver(note).observe(told, {childList: true, characterData: true, subtree: true});
}
"""


def test_by_keys_it_starts_shows_how_far_it_is_and_tells_the_end_to_those_who_listen(reader):
    section = open_explorer(reader(), LONG)
    told = section.locator(".run-progress")
    told.evaluate(NOTE_PROGRESS)
    start = section.get_by_role("button", name="Simulate")
    start.focus()
    start.press("Enter")
    section.get_by_text("20 runs", exact=True).wait_for()
    ran(section)
    noted = told.evaluate("told => told.noted")
    for run in range(1, 20):
        assert [f"{run} of 20 runs", "Cancel"] in noted
    assert start.evaluate("b => b.matches(':focus')")
    assert told.inner_text() == "20 runs"
    said = section.locator("p.visually-hidden[role=status]").text_content()
    assert said.startswith("Throughput, simulated: 6.154 ± 0.001 batches/s; Mean response time")
    section.get_by_role("button", name="More runs").press("Enter")
    section.get_by_text("40 runs", exact=True).wait_for()


CANCEL = """
async (s) => {
  const bar = s.querySelector('.run-bar');
  const buttons = [...bar.querySelectorAll('button')];
  const press = (name) => buttons.find((b) => b.textContent === name).click();
  const until = async (holds) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve));
  };
  press('Simulate');
  await until(() => /^[2-9] of/.test(s.querySelector('.run-progress').textContent));
  press('Cancel');
  await new Promise((resolve) => setTimeout(resolve)); // nothing is waited for
  return s.explorer.simulator.running;
}
"""


def test_cancel_stops_it_at_once_and_the_next_one_runs(reader):
    section = open_explorer(reader(), LONG)
    assert section.evaluate(CANCEL) is None
    assert section.get_by_text("You stopped the simulation.").is_visible()
    stood = section.locator(".run-progress").inner_text()
    section.page.wait_for_timeout(300)
    assert section.locator(".run-progress").inner_text() == stood
    section.get_by_role("button", name="Simulate").click()
    section.get_by_text("20 runs", exact=True).wait_for()
    assert not section.get_by_text("You stopped the simulation.").is_visible()


POINTS = """
(s, index) => {
  const {x, y} = s.explorer.description.views[index];
  return s.explorer.simulator.points(x, y);
}
"""


# Where the parts of an explorer begin and where it ends, from its top.
FROM_TOP = """
(section) => [...section.children, ...section.querySelectorAll('.explorer-screen > *'), null]
  .filter((part) => !part || part.getClientRects().length)
  .map((part) => part?.getBoundingClientRect().top ?? section.getBoundingClientRect().bottom)
  .map((y) => Math.round(y - section.getBoundingClientRect().top))
"""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_nothing_below_moves_when_it_starts_and_when_its_numbers_come(reader, size):
    visitor = reader(viewport=dict(zip(("width", "height"), size, strict=True)))
    section = open_explorer(visitor, "rrd")
    section.get_by_role("button", name="Simulate").scroll_into_view_if_needed()
    begun = section.evaluate(FROM_TOP)
    section.get_by_role("button", name="Simulate").click()
    section.get_by_text("simulated 20.00").wait_for()
    ran(section)
    assert section.evaluate(FROM_TOP) == begun


def points(section, index):
    """Return what a chart shows of the simulations."""
    return section.evaluate(POINTS, index)


def test_what_was_simulated_stays_with_its_settings(reader):
    section = open_explorer(reader(), "rrd")
    simulate_in_page(section, {"seed": 1})
    assert simulated_text(section, "slowdown") == "simulated 20.00"
    (point,) = points(section, 0)
    assert (point["y"], point["low"], point["high"]) == (20, 20, 20)
    memory = section.get_by_role("textbox", name="Usable memory")
    graphs = section.get_by_role("textbox", name="Graphs updated in each scan")
    graphs.fill("60000")
    settle(section)
    assert simulated_text(section, "slowdown") == ""
    along = [view["x"] for view in section.evaluate("s => s.explorer.description.views")]
    kept = [len(points(section, index)) for index in range(len(along))]
    assert kept == [int(name == "graphs") for name in along]
    memory.fill("4")
    settle(section)
    assert not any(len(points(section, index)) for index in range(len(along)))
    section.get_by_role("button", name="Reset").click()
    settle(section)
    assert simulated_text(section, "slowdown") == "simulated 20.00"


def test_a_chart_shows_the_point(reader):
    section = open_explorer(reader(), LONG)
    figure = section.locator(".tunables-chart").first
    figure.scroll_into_view_if_needed()
    section.page.wait_for_function("f => 'drawn' in f.dataset", arg=figure.element_handle())
    before = figure.locator("svg").inner_html()
    simulate_in_page(section, {"seed": 1})
    section.page.wait_for_function(
        "([f, before]) => f.querySelector('svg').innerHTML !== before",
        arg=[figure.element_handle(), before],
    )
    assert_accessible(section.page, f"#explore-{LONG}")


# As many runs as there may be, so that they are not over before the test goes on.
MANY = """(s) => {
  const { most_runs: replications } = s.explorer.description.simulation;
  s.explorer.simulate({ seed: 1, replications }).catch(() => {});
}"""


def test_settings_that_move_stop_what_runs_for_others(reader):
    section = open_explorer(reader(), LONG)
    section.evaluate(MANY)
    section.get_by_role("textbox", name="Maximum flush delay D").fill("1")
    section.get_by_text("You stopped the simulation.").wait_for()
    assert simulated_text(section, "response_s") == ""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("seed", "sentence"),
    [("1.5", "seed = 1.5: must be a whole number"), ("", "seed = None"), ("-1", "seed = -1")],
)
def test_a_seed_that_makes_no_sense_is_refused(reader, seed, sentence):
    section = open_explorer(reader(), LONG)
    section.get_by_role("button", name="More settings (").click()
    field = section.get_by_label("Seed")
    field.fill(seed)
    assert field.get_attribute("aria-invalid") == "true"
    section.get_by_role("button", name="Simulate").click()
    section.get_by_text(sentence).wait_for()


@pytest.mark.parametrize(
    "look", [{"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}]
)
def test_in_the_dark_and_on_a_phone_it_is_accessible_and_fits(reader, look):
    section = open_explorer(reader(**look), LONG)
    simulate_in_page(section, {"seed": 1, "replications": 2})
    assert_accessible(section.page, f"#explore-{LONG}")
    assert_nothing_hangs_over(section.page)


def test_on_paper_stands_what_was_simulated_without_its_controls(reader):
    section = open_explorer(reader(), LONG)
    simulate_in_page(section, {"seed": 1, "replications": 2})
    section.page.emulate_media(media="print")
    assert not section.locator(".run-bar").first.is_visible()
    assert section.locator("[data-simulated=response_s]").is_visible()
