"""The README lists every command that make knows."""

import re
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
