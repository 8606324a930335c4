"""A stage in the page: to open it, what it says, where it stands, and what its run holds."""

import pytest

# A wide stage stands in its chapter's page, of which test_pages.py asks as much.
WIDTHS = [pytest.param(1280, marks=pytest.mark.long), 390]
SENTENCE = ".stage-sentence"
STANDS = """
([id, wanted]) => {
  const { state } = document.querySelector(id).stage;
  return Object.entries(wanted).every(([name, value]) => state[name] === value);
}
"""

# The texts that stand out of their drawing, at its sides. What is not shown has no width.
OUTSIDE = """
box => [...box.querySelectorAll('.stage-screen svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter((text) => {
    const { left, right, width } = text.getBoundingClientRect();
    return width && (left < frame.left - 1 || right > frame.right + 1);
  }).map(({ textContent }) => textContent);
})
"""


def awake(page, name):
    """Return a stage of the page once its machine is drawn, in view or not."""
    box = page.locator(f"#stage-{name}")
    box.locator(".stage-live svg text").first.wait_for(state="attached")
    return box


def said(box, words):
    """Wait for words in a stage's sentence, and return it."""
    box.locator(SENTENCE, has_text=words).wait_for()
    return sentence(box)


def sentence(box):
    return box.locator(SENTENCE).inner_text()


def wait_until_it_stands(box, **settings):
    """Wait for the run of such settings, whichever others it has."""
    box.page.wait_for_function(STANDS, arg=[f"#{box.get_attribute('id')}", settings])


def columns(box, names):
    """Return these columns of the run that stands in the page, by name."""
    there = box.evaluate("(section, names) => names.map(n => section.stage.trace[n])", [*names])
    return dict(zip(names, there, strict=True))


def assert_words_stand_within(box):
    """Hold every text of the drawings in view against its drawing's sides."""
    assert box.evaluate(OUTSIDE) == []
