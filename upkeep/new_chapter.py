"""Writes the least chapter: `make chapter SLUG=till NUMBER=9`.

    python -m upkeep.new_chapter SLUG NUMBER

The template is a whole chapter about a shop's till, with a made-up table, that passes the tests as
it is. Each file is then changed, one after the other, until the chapter is about something else:
book/teaching/own-case.md says how.
"""

import re
import subprocess
import sys
from pathlib import Path

from tunables.page.chapters import CHAPTERS, file_name

ROOT = Path(__file__).parents[1]
TEMPLATE = Path(__file__).with_name("chapter_template")
SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PLACES = {
    "data.csv": "data/{slug}.csv",
    "data.json": "data/{slug}.json",
    "chapter_init.py": "tunables/chapters/{slug}/__init__.py",
    "predictor.py": "tunables/chapters/{slug}/predictor.py",
    "case.py": "tunables/chapters/{slug}/case.py",
    "chapter.md": "tunables/chapters/{slug}/chapter.md",
    "transcript.csv": "tests/chapters/{slug}/transcript.csv",
    "test_case.py": "tests/chapters/{slug}/test_case.py",
}


def check(slug: str, number: str) -> None:
    """Raise ValueError unless no chapter has this slug or this number."""
    names = {name for chapter in CHAPTERS for name in (chapter.slug, *chapter.cases)}
    if not SLUG.fullmatch(slug):
        raise ValueError(
            f"SLUG = {slug!r}: must be lower-case letters, digits and single underscores, "
            "beginning with a letter, such as till or file_or_row"
        )
    if slug in names:
        raise ValueError(f"SLUG = {slug!r}: must be new; taken are {', '.join(sorted(names))}")
    taken = sorted(chapter.number for chapter in CHAPTERS)
    if not re.fullmatch(r"[1-9]\d?", number) or int(number) in taken:
        raise ValueError(
            f"NUMBER = {number!r}: must be a whole number from 1 to 99 that no chapter has; "
            f"taken are {', '.join(map(str, taken))}"
        )


def files(slug: str, number: int) -> dict[Path, str]:
    """Return the chapter's files, by their paths: the template's, under its own names."""
    found = {}
    for name, place in PLACES.items():
        text = (TEMPLATE / name).read_text(encoding="utf-8")
        text = text.replace("SLUG-", slug.replace("_", "-") + "-")  # row ids have no underscores
        text = re.sub(r"\b99\b", str(number), text.replace("SLUG", slug))
        found[ROOT / place.format(slug=slug)] = text
    return found


def write(slug: str, number: str) -> list[Path]:
    """Write the files and the notebook, and return their paths; nothing is overwritten."""
    check(slug, number)
    chapter = files(slug, int(number))
    notebook = ROOT / "chapters" / f"{file_name(int(number), slug)}.ipynb"
    there = [path for path in (*chapter, notebook) if path.exists()]
    if there:
        names = ", ".join(str(path.relative_to(ROOT)) for path in there)
        raise ValueError(f"{names}: already there, and left as they are")
    for path, text in chapter.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    source = next(path for path in chapter if path.name == "chapter.md")
    command = [sys.executable, str(ROOT / "book" / "notebook.py"), str(source), str(notebook)]
    subprocess.run(command, cwd=ROOT, check=True)
    return [*chapter, notebook]


if __name__ == "__main__":
    try:
        for path in write(*[*sys.argv[1:], "", ""][:2]):
            print(path.relative_to(ROOT))
    except ValueError as error:
        sys.exit(f"make chapter: {error}")
