"""The site by the newest Sphinx is compared as a reader meets it, and nothing else fails."""

import pytest

from upkeep.newest_sphinx import differences, requirements

SEVEN = (
    '<body><a href="#card">Card</a><a href="b.html#x">B</a>'
    '<section id="card"><span id="label"></span><h2>Card</h2><p>Words.</p></section></body>'
)
NINE = (
    '<body class="new"><script>1</script><a href="#label">Card</a><a href="b.html#x">B</a>'
    '<section id="label"><span id="card"></span><h2>Card</h2>\n<p>Words.</p></section></body>'
)


@pytest.fixture
def compare(tmp_path):
    """Return a function of the pages of two sites, by name; it returns the differences."""

    def compared(one, other):
        folders = tmp_path / "one", tmp_path / "other"
        for folder, pages in zip(folders, (one, other), strict=True):
            for name, html in pages.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(html)
        return [line.replace(f"{tmp_path}/", "") for line in differences(*folders)]

    return compared


def test_another_markup_of_the_same_page_is_no_difference(compare):
    there = {"a.html": NINE, "_static/theme.html": "<p>Of the theme.</p>"}
    assert compare({"a.html": SEVEN}, there) == []


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("Words.", "Word.", ["-Words.", "+Word."]),
        ("b.html#x", "b.html#y", ["-link to b.html#x", "+link to b.html#y"]),
        (' id="card"', "", ["-link to #card", "+link to #label", "-place card"]),
    ],
)
def test_other_words_links_and_places_are_differences(compare, old, new, lines):
    found = compare({"a.html": SEVEN}, {"a.html": NINE.replace(old, new)})
    assert found == [f"a.html: {line}" for line in lines]


def test_a_page_that_one_site_lacks_is_a_difference(compare):
    pages = {"a.html": SEVEN, "b.html": SEVEN}
    assert compare(pages, {"a.html": NINE}) == ["only in one: b.html"]


def test_it_installs_what_the_book_needs_without_jupyter_book():
    lines = requirements().splitlines()
    assert "sphinx>=9.0.4" in lines
    assert any(line.startswith("numba>=") for line in lines)
    assert not any(line.startswith("jupyter-book") or "==" in line for line in lines)
