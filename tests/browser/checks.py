"""What must hold of any page of the book, in any look."""

import json

from tests.chapters.notebooks import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"

# Of each stop of the Tab key: whether it is new, and what it lacks of a name and a visible focus.
WATCH_THE_FOCUS = """
() => {
  globalThis.stops = [];
  document.addEventListener('focusin', ({target: stop}) => {
    const named = stop.getAttribute('aria-label') || stop.getAttribute('aria-labelledby')
      || stop.labels?.length || stop.textContent.trim() || stop.title || stop.placeholder
      || stop.querySelector('img[alt]')?.alt;
    // A chart's box has the ring for the chart in it, whose own would cross its labels.
    const shown = [stop, ...(stop.matches('.marks') ? [stop.parentElement] : [])]
      .map((ringed) => getComputedStyle(ringed))
      .some(({outlineStyle, outlineWidth, boxShadow}) => boxShadow !== 'none'
        || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0));
    const first = !stop.dataset.visited;
    stop.dataset.visited = 'yes';
    globalThis.start ??= stop;
    const trouble = `${named ? '' : 'no name '}${shown ? '' : 'no focus'}`.trim();
    const where = trouble && `${stop.tagName}#${stop.id} ${stop.outerHTML.slice(0, 90)}`;
    stops.push({first, trouble, where, again: stop === start && stops.length > 0});
  });
}
"""
# Controls that Tab can reach, but has not reached. A closed <details> hides what it holds.
MISSED = """
() => [...document.querySelectorAll('main :is(button, input, select, textarea, summary)')]
  .filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.disabled)
  .filter((e) => e.tabIndex >= 0 && !e.dataset.visited)
  .filter((e) => e.type !== 'radio' || e.checked) // the arrow keys reach the others of its group
  .map((e) => e.outerHTML.slice(0, 120))
"""
STOPS_AT_ONCE, MOST_STOPS, ROUNDS = 20, 600, 2

# Words of a drawing on the board that its frame cuts off: the box of a word is 1 px wider.
CUT_OFF = """
() => [...document.querySelectorAll(':is(.board, .diagram-drawing) svg text')].filter((text) => {
  const box = text.getBBox();
  const frame = text.ownerSVGElement.viewBox.baseVal;
  return box.x < -1 || box.y < -1 || box.x + box.width > frame.width + 1
    || box.y + box.height > frame.height + 1;
}).map((text) => text.textContent)
"""

# The same, of a live chart, whose titles may stand upright.
WORDS_CUT_OFF = """
() => [...document.querySelectorAll('.tunables-chart[data-drawn] svg.marks')].flatMap((chart) => {
  const frame = chart.getBoundingClientRect();
  return [...chart.querySelectorAll('text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((text) => text.textContent);
})
"""
# Labels of a live chart's axes that touch. Of a line's box, 1.4 em high, two fifths are above and
# below its digits.
TOUCHING = """
() => [...document.querySelectorAll('.tunables-chart[data-drawn] svg.marks')].flatMap((chart) => {
  const labels = [...chart.querySelectorAll('.role-axis-label text, text.tick')]
    .filter((text) => getComputedStyle(text).opacity !== '0') // Vega hides those that would touch
    .map((text) => ({text: text.textContent, box: text.getBoundingClientRect()}))
    .filter(({text, box}) => text && box.width);
  return labels.flatMap(({text, box}, n) => labels.slice(0, n)
    .filter(({box: b}) => box.left < b.right + 2 && b.left < box.right + 2
      && box.top + 0.4 * box.height < b.bottom && b.top + 0.4 * box.height < box.bottom)
    .map((other) => `${other.text}|${text}`));
})
"""
# What has changed is drawn after two of them.
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
DRAW_ALL = """
async () => {
  for (const block of document.querySelectorAll('.fold, .part, .guess-answer')) block.open = true;
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame); // a chart of another width knows it, and is drawn again
  for (const figure of document.querySelectorAll('.tunables-chart')) {
    const { explorer } = figure.closest('.tunables-explorer') ?? {};
    explorer?.layout.choose([...explorer.layout.figures].indexOf(figure));
    figure.scrollIntoView();
    while (!('drawn' in figure.dataset)) await new Promise(requestAnimationFrame);
  }
}
"""


COLOURS = ["color-contrast"]  # more than half of the time that axe takes
DARK = """
() => document.documentElement.dataset.theme === 'dark'
  && matchMedia('(prefers-color-scheme: dark)').matches
"""
# The bar's line moves by scrolling, not by time, and is said to run where nothing scrolls.
AT_REST = """
() => !document.getAnimations().some((animation) => animation.playState === 'running'
  && animation.timeline instanceof DocumentTimeline)
"""
# Of violations alone: to tell what passes takes longer. What axe preloads it puts into the page,
# whose policy refuses it; no rule that is asked needs it.
ASK_AXE = """
([part, options]) => axe.run(part, {resultTypes: ['violations'], preload: false, ...options})
  .then((found) => found.violations)
"""


# A chapter's last parts: its card, exercises, practice and references.
OPEN_PARTS = """
() => {
  for (const part of document.querySelectorAll('.part')) part.open = true;
}
"""


# What opens fades in. Until then its colours are none of the page's own.
FADED_IN = """
() => Promise.all(document.getAnimations()
  .filter(({timeline, playState}) => timeline === document.timeline && playState === 'running')
  .filter(({effect}) => effect.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished.catch(() => null))).then(() => null)
"""


def open_parts(page):
    """Open the last parts of a chapter, which are folded, and wait until they have faded in."""
    page.evaluate(OPEN_PARTS)
    page.evaluate(FADED_IN)


REPEATED_IDS = """
() => [...document.querySelectorAll('[id]')].map(({id}) => id)
  .filter((id, n, all) => all.indexOf(id) !== n)
"""


def assert_every_id_is_used_once(page):
    """See that each link of the page leads to one place."""
    assert page.evaluate(REPEATED_IDS) == []


def assert_accessible(page, part="html", **options):
    """Ask axe what breaks its rules, all or those of its options, in a part of the page."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(f"{AXE.read_text(encoding='utf-8')};null")  # no page lets in a script tag
    found = page.evaluate(ASK_AXE, [part, options])
    told = [{"rule": v["id"], "where": [n["target"] for n in v["nodes"]][:3]} for v in found]
    assert not told, json.dumps(told, indent=1)


def assert_accessible_in_the_dark(page, part="html"):
    """Turn the page dark, as its reader's machine asks, and ask for its colours."""
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(DARK)
    page.wait_for_function(AT_REST)  # colours that fade
    assert_accessible(page, part, runOnly=COLOURS)


def assert_nothing_hangs_over(page):
    width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window, f"the page is {width} px wide in a window of {window}"


def assert_no_word_of_a_drawing_is_cut_off(page):
    assert page.evaluate(CUT_OFF) == []


def once_around(page, again):
    """Press Tab until the page's first stop has come so often again."""
    for _ in range(0, MOST_STOPS, STOPS_AT_ONCE):
        for _ in range(STOPS_AT_ONCE):
            page.keyboard.press("Tab")
        if page.evaluate("stops.filter(stop => stop.again).length") >= again:
            break


def assert_reached_by_tab(page):
    """Go around the page by Tab, once more for what was drawn only when the focus came by."""
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(WATCH_THE_FOCUS)
    missed = None
    for again in range(1, ROUNDS + 1):
        once_around(page, again)
        missed = page.evaluate(MISSED)
        if not missed:
            break
    page.evaluate("document.activeElement?.blur()")
    # The theme's tooltip, of the last stop.
    page.wait_for_function("() => !document.querySelector('.tooltip')")
    troubles = page.evaluate("stops.filter(stop => stop.first && stop.trouble)")
    assert not troubles, json.dumps(troubles[:6], indent=1)
    assert not missed, json.dumps(missed, indent=1)


def assert_every_picture_becomes_a_live_chart_with_all_its_words(page):
    """Go through the page, so that each chart is drawn: a window as high as the page is costly."""
    page.evaluate(DRAW_ALL)
    labels = page.locator(".chart-drawing").evaluate_all("all => all.map(f => f.ariaLabel)")
    assert labels
    assert all(len(label) > 40 for label in labels)
    assert page.evaluate(WORDS_CUT_OFF) == []
    assert_labels_of_axes_stand_apart(page)


def assert_labels_of_axes_stand_apart(page):
    assert page.evaluate(TOUCHING) == []


def assert_every_question_is_answered(page):
    """Answer each; what then stands in its box must be accessible too, and fit."""
    boxes = page.locator(".tunables-guess")
    assert 1 <= boxes.count() <= 4
    for box in boxes.all():
        box.get_by_label("Your guess").fill("100")
        box.get_by_role("button", name="Check my guess").click()
        box.locator(".guess-result .guess-more > summary").click()
        mine = box.locator(".guess-result tr", has_text="Your guess").locator("td").first
        assert mine.inner_text() == "100"
    page.wait_for_function(AT_REST)  # the distance of each guess fades in
    assert_accessible(page, ".tunables-guess")
    assert_nothing_hangs_over(page)
