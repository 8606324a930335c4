"""Expressions that read as translated, and crept in before: nothing that one reads has them."""

import ast
import itertools
import re
from pathlib import Path

import pytest

from upkeep.sentences import sentences

ROOT = Path(__file__).parents[1]
# What to refuse, each with a sentence of the book that had it and now says it otherwise.
REFUSED = {
    r"^(?:who|whoever) (?:is|has|does|finds|comes|gets|wants|adds|carries)\b(?!.*\?)": (
        "Who is let in is answered in time."  # Every request that gets in is answered in time.
    ),
    r"\b(?:below|above|here|there) stands?\b": "And below stands why it cannot be 900,000.",
    r"\bstands? (?:below|above|there|here|beside|in a fold|for itself)\b": (
        "The law stands there twice, with the message."
    ),
    r"\b(?:is|are) told (?:in|by|apart from)\b": "Two tests are told in words alone.",
    r"\bwith sight of\b": "The form was chosen with sight of it.",
    r"\bfor ever\b": "The server stays busy for ever.",
    r"\bdearer\b": "Every transaction is 2% dearer now.",
    r"\banew\b": "The whole chart is drawn anew.",
    r"\bbeforehand\b": "Say so in class beforehand.",
    r"\bat second \d": "The queue is emptied at second 60.",
    r"\bas good,": "The other graph leaves: as good, and the misses stand elsewhere.",
    r"\bon the desk\b": "With all ten times on the desk it is easy.",
    r"\breckon(?:s|ed|ing)?\b": "Its model reckons in seconds.",
    r"\bworked off\b": "The queue was worked off by then.",
    r"\bnobody comes\b": "Perhaps nobody comes during a flush.",
    r"\bcan be had\b": "None of these values can be had.",
}
ANY = re.compile("|".join(REFUSED), re.IGNORECASE)
FOLDERS = (
    *("assignments", "benchmarks", "book", "chapters", "kernels", "labs", "tests", "tunables"),
    *(".github", "upkeep"),
)
KINDS = {".md", ".ipynb", ".py", ".js"}
NOT_OURS = {"vendor", "corrections.md", Path(__file__).name}  # the second says what was wrong
FILES = sorted(
    path.relative_to(ROOT)
    for path in [*ROOT.glob("*.md"), *(p for folder in FOLDERS for p in (ROOT / folder).rglob("*"))]
    if path.suffix in KINDS and not NOT_OURS & {*path.parts}
)


def refusals(path: Path) -> list[str]:
    """Return each refused expression of a file, with its sentence."""
    return [
        f"{pattern}: {sentence}"
        for sentence in sentences(path)
        if ANY.search(sentence)
        for pattern in REFUSED
        if re.search(pattern, sentence, re.IGNORECASE)
    ]


@pytest.mark.parametrize(("pattern", "sentence"), REFUSED.items())
def test_each_expression_is_found_in_a_sentence(pattern, sentence, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\nThis is the first sentence. {sentence}\n")
    assert [found.partition(": ")[0] for found in refusals(page)] == [pattern]


@pytest.mark.parametrize("folder", ["", *FOLDERS])
def test_no_sentence_reads_as_translated(folder):
    files = [path for path in FILES if (path.parts[0] if path.parts[1:] else "") == folder]
    assert files
    assert {str(path): found for path in files if (found := refusals(ROOT / path))} == {}


def cut_off(source: str) -> list[str]:
    """Return the texts that follow a return at once, as statements of their own: nobody sees them.

    A sentence of two literals needs brackets; without them only its first line is returned.
    """
    return [
        ast.unparse(after)
        for node in ast.walk(ast.parse(source))
        for _, block in ast.iter_fields(node)
        if isinstance(block, list)
        for before, after in itertools.pairwise(block)
        if isinstance(before, ast.Return) and isinstance(after, ast.Expr)
    ]


def test_a_sentence_without_its_brackets_is_found():
    source = 'def say():\n    return "Half of"\n    " a sentence."\n'
    assert cut_off(source) == ["' a sentence.'"]
    assert cut_off(source.replace('"Half', '("Half').replace('."', '.")')) == []


def test_no_sentence_loses_its_second_line():
    sources = {path: (ROOT / path).read_text() for path in FILES if path.suffix == ".py"}
    assert sources
    assert {str(path): lost for path, text in sources.items() if (lost := cut_off(text))} == {}
