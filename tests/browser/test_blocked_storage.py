"""A browser that blocks the data of sites: to read its storage throws, and all parts still wake."""

import pytest

from tests.browser.conftest import AWAKE
from tests.browser.hands import page_switch
from tunables.page.chapters import CHAPTERS, page_name

# What Chromium does under "block all cookies", and Firefox under "block all".
BLOCK = """
for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get() { throw new DOMException(`${name}: access is denied`, 'SecurityError'); },
  });
}
"""

pytestmark = pytest.mark.browser


@pytest.fixture
def visitor(reader):
    visitor = reader(alone=True)
    visitor.page.add_init_script(BLOCK)
    return visitor


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", [chapter.slug for chapter in CHAPTERS])
def test_each_chapter_wakes_without_storage(visitor, chapter):
    page = visitor.open(f"chapters/{page_name(chapter)}.html")
    page.wait_for_function(AWAKE, timeout=60_000)
    assert page.locator(".tunables-explorer[data-engine=ready]").count() > 0
    assert page.locator(".tunables-animation.is-live").count() > 0
    assert visitor.troubles == []


def test_the_switches_and_the_theme_work_without_storage(visitor):
    page = visitor.open_when_ready("chapters/03-cache-cliff.html")
    switch = page_switch(page, "All code")
    switch.click()
    assert switch.get_attribute("aria-pressed") == "true"
    assert page.locator("details.above-input:not([open])").count() == 0
    before = page.evaluate("document.documentElement.dataset.mode")
    page.locator(".theme-switch-button").first.click()
    assert page.evaluate("document.documentElement.dataset.mode") != before
    assert visitor.troubles == []
