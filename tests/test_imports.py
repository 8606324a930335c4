"""Imports run one way, and the closed forms need neither numba nor numpy."""

import ast
import subprocess
import sys
from pathlib import Path, PurePath

import pytest

from tunables.page.chapters import CHAPTERS

PACKAGE = Path(__file__).parents[1] / "tunables"
MAY_IMPORT = {
    "base": {"base"},
    "theory": {"base", "theory"},
    "page": {"base", "theory", "page", "chapters"},
    "simulators": {"base", "theory", "simulators"},
    "evidence": {"base", "evidence", "resources"},
    "audit": {"base", "evidence", "page", "audit"},
    "lab": {"base", "lab"},
    "core": {"base", "theory", "page", "simulators", "evidence", "core", "chapters"},
    "chapters": {"base", "theory", "page", "simulators", "evidence", "core", "chapters"},
    "views": {
        "base",
        "theory",
        "page",
        "simulators",
        "evidence",
        "audit",
        "core",
        "chapters",
        "resources",
        "views",
    },
    "hand_in": {"base", "page", "chapters", "views", "hand_in"},
}
IN_PAGE = [
    "base/*.py",
    "base/user_data/*.py",
    "theory/*.py",
    "page/*.py",
    "page/labs/*.py",
    "audit/*.py",
    "chapters/*/fit.py",
    "core/fit.py",
    "chapters/*/predictor.py",
    "chapters/*/problems.py",
]
NOT_IN_PAGE = {"audit/command.py", "audit/own.py"}
PAGE_HAS = {"math", "json", "collections", "hashlib", "heapq", "time", "os"}
SLUGS = {chapter.slug for chapter in CHAPTERS}


def imports_of(text):
    """Yield the whole name of all that is imported: "tunables.core.case.Case"."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            yield from (f"{start}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def is_in_page(path):
    """Say whether the page runs a file, by its path from the package."""
    return path not in NOT_IN_PAGE and any(PurePath(path).match(pattern) for pattern in IN_PAGE)


def troubles(path, text):
    """Yield what a file of the package imports and must not; path: from the package."""
    room, *rest = PurePath(path).parts
    for name in imports_of(text):
        first, *inside = name.split(".")
        if first != "tunables":
            if not first:
                yield f"{path}: {name} is relative"
            elif is_in_page(path) and first not in PAGE_HAS:
                yield f"{path}: the page has no {first}"
            continue
        if not inside or inside[0] not in MAY_IMPORT[room]:
            yield f"{path}: {room} stands below {name}"
        elif inside[0] == "chapters" and len(inside) > 1:
            slug, facet = inside[1], "/".join(inside[:3]) + ".py"
            if slug in SLUGS and (room != "chapters" or rest[0] != slug):
                yield f"{path}: {slug} is another chapter"
            if is_in_page(path) and (PACKAGE / facet).exists() and not is_in_page(facet):
                yield f"{path}: the page has no {facet}"


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_each_package_imports_only_packages_below_it(room):
    files = sorted(PACKAGE.glob(f"{room}/**/*.py"))
    assert files
    for path in files:
        name = path.relative_to(PACKAGE).as_posix()
        assert not list(troubles(name, path.read_text(encoding="utf-8")))


def test_the_page_runs_some_files_of_each_kind():
    assert all(list(PACKAGE.glob(pattern)) for pattern in IN_PAGE)


MINE, OTHER = (chapter.slug for chapter in CHAPTERS[:2])


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("base/units.py", "from tunables.theory.mg1 import mg1_ps_response", "below tunables"),
        ("theory/mg1.py", "import tunables.page.problem", "below tunables"),
        ("simulators/caches.py", "from tunables import core", "below tunables"),
        ("core/card.py", "from tunables.views.charts import enable", "below tunables"),
        ("lab/child.py", "def f():\n    from tunables.theory import mg1", "below tunables"),
        ("views/charts.py", "from . import tables", "is relative"),
        (f"chapters/{MINE}/card.py", f"from tunables.chapters import {OTHER}", "another chapter"),
        (f"chapters/{MINE}/card.py", f"import tunables.chapters.{OTHER}.case", "another chapter"),
        ("core/registry.py", f"from tunables.chapters.{MINE} import case", "another chapter"),
        ("theory/mg1.py", "import numpy as np", "no numpy"),
        ("page/problem.py", "from dataclasses import dataclass", "no dataclasses"),
        (f"chapters/{MINE}/predictor.py", "from typing import Any", "no typing"),
        (f"chapters/{MINE}/problems.py", f"from tunables.chapters.{MINE}.case import x", "no chap"),
        (f"chapters/{MINE}/problems.py", f"from tunables.chapters.{MINE} import case", "no chap"),
    ],
)
def test_the_rules_see(path, text, words):
    (found,) = troubles(path, text)
    assert words in found


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from tunables.core.registry import cases
from tunables.simulators.caches import cyclic_trace, simulate_policy
assert simulate_policy(cyclic_trace(10, 3), 9, "mru", warmup=10) > 0
for case in cases().values():
    case.predict(**case.settings())
"""


@pytest.mark.slow
def test_the_package_imports_and_predicts_without_numba():
    subprocess.run([sys.executable, "-c", WITHOUT_NUMBA], check=True)
