"""Mutants: each explained one stands in the code as it was, and the nearest tests try first."""

import json

from mutants import explained as explanations
from mutants.__main__ import MEASURED, interval
from mutants.covering import Covering
from mutants.explained import explained, stale
from mutants.groups import GROUPS, ROOT


def test_every_explained_mutant_stands_in_the_code():
    assert [f"{each.file}: {each.was}" for each in stale()] == []


def test_an_explanation_of_code_that_has_changed_is_told(tmp_path, monkeypatch):
    fields = {
        "file": "mutants/explained.py",
        "was": "no such line",
        "now": "",
        "why": "It is gone.",
    }
    told = "\n".join(["[[mutant]]", *(f"{key} = {json.dumps(fields[key])}" for key in fields)])
    (tmp_path / "explained.toml").write_text(told)
    monkeypatch.setattr(explanations, "FILE", tmp_path / "explained.toml")
    assert [each.was for each in stale()] == ["no such line"]


def test_every_explanation_says_why_in_a_sentence():
    told = explained()
    assert all(each.was != each.now and each.why.endswith(".") for each in told)
    assert len(set(told)) == len(told)


def test_a_line_is_tried_by_the_tests_that_reach_it_the_nearest_first():
    far, near, other = "tests/a/test_far.py::x", "tests/b/test_till.py::y", "tests/b/test_b.py::z"
    seconds = {far: 0.1, near: 0.2, other: 0.1}
    lines = {"tunables/till.py": {"3": {far, near}, "1": {""}}}
    found = Covering(seconds, lines)
    assert found.plan("tunables/till.py", 3) == [[near], [far]]
    assert found.plan("tunables/till.py", 1) == [[near], [far]]  # an import runs it: all try
    assert found.plan("tunables/other.py", 3) == []


def test_a_group_has_files_and_tests_that_are_there():
    for group in GROUPS.values():
        assert group.files()
        assert all((ROOT / path).is_file() for path in group.test_files())


def test_what_is_kept_adds_up():
    for each in json.loads(MEASURED.read_text(encoding="utf-8")):
        noticed = each["killed"] + each["timed out"]
        assert noticed + each["survived"] + each["explained"] == each["tried"] <= each["mutants"]
        assert each["interval"] == interval(noticed, each["tried"] - each["explained"])
