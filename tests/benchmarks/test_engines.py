"""The matrix of engines: how it counts, and that this Python still gives the recorded bits."""

import json
import platform

import pytest

from benchmarks.engines.__main__ import FILE
from benchmarks.engines.closed_forms import answers, bits
from benchmarks.engines.kernels import compare
from benchmarks.engines.matrix import row
from benchmarks.engines.questions import EVENTS, INPUTS, questions
from benchmarks.engines.replies import digest, runs
from kernels.entries import SHARED
from tests.kernels.cases import write_cases

NEARLY = 1e-12  # a closed form's last digits depend on the engine's logarithms and powers
HERE = (platform.system(), platform.machine())
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
ON_RECORDED = pytest.mark.skipif(
    " ".join(HERE) != RECORDED["machine"]["system"],
    reason="another system's C library rounds some logarithms and powers otherwise",
)


def test_no_engine_differs_in_a_kernel_a_run_or_a_page_and_closed_forms_agree_to_12_digits():
    names = [each["engine"] for each in RECORDED["engines"]]
    for wanted in ("CPython 3.11", "CPython 3.12", "CPython 3.13", "nothing compiled", "32 bits"):
        assert any(wanted in name for name in names), wanted
    for wanted in ("node", "Chromium", "Firefox", "WebKitGTK"):
        assert any(name.startswith(wanted) for name in names), wanted
    for each in RECORDED["engines"]:
        asked = [each[what] for what in ("runs", "kernels", "pages") if each[what]]
        assert all(counted["asked"] > 0 == counted["unequal"] for counted in asked)
        assert each["closed_forms"]["largest_relative"] < NEARLY


@ON_RECORDED
def test_this_python_gives_the_recorded_closed_forms_to_the_bit():
    told = json.loads(answers(json.dumps(questions())))
    recorded = RECORDED["digests"]["closed_forms"]
    assert {case: digest(told[case]) for case in recorded} == recorded


@ON_RECORDED
@pytest.mark.slow
def test_this_python_gives_the_recorded_runs_to_the_bit():
    found, recorded = runs(), RECORDED["digests"]["runs"]
    assert {case: found[case] for case in recorded} == recorded


@pytest.mark.long  # a new chapter needs no other engines at once, but before a release
def test_each_case_is_recorded():
    asked = set(json.loads(answers(json.dumps(questions()))))
    assert asked == set(RECORDED["digests"]["closed_forms"]) == set(runs())


def test_a_row_counts_what_is_unequal():
    first = {"engine": "a", "closed_forms": {"x": [{"y": bits(1.0), "z": bits(2.0)}]}}
    first |= {"runs": {"x": "1", "w": "2"}, "kernels": {"k": {"cases": 3, "differ": []}}}
    other = {"engine": "b", "closed_forms": {"x": [{"y": bits(1.0), "z": bits(2.5)}]}}
    other |= {"runs": {"x": "1", "w": "3"}, "pages": {"p": ["1"], "q": ["2"]}}
    other |= {"kernels": {"k": {"cases": 3, "differ": [["e", 0, "!"]]}}}
    told = row(first, {"p": ["1"], "q": ["0"]}, other)
    assert told["closed_forms"] == {"asked": 2, "unequal": 1, "largest_relative": 0.2}
    assert told["runs"] == {"asked": 2, "unequal": 1}
    assert told["kernels"] == {"asked": 3, "unequal": 1}
    assert told["pages"] == {"asked": 2, "unequal": 1}
    assert row(first, {}, first | {"runs": {}})["runs"] is None


def test_a_kernel_that_gives_another_bit_is_seen(tmp_path):
    folder = tmp_path / SHARED
    count = write_cases(folder, SHARED, range(INPUTS), EVENTS)
    assert compare(folder) == {"cases": count, "differ": []}
    cases = json.loads((folder / "cases.json").read_text())
    cases[0]["returns"] = [{"bits": "1"}]
    (folder / "cases.json").write_text(json.dumps(cases))
    assert [seed for _, seed, _ in compare(folder)["differ"]] == [cases[0]["seed"]]
