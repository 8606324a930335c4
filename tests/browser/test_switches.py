"""The switches in the menu of a notebook's page: all its code, its folds, its answers."""

import pytest
from playwright.sync_api import expect

from tests.browser.checks import open_parts
from tests.browser.hands import page_switch as switch
from tunables.page.chapters import page_name

CHAPTER = "chapters/03-cache-cliff.html"
OTHER = f"chapters/{page_name(6)}.html"
LAB = "labs/03-cache-cliff.html"
CODE, BARS = ".cell_input", ".above-input > summary"

pytestmark = pytest.mark.browser


def unfold(page):
    open_parts(page)
    for name in ("All folded remarks", "All answers"):
        switch(page, name).click()


def count_visible(page, selector):
    return page.locator(f"{selector}:visible").count()


def test_a_chapter_shows_no_code_until_its_switch_shows_all_of_it_here_and_elsewhere(reader):
    visitor = reader(alone=True)
    page = visitor.open(CHAPTER)
    cells = page.locator(CODE).count()
    assert cells > 3
    assert count_visible(page, CODE) == count_visible(page, BARS) == 0
    page.emulate_media(media="print")
    assert count_visible(page, CODE) == count_visible(page, BARS) == 0
    page.emulate_media(media="screen")

    unfold(page)
    assert count_visible(page, CODE) == count_visible(page, BARS) == 0
    switch(page, "All code").press("Enter")
    assert switch(page, "All code").get_attribute("aria-pressed") == "true"
    assert count_visible(page, CODE) == cells
    assert count_visible(page, BARS) == 0
    page.wait_for_url(lambda url: "code=shown" in url)
    visitor.open(OTHER).wait_for_selector(f"{CODE}:visible")
    switch(page, "All code").click()
    assert count_visible(page, CODE) == 0
    visitor.open(CHAPTER)
    assert count_visible(page, CODE) == 0
    assert visitor.troubles == []


def test_a_link_shows_the_code(reader):
    page = reader(alone=True).open(f"{CHAPTER}?code=shown")
    assert 0 < count_visible(page, CODE) < page.locator(CODE).count()  # the rest is folded
    unfold(page)
    assert count_visible(page, CODE) == page.locator(CODE).count()


def test_a_lab_is_code_and_its_switch_shows_the_rest(reader):
    page = reader(alone=True).open(LAB)
    cells = page.locator(CODE).count()
    assert cells > count_visible(page, CODE) > cells / 2
    switch(page, "All code").click()
    assert count_visible(page, CODE) == cells


def test_without_scripts_each_cells_code_opens_and_nothing_is_hidden(reader):
    page = reader(java_script_enabled=False).open(CHAPTER)
    assert count_visible(page, ".page-switches button") == 0
    unfolded = f"{BARS}:not(.fold *, .part *)"
    assert count_visible(page, BARS) == page.locator(unfolded).count() > 3
    page.locator(unfolded).first.click()
    assert count_visible(page, CODE) == 1
    assert count_visible(page, ".answer") == page.locator(".answer").count()


def test_all_questions_are_skipped_at_once_and_asked_again(reader):
    visitor = reader()
    page = visitor.open(CHAPTER)
    questions = page.locator(".tunables-guess").count()
    switch(page, "All answers").click()
    assert count_visible(page, ".guess-answer[open] .guess-table") == questions
    page.wait_for_url(lambda url: url.count("=skip") == questions)
    page.locator(".guess-answer summary").first.click()
    expect(switch(page, "All answers")).to_have_attribute("aria-pressed", "false")
    switch(page, "All answers").click()
    switch(page, "All answers").click()
    assert count_visible(page, ".guess-table") == 0
    page.wait_for_url(lambda url: "skip" not in url)
    assert visitor.troubles == []
