"""The one registry: a chapter answers to its slug, its number, both, and its cases."""

import subprocess
import sys

import pytest

from tests.chapters.notebooks import ROOT
from tunables.core.registry import cases, find_card, find_case, find_fit, find_map, maps
from tunables.page.chapters import CHAPTERS, _by_key, find_chapter, module, page_name, with_facet

FOLDERS = [path.parent.name for path in (ROOT / "tunables" / "chapters").glob("*/__init__.py")]


def test_every_folder_is_a_chapter_and_they_are_in_order():
    assert {chapter.slug for chapter in CHAPTERS} == set(FOLDERS)
    numbers = [chapter.number for chapter in CHAPTERS]
    assert numbers == sorted(set(numbers))
    pages = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))
    assert [page_name(chapter.slug) for chapter in CHAPTERS] == pages


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.slug)
def test_a_chapter_answers_to_all_its_names(chapter):
    number, slug = chapter.number, chapter.slug
    names = [slug, slug.upper(), slug.replace("_", "-"), number, float(number), str(number)]
    names += [f"{number:02d}", page_name(slug), f"{number} {slug}", *chapter.cases]
    assert [find_chapter(name) for name in names] == [chapter] * len(names)


@pytest.mark.parametrize(
    "name", ["", "x", 0, 99, "²", "-3", 2.5, None, True, [3], b"rrd", "9" * 99]
)
def test_an_unknown_chapter_is_refused_with_the_known_ones(name):
    with pytest.raises(ValueError, match=r"chapter = .*: must be one of 1 .*, 3 cache_cliff, "):
        find_chapter(name)


def test_a_missing_facet_is_refused_with_the_chapters_that_have_it():
    with pytest.raises(ValueError, match="chapter with cheese = 'cache_cliff': must be one of"):
        module("rrd", "cheese")
    assert with_facet("cheese") == []


def test_two_chapters_of_one_name_are_refused():
    first, second = CHAPTERS[:2]
    for changes in ({"number": first.number}, {"cases": first.cases}, {"cases": {first.slug: ""}}):
        with pytest.raises(ValueError, match=r"chapters .*: both use"):
            _by_key([first, second._replace(**changes)])


def test_all_finders_take_any_name_of_a_chapter():
    for find in (find_card, find_fit):
        assert find("cache_cliff") == find(3) == find("03-cache-cliff") == find("rrd")


def test_each_chapters_cases_are_those_that_it_names():
    for name, case in cases().items():
        chapter = find_chapter(name)
        assert case.name == name
        assert case.chapter == chapter.slug
        assert (case.title, case.document) == chapter.cases[name]
    for name, validity in maps().items():
        assert find_map(name).case.name == validity.case.name == name
    with pytest.raises(ValueError, match="case = 'sheep': must be one of"):
        find_case("sheep")


ALONE = """
import sys
from tunables.core.registry import find_card, find_case, find_fit, find_map
find_case("rrd"), find_map("rrd"), find_card(3), find_fit("cache_cliff")
modules = [name.split(".") for name in sys.modules if name.startswith("tunables.chapters.")]
assert {words[2] for words in modules if len(words) > 3} == {"cache_cliff"}, modules
"""


def test_what_is_asked_for_is_imported_and_no_other_chapters():
    subprocess.run([sys.executable, "-c", ALONE], check=True, timeout=60)
