"""Every page says in one sentence what it is, and every lesson and lab what it asks for."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.chapters.notebooks import NOTEBOOKS, prose

ROOT = Path(__file__).parents[2]
TOC = (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")
DOCNAMES = ["book/index", *re.findall(r"- file: (\S+)", TOC)]
for folder in re.findall(r"- glob: (\S+)/\*", TOC):
    DOCNAMES += [f"{folder}/{path.stem}" for path in (ROOT / folder).glob("*.ipynb")]


@cache
def description(docname):
    """Return the sentence in the metadata of a notebook or the front matter of another page."""
    notebook = ROOT / f"{docname}.ipynb"
    if notebook.exists():
        return json.loads(notebook.read_text(encoding="utf-8"))["metadata"]["description"]
    _, front, _ = (ROOT / f"{docname}.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(front)["description"]


LABS = [path for path in NOTEBOOKS if path.parent.name == "labs"]


@pytest.mark.parametrize("docname", DOCNAMES)
def test_each_page_has_a_description_of_its_own_of_a_length_that_is_shown(docname):
    sentence = description(docname)
    assert 60 <= len(sentence) <= 170, f"{len(sentence)} characters"
    assert [description(other) for other in DOCNAMES].count(sentence) == 1


def test_each_page_of_the_book_is_in_its_contents():
    written = {path.with_suffix("").as_posix() for path in ROOT.glob("book/**/*.md")}
    assert {str(Path(name).relative_to(ROOT)) for name in written} <= set(DOCNAMES)


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.stem)
def test_a_lab_states_objectives_prerequisites_and_time(path):
    text = prose(path)
    assert re.search(r"Objectives|You will", text)
    assert re.search(r"Prerequisites|You need", text)
    assert re.search(r"\*\*Time[.:]\*\*", text)
