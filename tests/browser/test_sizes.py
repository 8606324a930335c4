"""Between a phone and a wide window: a chapter's panes whole, their words within their drawings."""

import pytest

from tests.browser.animations import assert_labels_inside
from tests.browser.checks import FRAMES
from tests.chapters.notebooks import ROOT

pytestmark = pytest.mark.browser
CHAPTERS = [path.stem for path in sorted((ROOT / "chapters").glob("*.ipynb"))]
PHONES = (360, 412)
BETWEEN = (600, 700, 768, 834, 1024)
TABLET = {"width": 768, "height": 1024}

# What a part of a pane shows: how far its foot is below the pane's, which scrolls.
HIDDEN = """
(pane, part) => {
  const inside = pane.querySelector(part);
  return inside ? inside.getBoundingClientRect().bottom - pane.getBoundingClientRect().bottom : 0;
}
"""
FEET = (".animation-sentence", ".tunables-explorer .is-axis", ".explorer-buttons", ".run-bar")


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_words_of_an_animation_stand_within_it_at_every_width(reader, chapter):
    page = reader().open_when_ready(f"chapters/{chapter}.html")
    for animation in page.locator(".animation-live").all():
        animation.locator("svg text").first.wait_for(state="attached")
    for width in (*PHONES, *BETWEEN):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(FRAMES)
        assert_labels_inside(page.locator("body"))


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_tablets_pane_shows_its_drawing_and_what_moves_it(reader, chapter):
    page = reader(viewport=TABLET).open_when_ready(f"chapters/{chapter}.html")
    for pane in page.locator(".pane").all():
        pane.scroll_into_view_if_needed()
        assert [part for part in FEET if pane.evaluate(HIDDEN, part) > 0] == []
        tops = pane.evaluate(
            "p => ['.explorer-live', '.explorer-chosen', '.explorer-views', '.explorer-set']"
            ".map(s => p.querySelector(s)?.getBoundingClientRect().top ?? 0)"
        )
        assert tops == sorted(tops)


HEIGHTS = """
all => all.map((figure) => [figure.getBoundingClientRect().height, 'drawn' in figure.dataset])
"""


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_moves_when_a_chart_is_drawn(reader, width):
    page = reader(viewport={"width": width, "height": 900}).open_when_ready(
        "chapters/01-group-commit.html"
    )
    charts = page.locator(".tunables-chart[data-spec]")
    before = charts.evaluate_all(HEIGHTS)
    for chart in charts.all():
        chart.scroll_into_view_if_needed()
    page.wait_for_function(
        "() => !document.querySelector('.tunables-chart[data-spec]:not([data-drawn])')"
    )
    after = charts.evaluate_all(HEIGHTS)
    assert [drawn for _, drawn in before] == [False] * len(after)
    assert [height for height, _ in before] == [height for height, _ in after]
