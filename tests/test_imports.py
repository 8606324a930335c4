"""Imports run one way, and the closed forms need neither numba nor numpy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "tunables"
FOUNDATION = {"arguments", "agreement", "digits", "discovery", "typed", "units"}
MAY_IMPORT = {
    "theory": {"theory"},
    "predictors": {"theory", "predictors"},
    "problems": {"theory", "predictors", "problems"},
    "simulators": {"theory", "simulators"},
    "evidence": {"evidence"},
    "own": {"theory", "predictors", "simulators", "evidence", "own"},
    "cases": {"theory", "predictors", "simulators", "evidence", "cases"},
    "measure": {"measure"},
    "cards": {"theory", "predictors", "evidence", "cases", "cards"},
    "validity": {"theory", "predictors", "simulators", "evidence", "cases", "validity"},
    "reader": {
        "theory",
        "predictors",
        "problems",
        "simulators",
        "evidence",
        "cases",
        "cards",
        "own",
        "validity",
        "reader",
    },
}


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_each_room_imports_only_what_stands_below_it(room):
    for path in PACKAGE.glob(f"{room}/**/*.py"):
        rooms = {name.split(".")[1] for name in imported(path) if name.startswith("tunables.")}
        assert rooms <= MAY_IMPORT[room] | FOUNDATION, path


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ("theory", {"math"}),
        ("predictors", {"math"}),
        ("problems", {"math", "json", "collections"}),
    ],
)
def test_what_runs_in_the_page_imports_only_what_the_page_has(room, allowed):
    for path in PACKAGE.glob(f"{room}/*.py"):
        foreign = {name for name in imported(path) if not name.startswith("tunables")}
        assert foreign <= allowed, path


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from tunables.cases.registry import cases
from tunables.simulators.caches import cyclic_trace, simulate_policy
assert simulate_policy(cyclic_trace(10, 3), 9, "mru", warmup=10) > 0
for case in cases().values():
    case.predict(**case.settings())
"""


def test_the_package_imports_and_predicts_without_numba():
    subprocess.run([sys.executable, "-c", WITHOUT_NUMBA], check=True)
