"""The library's pages: each public name on one of them, with what a docstring must say of it."""

import doctest
import re
from inspect import getdoc, isclass, signature
from pathlib import Path

import pytest

import tunables
from book._ext import docstrings, library
from tests.book.test_site import SITE
from tunables.names import homes
from tunables.page.chapters import CHAPTERS, page_name

BOOK = Path(__file__).parents[2] / "book"
PAGES = sorted(BOOK.glob("library/*.md"))
PLACES = re.compile(r"```\{(library|library-names)\} (.+)")
FUNCTIONS = [name for name in homes() if not isclass(getattr(tunables, name))]
# Results and arguments with columns; a case and a fit are described by their methods.
COLUMNS = [
    name for name in homes() if isclass(getattr(tunables, name)) and "core" not in homes()[name]
]


def names(text: str, directive: str) -> list[str]:
    """Return the names that a page's directives of one sort show."""
    found = [places for name, places in PLACES.findall(text) if name == directive]
    return [
        name
        for places in found
        for own in library.names_of(places.split()).values()
        for name in own
    ]


def described(name: str) -> docstrings.Described:
    found = getattr(tunables, name)
    return docstrings.describe(getdoc(found) or "", list(signature(found).parameters))


def test_each_public_name_is_on_one_page_and_in_the_overview():
    shown = [name for page in PAGES for name in names(page.read_text("utf-8"), "library")]
    assert sorted(shown) == sorted(homes())
    overview = names((BOOK / "library.md").read_text("utf-8"), "library-names")
    assert sorted(overview) == sorted(homes())


def test_the_built_pages_have_an_address_for_each_name():
    pages = [SITE / "book" / "library" / f"{page.stem}.html" for page in PAGES]
    ids = re.findall(r'<dt class="[^"]*" id="tunables\.(\w+)"', "".join(map(Path.read_text, pages)))
    assert sorted(ids) == sorted(homes())
    overview = (SITE / "book" / "library.html").read_text(encoding="utf-8")
    assert set(re.findall(r'href="library/[\w-]+\.html#tunables\.(\w+)"', overview)) == {*homes()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_returns_what_it_refuses_and_shows_it(name):
    parts = described(name)
    assert parts.blocks
    required = [
        p for p in signature(getattr(tunables, name)).parameters.values() if p.default is p.empty
    ]
    assert not required or set(parts.fields) & set(docstrings.ERRORS)
    if homes()[name] != "tunables.views.explorer":  # which shows a widget
        assert parts.example


@pytest.mark.parametrize("name", COLUMNS)
def test_each_column_of_a_result_is_described(name):
    found = getattr(tunables, name)
    text = getdoc(found) or ""
    assert [
        column for column in signature(found).parameters if not re.search(rf"\b{column}\b", text)
    ] == []


@pytest.mark.slow
def test_each_example_runs_as_the_page_shows_it():
    runner = doctest.DocTestRunner()
    for name in homes():
        shown = library.runnable(described(name).example)
        test = doctest.DocTestParser().get_doctest(shown, {}, name, None, None)
        assert runner.run(test).failed == 0, name


def test_a_page_says_which_chapters_use_a_function():
    assert library.users()["adaptive_flush_wait"] == ["group_commit"]
    page = (SITE / "book" / "library" / "closed-forms.html").read_text(encoding="utf-8")
    for chapter in CHAPTERS:
        assert f"chapters/{page_name(chapter.slug)}.html" in page


@pytest.mark.parametrize(
    ("text", "blocks", "arguments", "fields"),
    [
        (
            "A sum.\n\nRaises ValueError for a\ntext. More.\nSource: Erlang (1917), p. 3.",
            ["A sum.", "More."],
            {},
            {"Raises": "ValueError for a text.", "Source": "Erlang (1917), p. 3."},
        ),
        (
            "A run.\n\nrate: a share.\nThe same seed does it; hit: no.",
            ["A run.", "The same seed does it; hit: no."],
            {"rate": "a share."},
            {},
        ),
        (
            "R.\n\nrate: a; hit: 1 or 0\nas above",
            ["R."],
            {"rate": "a", "hit": "1 or 0 as above"},
            {},
        ),
        (
            "F.\n\n    a = b\n\n- one\n  more\n- two",
            ["F.", "    a = b", "- one\n  more\n- two"],
            {},
            {},
        ),
    ],
)
def test_a_docstring_is_taken_apart(text, blocks, arguments, fields):
    assert docstrings.describe(text, ["rate", "hit"]) == (blocks, arguments, fields, "")


def test_signs_of_a_docstring_stay_what_they_are():
    assert docstrings.inline('|a*b|_c `x` in ("=", "at least")', lambda name: "") == (
        '\\|a\\*b\\|\\_c \\ ``x``\\  in (\\ ``"="``\\ , \\ ``"at least"``\\ )'
    )


def test_a_name_that_is_not_ours_is_shown_plain_and_one_of_ours_must_resolve():
    ours = {"refdomain": "py", "reftarget": "tunables.erlang_x"}
    assert library.leave_plain(None, None, ours, "shown") is None
    assert library.leave_plain(None, None, ours | {"reftarget": "ArrayLike"}, "shown") == "shown"
    assert library.leave_plain(None, None, ours | {"refdomain": "std"}, "shown") is None
