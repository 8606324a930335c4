"""Runs the quick tests of one chapter: `make check ONE=cache_cliff`, or ONE=3.

These are the chapter's own tests, those items that name it of the tests that go over all chapters,
cases and notebooks, and the few tests that compare all chapters with the book. What needs the built
book, and what is slow, is left to `make test`.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tunables.page.chapters import CHAPTERS, find_chapter, page_name

ROOT = Path(__file__).parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-n", "2", "-m", "not long and not slow"]
OVER_ALL = ("tests/chapters", "tests/core", "tests/page", "tests/views", "tests/evidence")
WHOLE = (
    "tests/test_one_registry.py",
    "tests/book/test_stored.py",
    "tests/book/test_corrections.py",
)


def names_one(test: str, words: Iterable[str]) -> bool:
    """Say whether the name of a test has one of these words, and not in a longer one.

    pytest's own -k takes parts of words.

    >>> names_one("tests/chapters/test_answers.py::test_answers[till]", ["till", "09-till"])
    True
    >>> names_one("tests/views/test_animation.py::test_stills[rrd]", ["till", "09-till"])
    False
    """
    pattern = rf"(?<![a-z])(?:{'|'.join(map(re.escape, words))})(?![a-z])"
    return bool(re.search(pattern, test, re.IGNORECASE))


def command(chapter: str) -> list[str]:
    """Return pytest's command for a chapter; raises ValueError for an unknown one."""
    found = find_chapter(chapter)
    words = ",".join([found.slug, page_name(chapter), *found.cases])
    own = f"tunables/chapters/{found.slug}"
    # The other chapters' own tests take longest to import.
    others = [f"--ignore=tests/chapters/{each.slug}" for each in CHAPTERS if each != found]
    named = [f"--names={words}", f"--whole={','.join(WHOLE)}"]
    return [*PYTEST, *named, *others, *OVER_ALL, own, *WHOLE]


if __name__ == "__main__":
    try:
        sys.exit(subprocess.run(command(sys.argv[1]), cwd=ROOT, check=False).returncode)
    except ValueError as error:
        sys.exit(f"make check: {error}")
