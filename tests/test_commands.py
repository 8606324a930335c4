"""The README lists every command that make knows."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_readme_lists_each_target_of_the_makefile_once():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = " ".join(re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)).split()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## All commands")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `make ([\w-]+)", table, re.MULTILINE)
    assert len(targets) > 30
    assert sorted(listed) == sorted(targets)


def test_what_python_compiles_while_the_book_is_built_makes_no_page_old():
    """`make test` would build the whole book again: a folder is newer with each file in it."""
    database = subprocess.run(
        ["make", "--print-data-base", "--question"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    ).stdout
    rules = [line for line in database.splitlines() if line.startswith("_build/")]
    assert any("book/_ext/" in rule for rule in rules)
    assert [rule for rule in rules if "__pycache__" in rule] == []
