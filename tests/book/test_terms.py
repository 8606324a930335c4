"""The glossary is led to from where a reader meets its words."""

import re

import pytest

from tests.chapters.notebooks import CHAPTERS_AND_EVIDENCE, NOTEBOOKS, markdown
from tests.chapters.terms import ROOT, first_uses, glossary_terms, link_first_uses, links_by_term

PAGES = [*NOTEBOOKS, *sorted(ROOT.glob("book/**/*.md"))]
BUILT = ROOT / "_build" / "html"


@pytest.mark.parametrize(
    "path", CHAPTERS_AND_EVIDENCE, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_the_first_use_of_each_term_in_a_chapter_leads_to_the_glossary(path):
    text = markdown(path)
    links = links_by_term(text)
    for term, (start, end) in first_uses(text).items():
        inside = [a for a, b in links.get(term.lower(), []) if a <= start and end <= b]
        assert inside, f"{term}: the first use, {text[start - 40 : end]!r}, is not linked"


def test_a_chapter_links_a_term_once():
    for path in CHAPTERS_AND_EVIDENCE:
        often = {term: len(spans) for term, spans in links_by_term(markdown(path)).items()}
        assert set(often.values()) <= {1}, f"{path.name}: {often}"


def test_every_term_of_the_glossary_is_linked_at_least_once_and_every_link_is_a_term():
    used = {term for path in PAGES for term in links_by_term(markdown(path))}
    assert used == {term.lower() for term in glossary_terms()}


def test_the_glossary_stands_in_alphabetical_order():
    terms = [re.sub(r"\W", "", term).lower() for term in glossary_terms()]
    assert terms == sorted(terms)


def test_each_link_to_a_term_resolves_in_the_built_pages():
    ids = set(re.findall(r'id="(term-[^"]+)"', (BUILT / "book/glossary.html").read_text()))
    count = 0
    folders = ("chapters", "labs", "book/evidence")
    for path in [page for folder in folders for page in BUILT.glob(f"{folder}/*.html")]:
        for target in re.findall(r'href="[^"]*glossary\.html#(term-[^"]+)"', path.read_text()):
            assert target in ids, f"{path.name}: {target}"
            count += 1
    assert count >= len(glossary_terms())


def test_first_uses_sees_prose_and_neither_code_nor_headings_nor_links():
    text = (
        "# Flush\n\n`flush` and [a flush](x.md), $flush$\n\nThen a retry storm, a flush, retries."
    )
    found = {term: text[a:b] for term, (a, b) in first_uses(text).items()}
    assert found == {"flush": "flush", "retry storm": "retry storm", "retry": "retries"}
    assert first_uses(text)["flush"][0] > text.index("storm")
    assert links_by_term("{term}`Retries <retry>` {term}`lag`") == {
        "retry": [(0, 23)],
        "lag": [(24, 35)],
    }


def test_relinking_moves_a_link_to_the_first_use_and_changes_nothing_twice():
    late = "Flushes cost, and *a {term}`flush` costs*; *identity* it is."
    once = link_first_uses(late)
    assert once == "{term}`Flushes <flush>` cost, and *a flush costs*; *{term}`identity`* it is."
    assert link_first_uses(once) == once
