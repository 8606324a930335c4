"""Chapters on paper: few pages, nothing cut off, and dark on white whatever the screen shows."""

import re

import pytest

from tests.browser.test_pages import CHAPTERS

pytestmark = pytest.mark.browser

MOST_PAGES = 16  # of a chapter with its card
APPENDIX = "#exercises, #references"  # begins a page of its own
WIDE = """
() => [...document.querySelectorAll('.bd-article *')].filter((tag) => {
  const { right, width } = tag.getBoundingClientRect();
  return width && right > document.documentElement.clientWidth + 1 && !tag.closest('.katex, svg');
}).map((tag) => tag.outerHTML.slice(0, 90))
"""
PAPER = {"width": 680, "height": 1009}  # px: A4 without its margins


def pages(page):
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


@pytest.mark.sampled
@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_with_its_card_is_few_pages(reader, path):
    page = reader().open_when_ready(path)
    page.evaluate("all => document.querySelectorAll(all).forEach(part => part.remove())", APPENDIX)
    assert pages(page) <= MOST_PAGES


@pytest.mark.sampled
@pytest.mark.parametrize("path", CHAPTERS)
def test_nothing_of_a_chapter_is_cut_off_on_paper(reader, path):
    page = reader(viewport=PAPER).open_when_ready(path)
    page.emulate_media(media="print")
    assert page.evaluate(WIDE) == []
    assert page.locator("#exercises .exercise").first.is_visible()
    assert not page.locator("#practice").is_visible()


def test_a_dark_page_prints_dark_on_white(reader):
    page = reader(color_scheme="dark").open_when_ready("chapters/03-cache-cliff.html")
    page.emulate_media(media="print")
    colours = page.evaluate(
        "() => { const style = getComputedStyle(document.querySelector('.bd-article p'));"
        " return [style.color, getComputedStyle(document.body).backgroundColor]; }"
    )
    ink, paper = ([int(n) for n in re.findall(r"\d+", colour)] for colour in colours)
    assert max(ink[:3]) < 80
    assert min(paper[:3]) > 240 or paper[3:] == [0]
