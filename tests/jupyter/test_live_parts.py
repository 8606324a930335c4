"""The live parts in a real JupyterLab: the page's own script, answered by the kernel."""

import json
import re
import time
from pathlib import Path

import pytest

from tests.browser.conftest import Reader, chromium  # noqa: F401
from tests.jupyter.server import PANEL, jupyter_lab, write_notebook

ROOT = Path(__file__).parents[2]
SOURCES = [
    "from tunables.views.explorer import explore\nexplorer = explore('rrd')\nexplorer",
    "from tunables.views.validity import validity_map\nmap_ = validity_map('rrd')\nmap_",
    "from tunables.views.operator_card import operator_card\ncard = operator_card(3)\ncard",
    "from tunables.views.guess import guess\n"
    "question = guess('rrd', 'graphs-at-80-percent', 'How many graphs?')\nquestion",
    "from tunables.views.practice import practice\nbox = practice(3)\nbox",
    # Takes longest, and keeps the live parts' first questions waiting.
    "from tunables.views.ledger import book_lines, ledger_page\n"
    "lines = book_lines(simulate=False)\nledger_page(lines)",
    "from tunables.views.audit import audit_table\naudited = audit_table()\naudited",
]
# Makes the last cell the active one, and runs it or those above it, without waiting for the end.
RUN_ACTIVE = f"""(command) => {{(async () => {{{PANEL}
  panel.content.activeCellIndex = panel.content.widgets.length - 1;
  panel.content.deselectAll();
  await jupyterapp.commands.execute(command);
}})();}}"""
# The prompt of each cell, "[3]:" once it was answered, and the kernel's state.
PROMPTS = """() => {
  const { content, sessionContext } = jupyterapp.shell.currentWidget;
  const kernel = sessionContext.session?.kernel?.status ?? 'not started';
  return [content.widgets.map((cell) => cell.inputArea?.promptNode.textContent ?? ''), kernel];
}"""
CELLS_S = 150
SETTLED = """([section, state]) => {
  const { explorer } = section;
  const there = Object.entries(state).every(([name, value]) => explorer.state[name] === value);
  return there && !explorer.engine.current && !explorer.curves.drawing;
}"""
ASK = """async (code) => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const words = [];
  const asked = kernel.requestExecute({ code });
  asked.onIOPub = ({ content }) => words.push(content.text ?? content.traceback?.join('\\n') ?? '');
  const late = new Promise((_, no) => setTimeout(no, 30_000, new Error('the kernel is silent')));
  await Promise.race([asked.done, late]);
  return words.join('');
}"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]  # the first starts JupyterLab


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    home = tmp_path_factory.mktemp("jupyter")
    with jupyter_lab(home) as address:
        yield address, home / "notebooks"


def wait_for_cells(page, sources):
    """Wait until these first cells are answered; name those that are not in time."""
    end = time.monotonic() + CELLS_S
    while True:
        prompts, kernel = page.evaluate(PROMPTS)
        answered = {n for n, prompt in enumerate(prompts) if re.search(r"\d", prompt)}
        waiting = [source for n, source in enumerate(sources) if n not in answered]
        if not waiting:
            return
        assert time.monotonic() < end, f"not answered in {CELLS_S} s (kernel {kernel}): {waiting}"
        page.wait_for_timeout(100)


@pytest.fixture(scope="module")
def notebook(lab, chromium):  # noqa: F811
    """The page of a notebook whose cells show each live part; all but the last were run."""
    assert (ROOT / "_build/front/widget.js").exists(), "run `make widgets` first"
    address, folder = lab
    write_notebook(folder / "parts.ipynb", SOURCES)
    context = chromium.new_context(viewport={"width": 1280, "height": 3000})
    reader = Reader(context, address)
    page = reader.page
    page.set_default_timeout(60_000)
    page.goto(f"{address}/lab/tree/parts.ipynb")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.evaluate(RUN_ACTIVE, "notebook:run-all-above")
    wait_for_cells(page, SOURCES[:-1])
    page.wait_for_selector(".tunables-explorer[data-engine=ready]")
    page.wait_for_selector(".tunables-practice[data-problem]")
    page.set_default_timeout(20_000)
    yield page
    context.close()
    strange = [trouble for trouble in reader.troubles if "page error" in trouble]
    assert not [trouble for trouble in reader.troubles if "another host" in trouble]
    assert strange == []


def python(page, expression):
    """Return the value of an expression in the notebook's kernel."""
    return json.loads(page.evaluate(ASK, f"import json\nprint(json.dumps({expression}))"))


def comes(page, expression, value):
    """Wait until the kernel knows a value: it travels after the answer."""
    end = time.monotonic() + 15
    while (known := python(page, expression)) != value and time.monotonic() < end:
        page.wait_for_timeout(100)
    assert known == value


def do(page, statement):
    assert page.evaluate(ASK, statement) == ""


def explorer(page):
    """Return the explorer at the state in which it opens."""
    do(page, "explorer.set_state(**explorer._model.settings())")
    settle(page, {"graphs": 40_000})
    return page.locator(".tunables-explorer")


def settle(page, state):
    """Wait until the explorer shows this state, with its curves."""
    page.wait_for_function(SETTLED, arg=[page.query_selector(".tunables-explorer"), state])


def output(section, name):
    return section.locator(f'[data-output="{name}"]').inner_text()


def test_what_is_closed_or_has_nothing_to_do_is_not_shown(notebook):
    explorer = notebook.locator(".tunables-explorer").first
    panel = explorer.locator(".explorer-more")
    assert not panel.is_visible()
    assert not explorer.get_by_role("button", name="Drop kept curves").is_visible()
    more = explorer.get_by_role("button", name="More settings (")
    more.click()
    assert panel.is_visible()
    more.click()
    assert not panel.is_visible()


def test_a_moved_slider_is_answered_by_the_table_and_known_in_python(notebook):
    section = explorer(notebook)
    assert output(section, "slowdown") == "20.00"
    section.get_by_label("Usable memory, slider").fill("200")
    settle(notebook, {"memory_gib": 16})
    assert output(section, "slowdown") == "1.00"
    assert section.get_by_role("textbox", name="Usable memory").input_value() == "16 GiB"
    comes(notebook, "explorer.state['memory_gib']", 16)


def test_set_state_in_python_moves_the_controls_and_the_table(notebook):
    section = explorer(notebook)
    do(notebook, "explorer.set_state(graphs=60_000, scheme='lru, zigzag')")
    settle(notebook, {"graphs": 60_000, "scheme": "lru, zigzag"})
    field = section.get_by_role("textbox", name="Graphs updated in each scan")
    assert field.input_value() == "60,000"
    scheme = section.get_by_role("combobox", name="Eviction policy and scan order")
    assert scheme.input_value() == "lru, zigzag"
    shown = python(notebook, "f\"{explorer._model.predict(**explorer.state)['slowdown']:.2f}\"")
    assert output(section, "slowdown") == shown


def test_the_kernel_simulates_the_settings_of_the_explorer(notebook):
    section = explorer(notebook)
    section.get_by_role("button", name="Simulate").click()
    section.get_by_text("simulated 20.00").wait_for()
    asked = "s => s.explorer.simulate({seed: 1})"
    got = section.evaluate(asked)
    assert got == python(notebook, "explorer._model.simulate(1, **explorer.state)")


def test_a_refused_value_is_told_in_a_sentence_typed_or_set_in_python(notebook):
    section = explorer(notebook)
    message = section.locator(".explorer-message")
    field = section.get_by_role("textbox", name="Graphs updated in each scan")
    field.fill("7")
    message.get_by_text("Graphs updated in each scan (graphs) must be a whole number").wait_for()
    field.press("Tab")
    message.get_by_text("not 7. The numbers here are for 40,000.").wait_for()
    assert field.input_value() == "7"
    assert field.get_attribute("aria-invalid") == "true"
    assert python(notebook, "explorer.state['graphs']") == 40_000
    field.fill("50000")
    settle(notebook, {"graphs": 50_000})
    do(notebook, "explorer.set_state(graphs=5_000_000)")
    message.get_by_text("graphs = 5000000: must be").wait_for()
    comes(notebook, "explorer.state['graphs']", 50_000)


def test_the_chart_is_drawn_live_and_again(notebook):
    section = explorer(notebook)
    section.scroll_into_view_if_needed()
    chart = section.locator(".tunables-chart").first
    chart.locator("svg.marks").wait_for()
    before = chart.locator("svg.marks").inner_html()
    do(notebook, "explorer.set_state(memory_gib=6.0)")
    settle(notebook, {"memory_gib": 6})
    notebook.wait_for_function(
        "([chart, before]) => chart.querySelector('svg.marks').innerHTML !== before",
        arg=[chart.element_handle(), before],
    )


def test_what_is_typed_in_a_part_is_not_a_key_of_the_notebook(notebook):
    cells = notebook.locator(".jp-Notebook .jp-Cell").count()
    field = notebook.locator(".tunables-practice").get_by_label("Problem number")
    field.click()
    notebook.keyboard.type("abxdd")
    assert field.input_value().endswith("abxdd")
    assert notebook.locator(".jp-Notebook .jp-Cell").count() == cells


def test_a_guess_is_answered(notebook):
    section = notebook.locator(".tunables-guess")
    section.get_by_label("Your guess").fill("many")
    section.get_by_role("button", name="Check my guess").click()
    section.get_by_text("is not a number").wait_for()
    section.get_by_label("Your guess").fill("70,000")
    section.get_by_role("button", name="Check my guess").click()
    section.get_by_text("You are right, to the precision of the printed digits.").wait_for()
    section.locator(".guess-more > summary").click()
    assert "73,469" in section.locator(".guess-result table").inner_text()


def test_a_problem_is_drawn_and_an_answer_checked(notebook):
    section = notebook.locator(".tunables-practice")
    do(notebook, "box.show_problem('zigzag', 7)")
    notebook.wait_for_selector(".tunables-practice[data-problem='zigzag.7']")
    assert section.get_by_label("Kind of problem").input_value() == "zigzag"
    answer = python(notebook, "str(box.problem.answer)")
    section.get_by_label("Your answer").fill(answer)
    section.get_by_role("button", name="Check my answer").click()
    section.locator(".practice-verdict[data-verdict=right]").wait_for()
    section.get_by_role("button", name="New problem").click()
    notebook.wait_for_selector(".tunables-practice[data-problem]:not([data-problem='zigzag.7'])")
    comes(notebook, "box.problem.question", section.locator(".problem-question").inner_text())


def test_a_card_is_filled_with_the_readers_numbers(notebook):
    section = notebook.locator(".tunables-card")
    before = section.locator(".card-verdict").inner_text()
    do(notebook, "card.set_state(**{'memory_gib': 200.0})")
    section.get_by_text("Below the knee").first.wait_for()
    assert section.locator(".card-verdict").inner_text() != before
    assert section.get_by_role("button", name="Print this card").count() == 0


def test_the_map_takes_a_tolerance_and_sets_the_explorer_in_another_cell(notebook):
    explorer(notebook)
    section = notebook.locator(".tunables-validity")
    section.get_by_label("Tolerance").fill("20")
    section.get_by_text("by more than 20%").wait_for()
    section.locator("td.is-here").wait_for()
    section.get_by_role("grid").locator('td[tabindex="0"]').focus()
    for key in ("ArrowUp", "End", "Enter"):
        notebook.keyboard.press(key)
    settle(notebook, {"memory_gib": 5})
    assert "The explorer is set" in section.locator(".validity-actions").inner_text()


LATE = """
import time
reply = explorer._page.reply
def late_reply(request):
    explorer._page.reply = reply
    time.sleep(22)
    return reply(request)
explorer._page.reply = late_reply
"""


@pytest.mark.long
def test_a_part_that_was_given_no_answer_for_long_comes_alive_at_a_late_one(notebook):
    section = explorer(notebook)
    do(notebook, LATE)
    section.get_by_label("Usable memory, slider").fill("120")
    note = section.get_by_text("gave no answer within 20 s")
    note.wait_for(timeout=30_000)
    note.wait_for(state="detached", timeout=30_000)
    shown = python(notebook, "f\"{explorer._model.predict(**explorer.state)['slowdown']:.2f}\"")
    assert output(section, "slowdown") == shown


def test_a_stored_notebook_shows_the_still_markup_before_it_is_run(lab, chromium):  # noqa: F811
    address, folder = lab
    stored = (ROOT / "chapters/03-cache-cliff.ipynb").read_text()
    (folder / "stored.ipynb").write_text(stored)
    context = chromium.new_context()
    reader = Reader(context, address)
    reader.page.goto(f"{address}/lab/tree/stored.ipynb")
    reader.page.get_by_text("Published numbers and the model").first.wait_for(timeout=150_000)
    assert reader.page.get_by_text("Error displaying widget").count() == 0
    context.close()


def test_the_ledger_is_filtered_and_sorted_by_the_pages_script(notebook):
    notebook.evaluate(RUN_ACTIVE, "notebook:run-cell")
    wait_for_cells(notebook, SOURCES)  # every case is computed
    section = notebook.locator(".tunables-ledger:has(.ledger-controls select)")
    section.wait_for()
    section.get_by_label("Chapter").select_option("4")
    rows = section.locator("tbody th")  # "3. Medium, without DPP"

    def row_labels():
        return [text.split(". ", 1)[1] for text in rows.all_inner_texts()]

    labels = "[l.record['label'] for l in lines if l.chapter == 4]"
    assert row_labels() == python(notebook, labels)
    section.get_by_role("button", name="Published", exact=True).click()
    in_order = "sorted((l.record for l in lines if l.chapter == 4), key=lambda r: r['published'])"
    assert row_labels() == python(notebook, f"[r['label'] for r in {in_order}]")
    section.get_by_label("Search").fill("SMALL, without")
    assert 0 < rows.count() < python(notebook, f"len({labels})")
    assert all("small, without" in label.lower() for label in row_labels())
    assert section.locator("td button").count() == 0


def test_a_table_is_audited_by_the_kernel_and_its_text_is_kept(notebook):
    section = notebook.locator(".tunables-audit")
    text = "| clients | tps | latency (ms) |\n|-|-|-|\n| 8 | 400 | 50 |\n"
    section.get_by_label("Paste a table").fill(text)
    section.get_by_text("1 of the 3 numbers is impossible.").wait_for()
    comes(notebook, "audited.entries.get('audit.text')", text)
    section.get_by_label("What latency (ms) means").select_option("maximum")
    section.get_by_text("No law fits these columns").wait_for()
    assert "maximum" in python(notebook, "audited.entries['audit.read']")
    notebook.evaluate(ASK, "audited.entries = {'audit.sample': 'spdy-loss'}")
    section.get_by_text("1 of the 24 numbers is impossible.").wait_for()


TO_THEME = "(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme })"
INK = "([part, ink]) => getComputedStyle(part).color === ink"


def test_parts_are_dark_in_a_dark_notebook(notebook):
    part = explorer(notebook).element_handle()
    for theme, ink in (
        ("JupyterLab Dark", "rgb(232, 229, 222)"),
        ("JupyterLab Light", "rgb(28, 31, 36)"),
    ):
        notebook.evaluate(TO_THEME, theme)
        notebook.wait_for_function(INK, arg=[part, ink])
