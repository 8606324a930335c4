"""The explorer in the page: moved, typed into, linked to, and held against CPython."""

import json
import math
import random
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.hands import in_hand, unfold
from tests.page.states import random_state
from tunables.core.registry import cases
from tunables.page.explorer import ExplorerSession
from tunables.views.explorer import defaults, describe

ROOT = Path(__file__).parents[2]
CHAPTER = "chapters/03-cache-cliff.html"

pytestmark = pytest.mark.browser


def state(section):
    return section.evaluate("s => s.explorer.state")


def settle(section):
    done = "s => !s.explorer.engine.current && !s.explorer.drawing"
    section.page.wait_for_function(done, arg=section.element_handle())


def output(section, name):
    settle(section)
    return section.locator(f'[data-output="{name}"]').inner_text()


def test_a_slider_moved_by_the_mouse_is_answered_by_table_and_chart(reader):
    section = reader().wake(CHAPTER)
    assert output(section, "slowdown") == "20.00"
    before = section.locator(".explorer-views").inner_html()
    slider = section.get_by_label("Graphs updated in each scan, slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    mouse, y = section.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] * 0.7, y)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.3, y, steps=8)
    mouse.up()
    assert output(section, "slowdown") == "1.00"
    assert state(section)["graphs"] < 36_562
    assert section.locator(".explorer-views").inner_html() != before


def test_a_slider_moved_by_keys_stays_on_the_page(reader):
    section = reader().wake(CHAPTER)
    slider = section.get_by_label("Usable memory, slider")
    slider.focus()
    for _ in range(10):
        slider.press("ArrowRight")
    settle(section)
    assert state(section)["memory_gib"] == pytest.approx(4.0)
    assert output(section, "slowdown") == "1.00"
    section.page.wait_for_url(lambda url: "03-cache-cliff" in url)
    assert slider.get_attribute("aria-valuetext") == "4 GiB"


def test_a_fitted_parameter_moved_away_shows_its_error_in_the_table(reader):
    section = unfold(reader().wake(CHAPTER))
    row = section.locator("tbody tr", has_text="8 GiB at a setting of 98%")
    assert row.locator('[data-cell="error"]').inner_text() == "fitted"
    in_hand(section, "Cache space of one graph").fill("120000")
    settle(section)
    assert row.locator('[data-cell="error"]').inner_text() == "−20.5%"


def test_a_value_out_of_range_is_refused_in_a_sentence_and_the_state_stays(reader):
    section = reader().wake(CHAPTER)
    field = section.get_by_role("textbox", name="Graphs updated in each scan")
    field.fill("5000000")
    settle(section)
    message = section.locator(".explorer-message")
    assert message.inner_text() == (
        "Graphs updated in each scan (graphs) must be a whole number at least 1000"
        " and at most 200000, not 5000000."
    )
    assert field.get_attribute("aria-invalid") == "true"
    assert state(section)["graphs"] == 40_000
    field.fill("")
    settle(section)
    assert message.inner_text().endswith("and at most 200000, not empty.")
    field.fill("50000")
    settle(section)
    assert not message.is_visible()
    assert field.get_attribute("aria-invalid") is None


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("typed", "memory_gib", "shown"),
    [("4096 MiB", 4, "4 GiB"), ("0.002 TiB", 2.048, "2.048 GiB"), ("3.25", 3.25, "3.25 GiB")],
)
def test_a_number_may_be_typed_with_a_unit_of_its_own(reader, typed, memory_gib, shown):
    section = reader().wake(CHAPTER)
    field = section.get_by_role("textbox", name="Usable memory")
    field.fill(typed)
    settle(section)
    assert state(section)["memory_gib"] == pytest.approx(memory_gib, rel=1e-12)
    assert field.input_value() == typed  # the reader's, as long as they type
    field.press("Enter")
    settle(section)
    assert field.input_value() == shown


MEMORY = "Usable memory"
REFUSED = f'{MEMORY} (GiB) must be a number at least 1 and at most 16, not "3 s".'
IN_GIB = ' "s" does not fit: the number must be in GiB. Write one such as 64 KiB, 512 MiB or 4 GiB.'


def type_refused(section, text):
    """Type a text that is refused; return its field and the sentence's place."""
    field = section.get_by_role("textbox", name=MEMORY)
    for letter in text:  # each is answered before the next, as when one types slowly
        field.press_sequentially(letter)
        settle(section)
    assert field.get_attribute("aria-invalid") == "true"
    return field, section.locator(".explorer-message")


def clear_memory(section):
    section.get_by_role("textbox", name=MEMORY).fill("")
    settle(section)
    return section


def test_a_refused_text_stays_with_its_sentence_until_it_is_corrected(reader):
    section = clear_memory(reader().wake(CHAPTER))
    field, said = type_refused(section, "3 s")
    assert said.inner_text() == REFUSED + IN_GIB
    expect(said).to_be_in_viewport(ratio=1)  # as the field is
    field.press("Tab")
    settle(section)
    assert field.input_value() == "3 s"
    assert field.get_attribute("aria-invalid") == "true"
    # Leaving the field asks for the value before; the sentence says so once that is answered.
    expect(said).to_have_text(f"{REFUSED}{IN_GIB} The numbers here are for 3.25 GiB.")
    assert state(section)["memory_gib"] == 3.25
    field.fill("4")
    settle(section)
    assert not said.is_visible()
    assert field.get_attribute("aria-invalid") is None
    assert state(section)["memory_gib"] == 4


def test_a_refused_text_leaves_no_number_of_its_first_letters_behind(reader):
    section = clear_memory(reader().wake(CHAPTER))
    field, _ = type_refused(section, "12 files")  # on the way it was 1 and 12
    field.press("Enter")
    settle(section)
    assert field.input_value() == "12 files"
    assert state(section)["memory_gib"] == 3.25
    assert output(section, "slowdown") == "20.00"


def test_a_refused_text_and_its_sentence_outlive_a_change_of_another_control(reader):
    section = clear_memory(reader().wake(CHAPTER))
    field, said = type_refused(section, "abc")
    field.press("Tab")
    section.get_by_label("Graphs updated in each scan, slider").press("ArrowRight")
    settle(section)
    assert field.input_value() == "abc"
    assert 'not "abc".' in said.inner_text()


@pytest.mark.sampled
@pytest.mark.parametrize("way", ["Reset", "Undo", "slider"])
def test_a_refused_text_goes_when_its_value_is_given_otherwise(reader, way):
    section = clear_memory(reader().wake(CHAPTER))
    field, said = type_refused(section, "abc")
    field.press("Tab")
    settle(section)
    if way == "slider":
        section.get_by_label("Usable memory, slider").press("End")
    else:
        section.get_by_role("button", name=way).click()
    settle(section)
    assert field.input_value() == ("16 GiB" if way == "slider" else "3.25 GiB")
    assert field.get_attribute("aria-invalid") is None
    assert not said.is_visible()


def test_undo_takes_back_a_drag_as_one_step_and_a_field_as_one(reader):
    section = reader().wake(CHAPTER)
    slider = section.get_by_label("Graphs updated in each scan, slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    mouse, y = section.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] * 0.7, y)
    mouse.down()
    for share in (0.6, 0.5, 0.4):
        mouse.move(box["x"] + box["width"] * share, y)
        settle(section)
    mouse.up()
    dragged = state(section)["graphs"]
    assert dragged < 30_000
    field = section.get_by_role("textbox", name="Usable memory")
    field.press_sequentially("4")
    field.fill("5")
    field.press("Tab")
    settle(section)
    undo = section.get_by_role("button", name="Undo")
    undo.click()
    settle(section)
    assert state(section)["graphs"] == dragged
    assert state(section)["memory_gib"] == 3.25
    undo.click()
    settle(section)
    assert state(section) == section.evaluate("s => s.explorer.description.defaults")


LINK = """section => {
  const link = document.createElement('a');
  link.href = '#explore-rrd?memory_gib=8&usage_maximum_percent=80';
  link.textContent = 'at 80%';
  section.after(link);
}"""


def test_a_link_in_the_text_sets_the_explorer_here_and_in_a_window_of_its_own(reader):
    visitor = reader()
    section = visitor.wake(CHAPTER)
    section.evaluate(LINK)
    section.get_by_role("textbox", name="Graphs updated in each scan").fill("73469")
    settle(section)
    link = section.page.get_by_role("link", name="at 80%")
    link.click()
    section.locator(".explorer-set", has_text="Set: ").wait_for()
    settle(section)
    said = "Set: Usable memory 8 GiB; PoolUsageMaximum 80%."
    assert section.locator(".explorer-set").inner_text().startswith(said)
    assert link.get_attribute("aria-current") == "true"
    there = state(section)
    assert (there["graphs"], there["memory_gib"]) == (40_000, 8)
    assert section.get_by_role("textbox", name="PoolUsageMaximum").is_visible()
    in_hand(section, "Cache space of one graph").fill("100 kB")
    settle(section)
    assert link.get_attribute("aria-current") is None
    assert section.locator(".explorer-set").inner_text() == ""
    opened = visitor.wake(f"{CHAPTER}{link.get_attribute('href')}")
    assert state(opened) == there
    opened.page.wait_for_url(lambda url: "rrd.memory_gib=8" in url)
    assert opened.page.url.endswith("#explore-rrd")
    assert visitor.troubles == []


def test_every_row_button_sets_the_published_settings(reader):
    section = unfold(reader().wake(CHAPTER))
    description = section.evaluate("s => s.explorer.description")
    rows = [row for row in description["rows"] if row["output"]]
    for row in rows:
        section.get_by_role("button", name=row["label"]).click()
        settle(section)
        assert row["settings"].items() <= state(section).items()
        current = section.locator("tr.is-current").all_inner_texts()
        assert any(row["label"] in text for text in current)


def test_a_link_restores_the_state_and_reset_clears_it(reader):
    visitor = reader()
    section = visitor.wake(CHAPTER)
    section.get_by_role("textbox", name="Graphs updated in each scan").fill("60000")
    section.get_by_role("combobox", name="Eviction policy and scan order").select_option(
        "lru, zigzag"
    )
    settle(section)
    section.get_by_role("button", name="Copy link").click()
    section.get_by_text("Copied.").wait_for()
    link = section.page.evaluate("navigator.clipboard.readText()")
    slowdown = output(section, "slowdown")
    assert link.endswith("#explore-rrd")

    again = visitor.wake(link.removeprefix(f"{visitor.site}/"))
    assert state(again)["graphs"] == 60_000
    assert state(again)["scheme"] == "lru, zigzag"
    assert output(again, "slowdown") == slowdown
    assert (
        again.get_by_role("textbox", name="Graphs updated in each scan").input_value() == "60,000"
    )
    again.get_by_role("button", name="Reset").click()
    settle(again)
    assert state(again) == again.evaluate("s => s.explorer.description.defaults")
    again.page.wait_for_url(lambda url: "?" not in url)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("rrd.graphs=7", "(graphs) must be a whole number at least 1000"),
        ("rrd.graphs=1e999", '200000, not "1e999".'),
        ("rrd.graphs=-Infinity", '200000, not "-Infinity".'),
        ("rrd.graphs=many", '200000, not "many".'),
        ("rrd.scheme=lifo", "Eviction policy and scan order must be one of lru, fifo"),
        ("rrd.colour=red", "The link names colour, which this explorer does not have."),
    ],
)
def test_a_link_that_makes_no_sense_is_told_so(reader, query, sentence):
    section = reader().wake(f"{CHAPTER}?{query}")
    assert sentence in section.locator(".explorer-message").inner_text()
    assert state(section) == section.evaluate("s => s.explorer.description.defaults")


def test_without_its_engine_the_explorer_says_so_and_the_table_stands(reader):
    visitor = reader()
    visitor.page.route("**/*.wasm", lambda route: route.abort())
    visitor.open(CHAPTER)
    message = visitor.page.locator(".tunables-explorer .engine-note")
    message.get_by_text("could not start").wait_for()
    unfold(visitor.page.locator(".tunables-explorer").first)
    assert "73,469" in visitor.page.locator(".tunables-explorer table").inner_text()


def test_with_scripts_off_the_tables_stand(reader):
    page = reader(java_script_enabled=False).open(CHAPTER)
    section = page.locator(".tunables-explorer")
    assert "make serve" in section.inner_text()
    assert "73,469" in section.locator("table").inner_text()


ASK = """
async ({description, states}) => {
  const session = new tunables.Session('tunables.page.explorer:ExplorerSession', description);
  const replies = [];
  for (const state of states) {
    const reply = await session.ask({state});
    while (!reply.views) Object.assign(reply, await session.ask({draw_s: 0.01}));
    replies.push(reply);
  }
  return replies;
}
"""


def whole_reply(page, state):
    """Return the numbers of a state and, drawn in one go, its views."""
    reply = json.loads(page.reply(json.dumps({"state": state})))
    return reply | json.loads(page.reply(json.dumps({"draw_s": 60})))


def same(a, b):
    if isinstance(a, dict):
        return set(a) == set(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return a == b


@pytest.mark.sampled
@pytest.mark.parametrize("case", cases().values(), ids=lambda case: case.name)
def test_the_pages_engine_gives_cpythons_values_on_random_states(reader, case):
    """`make engines` asks for two hundred."""
    chance = random.Random(20070423)
    # Drawing each chart's curve as well would take minutes; a few states do.
    description = describe(case)
    lean = description | {"views": []}
    states = [random_state(case, chance) for _ in range(40)]
    page = reader().open(CHAPTER)
    for asked, batch in ((lean, states), (description, [*states[:3], defaults(description)])):
        replies = page.evaluate(ASK, {"description": asked, "states": batch})
        here = ExplorerSession(json.dumps(asked))
        for drawn, reply in zip(batch, replies, strict=True):
            expected = whole_reply(here, drawn)
            assert "refusal" not in expected, expected
            assert same(expected["outputs"], reply["outputs"]), drawn
            models = [[row["model"] for row in side["rows"]] for side in (expected, reply)]
            assert same(*models), drawn
            assert same(expected["views"], reply["views"]), drawn
