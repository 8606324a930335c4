"""Renews all that is made from a chapter and committed: `make renew ONE=cache_cliff`, or ONE=3.

In this order, since each step reads what the one before it wrote: the kernels that the page calls,
the animations' stills, the links from the chapter's words to the glossary, its executed notebooks,
and the snapshot of the models' answers. Look at the diff before you commit it.
"""

import subprocess
import sys
from pathlib import Path

from kernels.entries import module_names
from tunables.core.registry import chapters_with
from tunables.page.chapters import find_chapter, page_name

ROOT = Path(__file__).parents[1]


def commands(chapter: str) -> list[list[str]]:
    """Return the commands for a chapter, in order; raises ValueError for an unknown one."""
    slug, page = find_chapter(chapter).slug, page_name(chapter)
    # A chapter may have no page of evidence.
    pages = (f"chapters/{page}.ipynb", f"book/evidence/{page}.ipynb")
    notebooks = [path for path in pages if (ROOT / path).exists()]
    python, pytest = [sys.executable, "-m"], [sys.executable, "-m", "pytest", "-q", "-n", "0"]
    steps = []
    if slug in module_names():
        steps.append([*python, "kernels", slug])
    if slug in chapters_with("animation"):
        steps.append([sys.executable, "book/stills.py", slug])
    return [
        *steps,
        [*python, "tests.chapters.terms"],
        ["make", "--no-print-directory", "notebooks", f"ONE={' '.join(notebooks)}"],
        [*python, "ruff", "format", "--quiet", *notebooks],
        [*pytest, f"tests/chapters/test_answers.py::test_answers[{slug}]", "--snapshot-update"],
    ]


def renew(chapter: str) -> None:
    """Run the commands for a chapter; stops at the first that fails."""
    for command in commands(chapter):
        print("$", *command, flush=True)
        subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    try:
        renew(sys.argv[1])
    except ValueError as error:
        sys.exit(f"make renew: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
