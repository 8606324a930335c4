"""A link whose every entry is a script, and fields that are told one: a sentence or what is usual.

Nothing runs, and nothing even asks to: a breach of the page's policy would fail the test, too.
"""

import json
import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.checks import open_parts
from tests.browser.conftest import AWAKE, SITE
from tunables.page.chapters import CHAPTERS, find_chapter, page_name

HOSTILE = "\"'><img src=x onerror=smuggled=1>"
DESCRIPTION = re.compile(r'class="(\w+)-description">(.*?)</script>', re.DOTALL)
PLACES = ("%zz", HOSTILE, f"explore-rrd?graphs={HOSTILE}&chart={HOSTILE}")
LEDGER = ("status", "chapter", "text", "sort", HOSTILE)
# A lab's result and other pages' entries, where nothing describes them.
OTHERS = {
    "search.html": {"q": HOSTILE, "highlight": HOSTILE},
    "book/ledger.html": {f"ledger.{name}": HOSTILE for name in LEDGER},
    "labs/07-your-numbers.html": {"lab.your_numbers": json.dumps({"chapter": HOSTILE})},
    "404.html": {HOSTILE: HOSTILE},
}
LAB = re.compile(r'data-lab="(\w+)"')

pytestmark = pytest.mark.browser


def entries(html: str) -> dict[str, str]:
    """Return an address's entries, all hostile, that the parts of a page read."""
    names = {"highlight", "code", HOSTILE}
    for part, text in DESCRIPTION.findall(html):
        description = json.loads(text)
        name = description.get("name")
        if part in ("guess", "validity"):
            names.add(f"{part}.{name}")
        if part == "explorer":
            names |= {f"{name}.{each['name']}" for each in description["parameters"]}
            names.add(f"{name}.{HOSTILE}")
        if part == "animation":
            settings = [each["name"] for each in description["settings"]] + ["at", "late"]
            names |= {f"animation.{name}.{setting}" for setting in settings}
            names |= {f"animation.{name}.against.{setting}" for setting in settings}
        if part == "practice":
            names.add(f"problem.{description['chapter']}")
    return dict.fromkeys(names, HOSTILE)


def assert_nothing_ran(visitor):
    page = visitor.page
    assert page.locator("[onerror]").count() == 0
    assert page.evaluate("'smuggled' in globalThis") is False
    assert visitor.troubles == []


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", [chapter.slug for chapter in CHAPTERS])
def test_a_chapter_says_what_is_allowed(reader, chapter):
    path = f"chapters/{page_name(chapter)}.html"
    asked = entries((SITE / path).read_text(encoding="utf-8"))
    assert {key.split(".")[0] for key in asked} >= {*find_chapter(chapter).cases}
    visitor = reader()
    page = visitor.open_when_ready(f"{path}?{urlencode(asked)}")
    said = page.locator(".tunables-explorer .explorer-message").all_inner_texts()
    said += page.locator(".practice-message").all_text_contents()  # in a part that is closed
    assert all("must be" in sentence for sentence in said), said
    for sentence in page.locator(".guess-message").all_inner_texts():
        assert "write one such as" in sentence
    assert_nothing_ran(visitor)


@pytest.mark.sampled
@pytest.mark.parametrize("path", OTHERS)
def test_another_page_says_what_is_allowed(reader, path):
    visitor = reader()
    page = visitor.open(f"{path}?{urlencode(OTHERS[path])}")
    page.wait_for_load_state("networkidle")
    assert_nothing_ran(visitor)


def labs() -> dict[str, str]:
    """Return the page of each lab in the page by the lab's name."""
    pages = sorted((SITE / "labs").glob("*.html"))
    return {name: page.name for page in pages for name in LAB.findall(page.read_text("utf-8"))}


MEASURING = {name: page for name, page in labs().items() if name != "your_numbers"}


def test_there_are_labs_that_measure_in_the_page():
    assert len(MEASURING) > 3


@pytest.mark.sampled
@pytest.mark.parametrize("name", MEASURING)
def test_no_link_starts_a_measurement(reader, name):
    page = reader().open_when_ready(f"labs/{MEASURING[name]}?{urlencode({f'lab.{name}': 1})}")
    lab = page.locator(f"#lab-{name}")
    page.wait_for_load_state("networkidle")
    expect(lab.get_by_role("button", name="Run")).to_be_visible()
    assert lab.get_attribute("data-state") is None  # its frame has not been opened


@pytest.mark.sampled
@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_is_none_is_no_trouble(reader, place):
    visitor = reader()
    visitor.open_when_ready(f"chapters/03-cache-cliff.html#{place}")
    assert_nothing_ran(visitor)


def test_what_is_typed_is_told_back_as_text(reader):
    visitor = reader()
    page = visitor.open_when_ready("chapters/03-cache-cliff.html")
    open_parts(page)
    fields = page.locator("main input[type=text]:visible, main input:not([type]):visible")
    assert fields.count() > 5
    for field in fields.all():
        field.fill(HOSTILE)
        field.press("Enter")
    page.wait_for_function(AWAKE)
    assert_nothing_ran(visitor)
