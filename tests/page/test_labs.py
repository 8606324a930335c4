"""The laws of the labs in the page: JSON in, JSON out, in a part of the page's Python each."""

import importlib
import json
import subprocess
import sys

import pytest

from tests.book.test_page_python import PARTS, modules, page_python
from tests.test_imports import PAGE_HAS, imports_of

LAWS = page_python.laws()
OF_ALL_CHAPTERS = {
    "your_numbers": ("capacities", {"keys": 10, "chapter": 3, "shares": [0.25, 0.5]}, [2, 5])
}


def question_of(lab):
    """Return a call to a lab's law, what it is given, and the answer."""
    if lab in OF_ALL_CHAPTERS:
        return OF_ALL_CHAPTERS[lab]
    return importlib.import_module(f"tests.chapters.{lab}.lab_law").ASKED


def reply_of(lab, name, given):
    page = importlib.import_module(f"tunables.page.labs.{lab}").LabSession("{}")
    return json.loads(page.reply(json.dumps({"function": name, "arguments": given})))


@pytest.mark.parametrize("lab", LAWS)
def test_a_lab_is_answered(lab):
    call, given, answer = question_of(lab)
    assert reply_of(lab, call, given) == {"answer": pytest.approx(answer)}


CALL = """
import sys
sys.path.insert(0, sys.argv[1])
from tunables.page.labs.{lab} import LabSession
print(LabSession("{{}}").reply(sys.argv[2]))
"""


@pytest.mark.parametrize("lab", LAWS)
def test_a_lab_is_answered_by_the_files_that_the_page_has(lab, tmp_path):
    """What a law finds by name is no import that a reader of imports could miss."""
    for path, source in (PARTS["shared"] | LAWS[lab]).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source, encoding="utf-8")
    call, given, answer = question_of(lab)
    request = json.dumps({"function": call, "arguments": given})
    command = [sys.executable, "-I", "-S", "-c", CALL.format(lab=lab), str(tmp_path), request]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"answer": pytest.approx(answer)}


@pytest.mark.parametrize("lab", LAWS)
def test_what_cannot_be_answered_is_refused_with_its_name(lab):
    call, given, _ = question_of(lab)
    name = next(iter(given))
    words = {"writers": "customers"}.get(name, name)
    assert words in reply_of(lab, call, given | {name: []})["refusal"]
    assert "function = 'none'" in reply_of(lab, "none", {})["refusal"]


@pytest.mark.parametrize("lab", LAWS)
def test_a_law_asks_for_nothing_that_the_page_lacks_and_brings_nothing_that_is_shared(lab):
    there = modules(PARTS["shared"] | LAWS[lab])
    assert not LAWS[lab].keys() & PARTS["shared"].keys()
    for path, source in LAWS[lab].items():
        for name in imports_of(source):
            known = name in there or name.rpartition(".")[0] in there
            assert known or name.partition(".")[0] in PAGE_HAS, f"{path}: the page has no {name}"
