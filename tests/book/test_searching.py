"""What the search index holds of a page."""

from pathlib import Path

import pytest
from docutils import nodes
from docutils.utils import new_document

from book._ext import searching

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("holds 8,072 ms.", ["holds", "8072", "ms"]),
        ("8072", ["8072"]),
        ("0.824, 3.25 GiB", ["0.824", "3.25", "GiB"]),
        ("1,000,000.5", ["1000000.5"]),
        ("a, b and 2q", ["a", "b", "and", "2q"]),
        ("90,0000", ["90", "0000"]),
        ("1,2 and 12,34", ["1", "2", "and", "12", "34"]),
    ],
)
def test_a_number_is_one_word_without_its_commas(text, words):
    assert searching.English({}).split(text) == words


def test_a_number_is_to_be_found_and_a_word_like_the_is_not():
    language = searching.English({})
    assert all(map(language.word_filter, ["8072", "0.824", "cliff"]))
    assert not language.word_filter("the")


def test_cells_of_a_table_stay_apart_and_scripts_and_drawings_out():
    document = new_document("page")
    html = "<td>8,072</td><td>4,126</td><script>var x</script><svg><text>9</text></svg>"
    document += nodes.raw("", html, format="html")
    document += nodes.paragraph("", "text")
    copy = searching.searchable(document)
    assert searching.English({}).split(copy.astext()) == ["8072", "4126", "text"]
    assert document.children[0].astext() == html, "the page itself stays as it is"
