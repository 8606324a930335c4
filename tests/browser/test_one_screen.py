"""An explorer on one screen: its main numbers, a chart and the control in use, in view together."""

import pytest

from tests.chapters.notebooks import ROOT
from tunables.core.registry import cases

pytestmark = pytest.mark.browser
SIZES = {"wide": (1280, 800), "phone": (390, 844)}
PAGES = {
    name: path.stem
    for path in sorted((ROOT / "chapters").glob("*.ipynb"))
    for name in cases()
    if f'id=\\"explore-{name}\\"' in path.read_text(encoding="utf-8")
}

# Of a control that was brought into view, and of what it changes: whether all of it is in view.
IN_VIEW = """
([section, control]) => {
  const chart = section.querySelector('figure:not([hidden]) .chart-drawing');
  const top = section.querySelector('.explorer-live');
  section.scrollIntoView();
  top.scrollIntoView({block: 'start'});
  const boxes = [top, chart, control].map((part) => part.getBoundingClientRect());
  return boxes.every(({top, bottom, height}) => height > 15 && top >= 0 && bottom <= innerHeight);
}
"""

# Of what stays in view above its text: the drawing, and what moves it.
HIGHEST = """
() => Math.max(...[...document.querySelectorAll('.pane :is(.animation-main, .explorer-screen)')]
  .map((main) => main.getBoundingClientRect().height / innerHeight))
"""
MOST_OF_A_PHONE = 0.45


INNER_SCROLL = """
() => [...document.querySelectorAll('.pane')]
  .filter((pane) => pane.scrollHeight > pane.clientHeight)
  .map((pane) => [pane.scrollHeight, pane.clientHeight])
"""


@pytest.mark.sampled
@pytest.mark.parametrize("page", sorted(set(PAGES.values())))
def test_no_pane_scrolls_within_on_a_small_laptop(reader, page):
    width, height = SIZES["wide"]
    opened = reader(viewport={"width": width, "height": height}).open(f"chapters/{page}.html")
    opened.locator(".pane .animation-live svg text").first.wait_for(state="attached")
    assert opened.locator(".pane").count() > 0
    assert opened.evaluate(INNER_SCROLL) == []


def test_every_case_is_on_a_page():
    assert set(PAGES) == set(cases())


@pytest.mark.sampled
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_control_numbers_and_chart_are_in_view_together(reader, name, size):
    width, height = SIZES[size]
    visitor = reader(viewport={"width": width, "height": height})
    page = visitor.open_when_ready(f"chapters/{PAGES[name]}.html")
    section = page.locator(f"#explore-{name}").first
    live = section.locator(".explorer-live [data-output]").all()
    assert 1 <= len(live) <= 3
    handle = section.element_handle()
    controls = section.locator(".control:visible").all()
    for control in controls:
        assert page.evaluate(IN_VIEW, [handle, control.element_handle()])
    more = section.get_by_role("button", name="More settings (")
    if more.is_visible():
        more.click()
        # No control took the place of another.
        assert all(control.is_visible() for control in controls)
    hidden = section.evaluate("s => s.explorer.description.parameters.filter(p => p.hidden).length")
    everything = section.evaluate("s => s.explorer.description.parameters.length")
    assert section.locator(".control:visible").count() == everything - hidden
    places = section.locator("[data-output]").evaluate_all("all => all.map(p => p.dataset.output)")
    assert len(places) == len(set(places))  # no output is said twice
    if size == "phone":
        assert page.evaluate(HIGHEST) <= MOST_OF_A_PHONE


@pytest.mark.sampled
@pytest.mark.parametrize("name", PAGES)
def test_the_sliders_thumb_stands_under_the_marker(reader, name):
    page = reader().open_when_ready(f"chapters/{PAGES[name]}.html")
    section = page.locator(f"#explore-{name}").first
    section.scroll_into_view_if_needed()
    figure = section.locator("figure:not([hidden])")
    page.wait_for_function("f => 'drawn' in f.dataset", arg=figure.element_handle())
    # A thumb of 22 px travels from one end of the slider to the other.
    thumb, left, right = figure.evaluate("""figure => {
      const slider = figure.querySelector('input[type=range]');
      const {min, max, value} = slider;
      const box = slider.getBoundingClientRect();
      const share = (value - min) / (max - min);
      const plot = figure.querySelector('.chart-drawing').getBoundingClientRect();
      const inset = (side) => parseFloat(getComputedStyle(figure).getPropertyValue(side));
      return [[box.left + 11, box.right - 11, share], plot.left + inset('--plot-left'),
        plot.right - inset('--plot-right')];
    }""")
    low, high, share = thumb
    assert left > 0
    assert low + share * (high - low) == pytest.approx(left + share * (right - left), abs=1)


HEIGHT = "screen => screen.getBoundingClientRect().height"
END = "() => document.getAnimations().forEach((animation) => animation.finish())"


def test_what_a_link_has_set_is_said_on_a_phone_and_takes_no_room(reader):
    page = reader(viewport={"width": 390, "height": 844}).open_when_ready(
        "chapters/03-cache-cliff.html"
    )
    screen = page.locator("#explore-rrd .explorer-screen")
    before = screen.evaluate(HEIGHT)
    links = page.locator("a[href^='#explore-rrd']")
    for link in (links.nth(0), links.nth(1)):  # each is said again
        link.click()
        said = screen.get_by_text("Set: Graphs updated")
        said.wait_for()
        assert screen.evaluate(HEIGHT) == before
        page.evaluate(END)
        said.wait_for(state="hidden")
