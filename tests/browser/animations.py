"""An animation in the page: its sentence, its place, its run, and the labels of its drawing."""

import pytest

# A wide animation is part of its chapter's page, which test_pages.py checks in the same way.
WIDTHS = [pytest.param(1280, marks=pytest.mark.long), 390]
SENTENCE = ".animation-sentence"
RESTS = """
([id, name]) => {
  const { section, clock, engine } = document.querySelector(id).animation;
  return section.dataset.step === name && !clock.playing && !engine.current;
}
"""
HAS_SETTINGS = """
([id, wanted]) => {
  const { state } = document.querySelector(id).animation;
  return Object.entries(wanted).every(([name, value]) => state[name] === value);
}
"""

# Texts beyond the sides of their drawing. Hidden texts have no width.
OUTSIDE = """
box => [...box.querySelectorAll('.animation-screen svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter((text) => {
    const { left, right, width } = text.getBoundingClientRect();
    return width && (left < frame.left - 1 || right > frame.right + 1);
  }).map(({ textContent }) => textContent);
})
"""
OVERLAPS = """
box => [...box.querySelectorAll('.animation-screen svg')].flatMap((svg) => {
  const texts = [...svg.querySelectorAll('text')].filter(text => text.textContent);
  const places = texts.map(text => [text.textContent, text.getBoundingClientRect()]);
  return places.flatMap(([one, a], n) => places.slice(0, n).flatMap(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    // A line's box is 1.4 em high, its letters about 0.9.
    return wide > 0.5 && high > 0.35 * Math.min(a.height, b.height) ? [`${one} / ${other}`] : [];
  }));
})
"""


def mounted_animation(page, name):
    """Return an animation of the page once it is drawn, in view or not."""
    box = page.locator(f"#stage-{name}")
    box.locator(".animation-live svg text").first.wait_for(state="attached")
    return box


def sentence(box):
    return box.locator(SENTENCE).inner_text()


def wait_for_sentence(box, words):
    """Wait for words in an animation's sentence, and return it."""
    box.locator(SENTENCE, has_text=words).wait_for()
    return sentence(box)


def wait_for_rest(box, bookmark):
    """Wait until the animation rests at a bookmark."""
    box.page.wait_for_function(RESTS, arg=[f"#{box.get_attribute('id')}", bookmark])


def wait_for_settings(box, **settings):
    """Wait for a run with these settings, whatever its other settings are."""
    box.page.wait_for_function(HAS_SETTINGS, arg=[f"#{box.get_attribute('id')}", settings])


def step(box, bookmark):
    """Return the link to a step: beside the animation, or in the text if the list is narrow."""
    name = box.get_attribute("id")
    return box.page.locator(f"a[href='#{name}-{bookmark}']:visible").first


def setting(box, name):
    """Return a control: a slider, a menu, or the group of a choice among a few."""
    return box.locator(f".animation-settings #{box.get_attribute('id')}-setting-{name}")


def set_setting(box, name, value):
    control = setting(box, name)
    if control.get_attribute("role") == "radiogroup":
        control.locator(f"input[value='{value}']").check()
    elif isinstance(value, str):
        control.select_option(value)
    else:
        control.fill(str(value))


def setting_value(box, name):
    control = setting(box, name)
    if control.get_attribute("role") == "radiogroup":
        control = control.locator("input:checked")
    return control.input_value()


def columns(box, names, run=0):
    """Return columns of a run in the page by name, of the first one or of the one beside it."""
    script = "(section, [run, ...names]) => names.map(n => section.animation.panes.traces[run][n])"
    return dict(zip(names, box.evaluate(script, [run, *names]), strict=True))


def assert_labels_inside(box):
    assert box.evaluate(OUTSIDE) == []
