"""What Python sends to the page has the shapes that the page's JavaScript is checked against."""

import json
import re
import subprocess

import pytest

from tests.chapters.notebooks import ROOT
from tests.node import node_path
from tunables.audit.session import AuditSession
from tunables.page.animation import AnimationSession
from tunables.page.explorer import ExplorerSession
from tunables.page.guess import GuessSession
from tunables.page.hand_in import HandInSession, code_of
from tunables.page.problem import PracticeSession
from tunables.page.simulation import SimulationSession
from tunables.page.validity import ValiditySession

SITE = ROOT / "_build" / "html"
TYPES = ROOT / "book" / "_types"
BOX = re.compile(r'<script type="application/json" class="(\w+)-description">(.*?)</script>', re.S)
SHAPES = {
    "explorer": "ExplorerDescription",
    "guess": "GuessDescription",
    "practice": "PracticeDescription",
    "handin": "HandInDescription",
    "validity": "MapDescription",
    "comparing": "ComparisonDescription",
    "animation": "Animated",
    "audit": "AuditDescription",
}


def boxes():
    """Yield the kind and the description of each box of the book."""
    for path in sorted(SITE.rglob("*.html")):
        for kind, text in BOX.findall(path.read_text(encoding="utf-8")):
            yield kind, json.loads(text)


def requests(kind, description):
    """Return the session that answers a box, and a request for each type of reply."""
    if kind == "explorer":
        state = description["defaults"]
        wrong = state | {description["parameters"][0]["name"]: "many"}
        numbers = {"RefusedState": {"state": wrong}, "Numbers": {"state": state}}
        return ExplorerSession, numbers | {"Drawing": {"draw_s": 60}}
    if kind == "guess":
        return GuessSession, {"Refusal": {"text": "many"}, "Judgement": {"text": "1"}}
    if kind == "practice":
        name = {"kind": description["kind"], "seed": description["seed"]}
        answers = {"Refusal": name | {"answer": "many"}, "Verdict": name | {"answer": "1"}}
        return PracticeSession, answers | {"Problem": name}
    if kind == "handin":
        code = code_of(bytes(12))
        nothing = {
            "guesses": [],
            "steps": [0, 0],
            "map": False,
            "own_numbers": False,
            "answers": {},
        }
        return HandInSession, {
            "Refusal": {"code": "none"},
            "HandInProblems": {"code": code},
            "{ text: string }": {"code": code, "name": "Ada", "record": nothing},
        }
    if kind == "comparing":
        usual = {"state": description["defaults"], "seed": 1, "assumptions": {}}
        against = {"state": description["defaults"], "common": True}
        against["output"] = description["outputs"][0]["name"]
        asked = usual | {"replication": 4, "against": against}
        refused = asked | {"seed": -1}
        return SimulationSession, {
            "Refusal": {"simulate": refused},
            "ReplicationReport": {"simulate": asked},
        }
    if kind == "audit":
        text = description["samples"][0]["text"]
        asked = {"text": text, "name": "x.csv", "chosen": [None]}
        return AuditSession, {"Refusal": asked | {"text": "words"}, "Audited": asked}
    if kind == "animation":
        chosen = description["settings"][0]["name"]
        wrong = description["bookmarks"][0]["settings"] | {chosen: "many"}
        runs = {"Refusal": {"play": {"settings": wrong}}}
        return AnimationSession, runs | {"Run": {"play": description["bookmarks"][0]}}
    return ValiditySession, {"Refusal": {"tolerance": 99}, "Verdicts": {"tolerance": 5}}


def simulations(description):
    """Yield the type of each reply to a simulation that needs no kernels, and the reply."""
    page = SimulationSession(json.dumps(description), run=lambda seed, **_: {"slowdown": 1.0})
    asked = {"state": description["defaults"], "assumptions": {}, "replication": 0}
    for shape, seed in (("ReplicationReport", 1), ("Refusal", -1)):
        request = {"simulate": asked | {"seed": seed}}
        yield shape, json.loads(page.reply(json.dumps(request)))


def replies(kind, description):
    """Yield the type of each reply to a box, and the reply."""
    session, asked = requests(kind, description)
    page = session(json.dumps(description))
    for shape, request in asked.items():
        yield shape, json.loads(page.reply(json.dumps(request)))


def check_types(folder, values):
    """Return what the type checker says of (type, value) pairs: nothing if all is well."""
    lines = [f"const value{n}: {kind} = {json.dumps(v)};" for n, (kind, v) in enumerate(values)]
    (folder / "values.ts").write_text("\n".join(lines))
    files = ["values.ts", *map(str, TYPES.glob("*.d.ts"))]
    project = {"extends": str(TYPES / "tsconfig.json"), "include": [], "files": files}
    (folder / "tsconfig.json").write_text(json.dumps(project))
    command = [node_path(), str(ROOT / "node_modules/typescript/bin/tsc"), "-p", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.stderr == ""
    return run.stdout


@pytest.fixture(scope="module")
def box_kinds():
    assert SITE.exists(), "the book is not built: run `make book` first"
    kinds = list(boxes())
    assert {kind for kind, _ in kinds} == set(SHAPES)
    return kinds


def test_descriptions_have_the_fields_that_the_types_name_and_no_others(box_kinds, tmp_path):
    assert check_types(tmp_path, [(SHAPES[kind], box) for kind, box in box_kinds]) == ""


def test_replies_have_the_fields_that_the_types_name_and_no_others(box_kinds, tmp_path):
    values = [each for kind, box in box_kinds for each in replies(kind, box)]
    case = next(
        box
        for kind, box in box_kinds
        if kind == "explorer" and box["name"] == "rrd" and box["rows"]
    )
    values += simulations(case)
    assert check_types(tmp_path, values) == ""


def test_what_the_ledger_simulates_has_the_shape_of_its_type(tmp_path):
    text = (SITE / "book" / "ledger.html").read_text(encoding="utf-8")
    (found,) = re.findall(r'class="ledger-simulations">(.*?)</script>', text, re.S)
    assert check_types(tmp_path, [("LedgerSimulations", json.loads(found))]) == ""


def test_a_field_that_is_missing_or_strange_is_found(box_kinds, tmp_path):
    box = next(box for kind, box in box_kinds if kind == "practice")
    less = {name: value for name, value in box.items() if name != "seed"}
    said = check_types(
        tmp_path, [("PracticeDescription", less), ("PracticeDescription", box | {"colour": "red"})]
    )
    assert "'seed' is missing" in said
    assert """'"colour"' does not exist""" in said
