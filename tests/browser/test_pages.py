"""Every page of the book, in a browser that can reach no other host."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").as_posix()
SOURCES = [*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("labs/*.ipynb"), *ROOT.glob("book/*.ipynb")]
PAGES = sorted(
    path.relative_to(ROOT).with_suffix(".html").as_posix()
    for path in [*SOURCES, *ROOT.glob("book/**/*.md")]
)
LOOKS: dict[str, dict] = {
    "wide": {},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "dark": {"color_scheme": "dark"},
}

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_with_no_failed_request_no_error_and_no_other_host(reader, path):
    visitor = reader()
    page = visitor.open(path)
    assert page.locator("h1:visible").count() == 1
    assert visitor.troubles == []


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_no_violation_and_nothing_hangs_over_the_edge(reader, path):
    for name, options in LOOKS.items():
        visitor = reader(**options)
        page = visitor.open(path)
        if page.locator(".tunables-explorer").count():
            page.wait_for_selector(".tunables-explorer[data-engine=ready]")
        page.add_script_tag(path=AXE)
        found = page.evaluate("axe.run().then(result => result.violations)")
        told = [{"rule": v["id"], "where": [n["target"] for n in v["nodes"]][:3]} for v in found]
        assert not told, f"{name}: {json.dumps(told, indent=1)}"
        width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width <= window, f"{name}: the page is {width} px wide in a window of {window}"


@pytest.mark.parametrize("path", [p for p in PAGES if p.startswith(("chapters", "labs"))])
def test_every_picture_becomes_a_live_chart_and_stands_without_scripts(reader, path):
    still = reader(java_script_enabled=False).open(path)
    figures = still.locator("figure.tunables-chart svg").count()
    assert figures > 0
    live = reader().open(path)
    live.wait_for_function(
        "[...document.querySelectorAll('.chart-drawing')].every(d => d.querySelector('svg.marks'))"
    )
    assert live.locator("figure.tunables-chart svg.marks").count() == figures
    for figure in live.locator(".chart-drawing").all():
        assert len(figure.get_attribute("aria-label")) > 40
