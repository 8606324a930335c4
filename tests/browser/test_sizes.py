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
