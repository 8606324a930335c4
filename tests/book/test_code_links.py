"""Names of the library in a page's code: a link to what they do, and no other name is one."""

import re

import pytest

from book._ext.code_links import imported, link_names
from tests.book.test_site import SITE

AT = {"erlang_b": "library.html#tunables.erlang_b", "tables": "library.html#tunables.tables"}
LINK = '<a class="to-library" href="library.html#tunables.erlang_b">{}</a>'
NAME = '<span class="n">erlang_b</span>'
DOT = '<span class="o">.</span>'


@pytest.mark.parametrize(
    ("html", "names", "expected"),
    [
        (f"x {NAME}(2)", {"erlang_b"}, f"x {LINK.format(NAME)}(2)"),
        (f'<span class="n">tunables</span>{DOT}{NAME}', set(), LINK.format(NAME)),
        (NAME, set(), NAME),
        (f'<span class="n">case</span>{DOT}{NAME}', {"erlang_b"}, NAME),
        (f'{NAME}<span class="o">=</span>', {"erlang_b"}, NAME),
        ('<span class="pre">tunables.erlang_b(2)</span>', set(), LINK.format("erlang_b")),
        ('<span class="pre">erlang_b</span>', {"erlang_b"}, "erlang_b"),
        ('<span class="pre">tunables.base</span>', set(), "tunables.base"),
    ],
)
def test_a_name_is_a_link_where_it_is_the_librarys(html, names, expected):
    linked = link_names(html, names, AT)
    assert expected in linked
    assert linked.count("<a") == expected.count("<a")


def test_a_name_is_the_librarys_if_it_is_imported_from_where_it_is_defined():
    assert list(imported("from tunables import erlang_b, tables as t")) == ["erlang_b"]
    assert list(imported("from tunables.theory.erlang import erlang_b")) == ["erlang_b"]
    assert list(imported("from tunables.views.cells import tables")) == []
    assert list(imported("a delay of 2 ms: 300 commits")) == []


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("book/recipes/1-commit-delay", "library/closed-forms.html#tunables.closed_group_commit"),
        ("book/recipes/1-commit-delay", "library/cases-and-fits.html#tunables.fit_path"),
        ("chapters/02-time-outs", "library/simulators.html#tunables.simulate_retry_storm"),
    ],
)
def test_the_built_pages_have_these_links(page, name):
    html = (SITE / f"{page}.html").read_text(encoding="utf-8")
    assert re.search(f'class="to-library" href="[./a-z]*{re.escape(name)}"', html)
