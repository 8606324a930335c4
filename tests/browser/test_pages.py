"""Every page of the book, in a browser that can reach no other host.

A page is loaded once a look; all that holds of it in that look is asserted together.
"""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").as_posix()
PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    # Jupyter Book's own front page only leads on; the theme's templates are no pages.
    if path != SITE / "index.html" and "_static" not in path.parts
)
LOOKS: dict[str, dict] = {
    "wide": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "narrow": {"viewport": {"width": 320, "height": 640}, "reduced_motion": "reduce"},
}

pytestmark = pytest.mark.browser

# Goes through the page by Tab; tells of stops without a name or without a visible focus.
NAMELESS = """
() => {
  const stop = document.activeElement;
  if (stop === document.body) return null;
  const style = getComputedStyle(stop);
  const named = stop.getAttribute('aria-label') || stop.getAttribute('aria-labelledby')
    || stop.labels?.length || stop.textContent.trim() || stop.title || stop.placeholder
    || stop.querySelector('img[alt]')?.alt;
  const shown = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0)
    || style.boxShadow !== 'none';
  const where = `${stop.tagName}#${stop.id}.${stop.className} ${stop.outerHTML.slice(0, 90)}`;
  const first = !stop.dataset.visited;
  stop.dataset.visited = 'yes';
  return {first, trouble: `${named ? '' : 'no name '}${shown ? '' : 'no focus'}`.trim(), where};
}
"""
# Controls that Tab can reach, but has not reached. A closed <details> hides what it holds.
MISSED = """
() => [...document.querySelectorAll('main :is(button, input, select, textarea, summary)')]
  .filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.disabled)
  .filter((e) => e.tabIndex >= 0 && !e.dataset.visited)
  .map((e) => e.outerHTML.slice(0, 120))
"""
MOVING = """
() => document.getAnimations().filter((a) => a.playState === 'running').length
"""


def ready(page):
    if page.locator(".tunables-explorer").count():
        page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=60_000)


def assert_accessible(page):
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then(result => result.violations)")
    told = [{"rule": v["id"], "where": [n["target"] for n in v["nodes"]][:3]} for v in found]
    assert not told, json.dumps(told, indent=1)


def assert_nothing_hangs_over(page):
    width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window, f"the page is {width} px wide in a window of {window}"


def assert_reached_by_tab(page):
    page.evaluate("scrollTo(0, 0)")
    troubles = []
    for _ in range(600):
        page.keyboard.press("Tab")
        stop = page.evaluate(NAMELESS)
        if stop is None or not stop["first"]:
            break
        if stop["trouble"]:
            troubles.append((stop["trouble"], stop["where"]))
    assert not troubles, json.dumps(troubles[:6], indent=1)
    assert page.evaluate(MISSED) == []


# Words of a drawing on the board that its frame cuts off.
CUT_OFF = """
() => [...document.querySelectorAll('figure.board svg text')].filter((text) => {
  const box = text.getBBox();
  const frame = text.ownerSVGElement.viewBox.baseVal;
  return box.x < 0 || box.y < 0 || box.x + box.width > frame.width
    || box.y + box.height > frame.height;
}).map((text) => text.textContent)
"""


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_and_accessible(reader, path, look):
    visitor = reader(**LOOKS[look])
    page = visitor.open(path)
    ready(page)
    assert page.locator("h1:visible").count() == 1
    assert_accessible(page)
    assert_nothing_hangs_over(page)
    assert page.evaluate(CUT_OFF) == []
    if look == "wide":
        assert_reached_by_tab(page)
    if look == "narrow":
        assert page.evaluate(MOVING) == 0
    assert visitor.troubles == []


# The same, of a live chart, whose titles may stand upright.
WORDS_CUT_OFF = """
() => [...document.querySelectorAll('.chart-drawing svg.marks')].flatMap((chart) => {
  const frame = chart.getBoundingClientRect();
  return [...chart.querySelectorAll('text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((text) => text.textContent);
})
"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", [p for p in PAGES if p.startswith(("chapters", "labs"))])
def test_every_picture_becomes_a_live_chart_with_all_its_words(reader, path, width):
    live = reader(viewport={"width": width, "height": 60_000}).open(path)
    live.wait_for_function(
        "[...document.querySelectorAll('.chart-drawing')].every(d => d.querySelector('svg.marks'))"
    )
    for figure in live.locator(".chart-drawing").all():
        assert len(figure.get_attribute("aria-label")) > 40
    assert live.evaluate(WORDS_CUT_OFF) == []


@pytest.mark.parametrize("path", [p for p in PAGES if p.startswith(("chapters", "labs"))])
def test_every_chart_stands_as_a_picture_without_scripts(reader, path):
    still = reader(java_script_enabled=False).open(path)
    figures = still.locator("figure.tunables-chart")
    assert figures.count() > 0
    assert still.locator("figure.tunables-chart:has(svg)").count() == figures.count()


def test_the_search_finds_a_word_with_no_server_behind_it(reader):
    visitor = reader()
    page = visitor.open("search.html?q=eviction")
    page.wait_for_selector("#search-results li a")
    links = page.locator("#search-results li a").evaluate_all("all => all.map(a => a.href)")
    assert any("03-cache-cliff" in link for link in links)
    assert visitor.troubles == []


@pytest.mark.parametrize("missing", ["chapters/07-none.html", "a/b/book/none.html"])
def test_an_address_that_leads_nowhere_leads_back_to_the_book(reader, missing):
    visitor = reader()
    page = visitor.page
    body = (SITE / "404.html").read_text()
    page.route("**/none.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.route("**/07-none.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{visitor.site}/{missing}")
    assert f"/{missing}" in page.locator("code").inner_text()
    if missing.startswith("chapters"):
        page.get_by_role("link", name="Contents").click()
        assert page.url.endswith("/html/book/index.html")
        assert page.locator("h1").first.inner_text().startswith("Tunables")


def test_on_paper_there_are_no_controls_and_nothing_is_cut_off(reader):
    page = reader().wake("chapters/03-cache-cliff.html").page
    page.emulate_media(media="print")
    assert page.locator(".tunables-explorer input:visible").count() == 0
    assert page.locator(".tunables-explorer select:visible").count() == 0
    assert not page.locator(".bd-sidebar-primary").is_visible()
    page.set_viewport_size({"width": 720, "height": 1000})  # A4 at 96 dpi, less margins
    cut = page.evaluate(
        "[...document.querySelectorAll('main pre, main table')]"
        ".filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.outerHTML.slice(0, 100))"
    )
    assert cut == []
