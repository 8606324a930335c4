"""The explorers' charts under the hand: dragged, read, kept, scaled; true to a pixel as drawn."""

import pytest

from tests.browser.checks import FRAMES, WORDS_CUT_OFF, assert_labels_of_axes_stand_apart
from tests.browser.conftest import AWAKE, RESTS
from tests.browser.hands import in_hand
from tests.browser.test_explorer import output, settle, state
from tunables.core.registry import case_names
from tunables.page.chapters import page_name

CHAPTER = "chapters/03-cache-cliff.html"
WIDTHS = (1280, 820, 360)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# How far the marker lies from the path drawn, in pixels.
OFF_ITS_CURVE = """
(svg) => {
  const marker = svg.querySelector('.marker');
  const [x, y] = ['cx', 'cy'].map((name) => Number(marker.getAttribute(name)));
  const points = svg.querySelector('.curve.model').getAttribute('d').split('M').slice(1)
    .map((part) => part.split('L').map((point) => point.split(',').map(Number)));
  return Math.min(...points.flatMap((part) => part.map(([ax, ay], n) => {
    const [bx, by] = part[n + 1] ?? [ax, ay];
    const squared = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = squared ? ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared : 0;
    const at = Math.min(1, Math.max(0, along));
    return Math.hypot(ax + at * (bx - ax) - x, ay + at * (by - ay) - y);
  })));
}
"""
CURVES_STAND = "s => !s.explorer.curves.drawing"

pytestmark = pytest.mark.browser


def chart(section):
    """Return the drawing of the chart that is shown, once all that was asked for is on it."""
    section.scroll_into_view_if_needed()  # from far away its curves aren't drawn
    settle(section)
    section.page.wait_for_function(CURVES_STAND, arg=section.element_handle())
    drawing = section.locator("figure.tunables-chart:not([hidden])[data-drawn] svg.marks").first
    drawing.wait_for()
    drawing.scroll_into_view_if_needed()
    section.page.evaluate(FRAMES)
    return drawing


def at(drawing, share, height=0.6):
    """Return a place of the window, at a share of the drawing's width."""
    box = drawing.bounding_box()
    return box["x"] + share * box["width"], box["y"] + height * box["height"]


def words(drawing, name):
    return drawing.locator(f"text.{name}").all_text_contents()


def shown_button(section, name):
    return section.locator(f"figure:not([hidden]) button:has-text('{name}')")


def test_the_marker_is_dragged_and_stays_on_its_curve(reader):
    section = reader().wake(CHAPTER)
    drawing, mouse = chart(section), section.page.mouse
    mouse.move(*at(drawing, 0.8))
    mouse.down()
    for share in (0.7, 0.63, 0.5, 0.4):
        mouse.move(*at(drawing, share))
        assert chart(section).evaluate(OFF_ITS_CURVE) < 1
    mouse.up()
    assert output(section, "slowdown") == "1.00"
    assert 1000 < state(section)["graphs"] < 36_562


def test_the_pictures_of_the_defaults_become_live_once_they_are_near_or_untrue(reader):
    page = reader().open_when_ready(CHAPTER)
    page.wait_for_function(RESTS)
    section = page.locator(".tunables-explorer").first
    live = section.locator(".is-live")
    assert live.count() == 0
    section.evaluate("(section) => section.explorer.change({ graphs: 41_000 })")
    live.first.wait_for(state="attached")
    page.reload()
    page.wait_for_function(AWAKE)
    assert state(section)["graphs"] == 41_000
    live.first.wait_for(state="attached")
    page = reader().open_when_ready(CHAPTER)
    page.locator(".tunables-explorer").first.scroll_into_view_if_needed()
    page.locator(".tunables-explorer .is-live").first.wait_for()


def test_an_undone_drag_is_undone_as_one(reader):
    section = reader().wake(CHAPTER)
    drawing, mouse = chart(section), section.page.mouse
    mouse.move(*at(drawing, 0.7))
    mouse.down()
    mouse.move(*at(drawing, 0.3), steps=6)
    mouse.up()
    settle(section)
    assert state(section)["graphs"] < 36_562
    section.get_by_role("button", name="Undo").click()
    settle(section)
    assert state(section)["graphs"] == 40_000


def test_a_finger_drags_the_marker(reader):
    section = reader(**PHONE).wake(CHAPTER)
    drawing = chart(section)
    section.page.touchscreen.tap(*at(drawing, 0.3))
    chart(section)
    assert state(section)["graphs"] < 36_562
    assert words(drawing, "chip") == []


def test_keys_read_the_curve_and_enter_sets_the_parameter(reader):
    section = reader().wake(CHAPTER)
    drawing = chart(section)
    assert drawing.get_attribute("aria-valuetext") == "40,000 graphs: 20"
    drawing.focus()
    drawing.press("Home")
    section.page.evaluate(FRAMES)
    assert drawing.get_attribute("aria-valuetext") == "1,000 graphs: 1"
    assert words(drawing, "chip") == ["1,000 graphs"]
    assert state(section)["graphs"] == 40_000
    drawing.press("ArrowRight")
    drawing.press("Enter")
    chart(section)
    assert 1000 < state(section)["graphs"] < 1100
    drawing.press("Escape")
    section.page.evaluate(FRAMES)
    assert words(drawing, "chip") == []


def test_pointing_reads_the_curve_and_tells_of_a_published_number(reader):
    section = reader().wake(CHAPTER)
    drawing, mouse = chart(section), section.page.mouse
    mouse.move(*at(drawing, 0.2))
    section.page.evaluate(FRAMES)
    assert words(drawing, "read") == ["1"]
    ring = drawing.locator("circle.evidence").bounding_box()
    mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    note = section.locator("figure:not([hidden]) .curve-note")
    assert "40,000 graphs in 3.25 GiB, 20 (calibrated)" in note.inner_text()


def test_two_curves_are_kept_and_named_by_what_differs(reader):
    section = reader().wake(CHAPTER)
    drawing = chart(section)
    assert words(drawing, "name") == []
    for memory in ("4", "6", "8"):
        shown_button(section, "Keep this curve").click()
        in_hand(section, "Usable memory").fill(memory)
        chart(section)
    assert drawing.locator("path.curve").count() == 3
    assert words(drawing, "name") == ["8 GiB", "4 GiB", "6 GiB"]
    shown_button(section, "Drop kept curves").click()
    section.page.evaluate(FRAMES)
    assert drawing.locator("path.curve").count() == 1


def test_the_axis_stands_still_until_the_reader_scales_it(reader):
    section = reader().wake(CHAPTER)
    drawing = chart(section)
    before = words(drawing, "tick")
    assert not shown_button(section, "Rescale the axis").is_visible()
    section.evaluate("s => s.explorer.change({cost_ratio: 90})")
    chart(section)
    assert words(drawing, "tick") == before
    assert words(drawing, "value") == ["↑ 90"]
    shown_button(section, "Rescale the axis").click()
    section.page.evaluate(FRAMES)
    assert "80" in words(drawing, "tick")
    assert words(drawing, "value") == ["90"]
    shown_button(section, "Restore the axis").click()
    section.page.evaluate(FRAMES)
    assert words(drawing, "tick") == before


def test_a_link_in_the_text_scales_the_axis_to_the_point_that_it_sets(reader):
    section = reader().wake(f"chapters/{page_name('storm')}.html")
    drawing = chart(section)
    before = words(drawing, "tick")
    section.page.locator('a[href="#explore-storm?retries=1"]').click()
    chart(section)
    assert words(drawing, "tick") != before
    assert words(drawing, "value") == ["30/s"]  # and no arrow
    section.evaluate("s => s.explorer.links.follow({ state: {}, chart: 0 })")
    chart(section)
    assert words(drawing, "tick") == before


def changes(description):
    """Yield changes of the settings: every choice, and each number at its ends."""
    yield {}
    for parameter in description["parameters"]:
        ends = (parameter["low"], parameter["high"])
        for value in parameter["choices"] or ends:
            yield {parameter["name"]: value}


# Sets an explorer, and waits until that stands on its charts.
SET = """
async (s, change) => {
  const {explorer} = s;
  explorer.change({...explorer.description.defaults, ...change});
  do await new Promise(requestAnimationFrame); while (explorer.engine.current);
  await new Promise(requestAnimationFrame);
}
"""


@pytest.mark.sampled
@pytest.mark.parametrize("name", case_names())
def test_after_any_change_no_labels_touch_and_none_is_cut_off(reader, name):
    visitor = reader(viewport={"width": WIDTHS[0], "height": 844})
    visitor.open(f"chapters/{page_name(name)}.html")
    section = visitor.page.locator(f"#explore-{name}")
    visitor.page.wait_for_selector(f"#explore-{name}[data-engine=ready]", timeout=60_000)
    wanted = list(changes(section.evaluate("s => s.explorer.description")))
    for width in WIDTHS:  # labels touch on the narrowest first: of the wider ones a sample does
        visitor.page.set_viewport_size({"width": width, "height": 844})
        chart(section)
        for change in wanted if width == min(WIDTHS) else wanted[::4]:
            section.evaluate(SET, change)
            assert_labels_of_axes_stand_apart(visitor.page)
            assert visitor.page.evaluate(WORDS_CUT_OFF) == [], (width, change)
    assert visitor.troubles == []
