"""Nobody but the registry lists, counts or numbers the chapters.

A file of code outside the chapters' own places may name one chapter, as an example or because it
is about it. It names no second, and reaches no chapter's modules but through the registry.
Prose (Markdown, notebooks) links to chapters as it likes; `book/_toc.yml` is Jupyter Book's list.
"""

import re
from pathlib import Path

import pytest

from tunables.page.chapters import CHAPTERS, page_name

ROOT = Path(__file__).parents[1]
PLACES = (
    *("tunables", "tests", "benchmarks", "assignments", "labs", "book", "binder"),
    *("Makefile", "pyproject.toml", "package.json", "_config.yml", ".ci", ".github"),
)
CODE = {".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".toml", ".yml", ".css", ".html", ".txt", ""}
LISTS = {ROOT / "book" / "_toc.yml"}
MADE = {ROOT / "book" / "_static" / name for name in ("vendor", "python")}
COUNT = len(CHAPTERS)


def names(chapter) -> str:
    """Return a pattern of what names a chapter in code: as a key, a page, a folder or a module."""
    slug, hyphens = chapter.slug, chapter.slug.replace("_", "-")
    return rf"""chapters[./]{slug}\b|["']({slug}|{hyphens})["']|\b{page_name(slug)}\b"""


NAMES = {chapter.slug: re.compile(names(chapter)) for chapter in CHAPTERS}
REACHES = re.compile(rf"\bchapters(\.| import |/)({'|'.join(NAMES)})\b")
NUMBERS = ", ".join(str(chapter.number) for chapter in CHAPTERS)
COUNTS = re.compile(rf"\[{NUMBERS}\]|\{{{NUMBERS}\}}|\({NUMBERS}\)|range\(1, {COUNT + 1}\)")
OF_CHAPTERS = re.compile("chapter", re.IGNORECASE)  # other numbers may run as far as theirs do


def is_own(path: Path) -> bool:
    """Say whether a file stands in a chapter's own place: its name or a folder's is the chapter."""
    words = {*path.relative_to(ROOT).parts, path.stem}
    return any(words & {chapter.slug, page_name(chapter.slug)} for chapter in CHAPTERS)


def outside() -> list[Path]:
    """Return the files of code that are no chapter's own."""
    found = [ROOT / place for place in PLACES if (ROOT / place).is_file()]
    for place in PLACES:
        found += [path for path in (ROOT / place).rglob("*") if path.is_file()]
    return [
        path
        for path in found
        if path.suffix in CODE
        and not (LISTS | MADE) & {path, *path.parents}
        and "__pycache__" not in path.parts
        and not is_own(path)
    ]


def troubles(text: str) -> list[str]:
    """Return what the text of a file outside says that only the registry may say."""
    named = [slug for slug, pattern in NAMES.items() if pattern.search(text)]
    found = [f"lists {', '.join(named)}"] if len(named) > 1 else []
    found += [f"reaches into {match[2]}" for match in REACHES.finditer(text)]
    lines = [line for line in text.splitlines() if OF_CHAPTERS.search(line)]
    counted = [match[0] for line in lines for match in COUNTS.finditer(line)]
    return found + [f"counts the chapters: {words}" for words in counted]


def test_no_file_outside_lists_counts_or_reaches_into_chapters():
    files = outside()
    assert len(files) > 300  # the walk has found the project
    found = {path.relative_to(ROOT).as_posix(): troubles(path.read_text("utf-8")) for path in files}
    assert not {path: said for path, said in found.items() if said}


FIRST, SECOND, *_ = CHAPTERS


@pytest.mark.parametrize(
    "text",
    [
        f"CHAPTERS = ['{FIRST.slug}', '{SECOND.slug}']",
        f"pages = chapters/{page_name(1)}.html chapters/{page_name(2)}.html",
        f"from tunables.chapters.{FIRST.slug} import case",
        f"from tunables.chapters import {FIRST.slug}",
        f"import_module('tunables.chapters.{FIRST.slug}.case')",
        f"cp tunables/chapters/{FIRST.slug}/case.py",
        f"for chapter in range(1, {COUNT + 1}): ...",
        f"for chapter in [{NUMBERS}]: ...",
        f"CHAPTERS = ({NUMBERS})",
    ],
)
def test_the_rule_sees(text):
    assert troubles(text)


def test_one_chapter_may_be_an_example():
    assert not troubles(f"practice('{FIRST.slug}'), find_case('{next(iter(FIRST.cases))}')")


@pytest.mark.parametrize("count", [COUNT, COUNT + 1])
def test_other_numbers_may_run_as_far_as_those_of_the_chapters(count):
    assert not troubles(f"for capacity in range(1, {count + 1}): ...")
    assert not troubles(f"values == {[*range(1, count + 1)]}")


def test_titles_are_those_of_the_notebooks():
    for chapter in CHAPTERS:
        text = (ROOT / "chapters" / f"{page_name(chapter.slug)}.ipynb").read_text(encoding="utf-8")
        assert f'"# {chapter.title}\\n"' in text or f'"# {chapter.title}"' in text
