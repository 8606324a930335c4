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
