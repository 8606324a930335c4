"""The search page: numbers, chapters before labs, and excerpts that a reader can read."""

import re

import pytest

RESIDUE = re.compile(r"^\W*Binder|Colab|import |def |All code|\\frac|\s\s|\n")

pytestmark = pytest.mark.browser


@pytest.fixture
def run_search(reader):
    """Return the function that gives what a search finds: [address, excerpt], best first."""

    def find(query):
        visitor = reader()
        page = visitor.open(f"search.html?q={query}")
        page.wait_for_function(
            "() => /found|did not match/"
            ".test(document.querySelector('.search-summary')?.textContent)"
        )
        page.wait_for_function(
            "() => [...document.querySelectorAll('.search li')]"
            ".every(li => li.querySelector('.context'))"
        )
        assert visitor.troubles == []
        return page.locator(".search li").evaluate_all(
            "all => all.map(li => [li.querySelector('a').getAttribute('href'),"
            " li.querySelector('.context').textContent])"
        )

    return find


@pytest.mark.sampled
@pytest.mark.parametrize("query", ["8072", "8,072", "8,072 ms"])
def test_a_number_is_found_as_printed_and_without_its_comma(run_search, query):
    (first, excerpt), *_ = run_search(query)
    assert first.startswith("chapters/01")
    assert "8,072" in excerpt


def test_a_number_of_a_table_is_found_whole_beside_its_neighbours(run_search):
    # In the HTML no space stands between one cell of a row and the next.
    assert any(
        link.startswith("chapters/03") and "73,469" in text for link, text in run_search("73469")
    )


@pytest.mark.sampled
@pytest.mark.parametrize("query", ["lru cliff", "eviction", "retries", "hold timer", "flush"])
def test_chapters_come_before_labs(run_search, query):
    links = [link for link, _ in run_search(query)]
    assert links[0].startswith(("chapters/", "book/glossary"))
    at = [place for place, link in enumerate(links) if link.startswith("chapters/")]
    labs = [place for place, link in enumerate(links) if link.startswith("labs/")]
    assert at
    assert labs
    assert max(at) < min(labs)


def test_the_first_place_for_its_subject_is_the_chapter(run_search):
    assert run_search("lru cliff")[0][0].startswith("chapters/03-cache-cliff")


@pytest.mark.sampled
@pytest.mark.parametrize("query", ["8072", "lru cliff", "retries", "cache", "granularity"])
def test_an_excerpt_is_text_of_the_page_and_has_the_word(run_search, query):
    results = run_search(query)
    assert results
    for link, excerpt in results:
        assert 10 < len(excerpt) < 260, link
        if link.startswith(("chapters", "labs")):  # a page for teachers may teach code
            assert not RESIDUE.search(excerpt), link


def test_the_audit_of_a_table_is_found_by_what_it_says(run_search):
    found = [address for address, _ in run_search("audit a table")]
    assert found[0].startswith("book/audit")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_has_the_margins_of_the_others(reader, width):
    page = reader(viewport={"width": width, "height": 844}).open("search.html?q=cliff")
    page.get_by_text("Pages found: ").wait_for()
    for part in ("h1", "form.bd-search", "ul.search li >> nth=0"):
        box = page.locator(".bd-search-container").locator(part).first.bounding_box()
        main = page.locator("main").bounding_box()
        left, right = box["x"] - main["x"], main["x"] + main["width"] - box["x"] - box["width"]
        assert left >= 16
        assert left == pytest.approx(right, abs=1)


def test_a_chapter_is_quoted_without_what_stands_around_its_title(run_search):
    for link, excerpt in run_search("cliff"):
        assert not re.search(r"Chapter \d of \d|Put in your numbers Fit", excerpt), link


def test_a_word_of_the_glossary_is_quoted_with_its_definition(run_search):
    excerpt, *_ = [text for link, text in run_search("cliff") if "glossary" in link]
    assert re.match(r"cliff: A \w+ \w+", excerpt)


def test_only_the_page_that_a_result_leads_to_marks_the_words(reader):
    page = reader().open("search.html?q=eviction")
    page.get_by_text("Pages found: ").wait_for()
    page.get_by_role("link", name="How to read this book").first.click()
    page.wait_for_function("() => document.querySelector('h1')?.textContent.includes('How to')")
    assert page.locator(".highlight-link").count() == 0
    page.go_back()
    page.locator("ul.search a").first.click()
    page.locator(".highlight-link").wait_for()
    box = page.locator(".highlight-link a").bounding_box()
    assert box["x"] >= 16
