"""The table of problems that teachers choose from: every kind once, easy ones first."""

import re
from itertools import pairwise
from pathlib import Path

from book._ext import markdown_tables as tables
from tests.page.test_problem import SEEDS_WRONG_METHODS
from tunables.page.chapters import find_chapter, with_facet
from tunables.page.problem import APART, EFFORTS, kinds, problem_slug

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "teaching" / "problems.md").read_text(encoding="utf-8")


def test_every_kind_stands_there_once_and_a_chapter_begins_with_its_easy_ones():
    rows = [line.strip("| ").split(" | ") for line in tables.problem_kinds_lines()[2:]]
    named = [(problem_slug(c), kind.strip("`")) for c, kind, *_ in rows]
    everywhere = [*with_facet("problems"), *APART]
    assert sorted(named) == sorted((c, kind) for c in everywhere for kind in kinds(c))
    for (chapter, _, _, effort), (other, _, _, next_effort) in pairwise(rows):
        assert int(effort[0]) == effort.count("●")
        assert chapter != other or effort[0] <= next_effort[0]


def test_the_page_shows_it_and_says_what_the_tests_do():
    assert "```{problem-kinds}\n```" in PAGE
    assert len(tables.efforts()) == len(EFFORTS)
    assert f"two or more wrong methods on {len(SEEDS_WRONG_METHODS)} seeds" in PAGE


def test_the_objectives_name_kinds_of_their_own_chapter():
    page = (ROOT / "book" / "teaching" / "objectives.md").read_text(encoding="utf-8")
    chapter, named = "", 0
    for line in page.splitlines():
        found = re.match(r"\| \[(\d)\]\(", line)
        chapter = find_chapter(found[1]).slug if found else chapter
        practised = re.search(r"problems? ((?:`[a-z-]+`(?:, )?)+)", line)
        if practised:
            kinds_named = re.findall(r"`([a-z-]+)`", practised[1])
            named += len(kinds_named)
            assert set(kinds_named) <= set(kinds(chapter)), line
    assert named > 20
