"""Public names exist, classes have one meaning, no circle of imports, chapters apart and small."""

import ast
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import tunables.simulators
import tunables.theory
from tunables.page.chapters import CHAPTERS, page_name

ROOT = Path(__file__).parents[1]
MODULES = [
    import_module(f"{package.__name__}.{entry.name}")
    for package in (tunables.theory, tunables.simulators)
    for entry in pkgutil.iter_modules(package.__path__)
]
TELLING = [module for module in MODULES if hasattr(module, "__all__")]


@pytest.mark.parametrize("module", TELLING, ids=lambda module: module.__name__)
def test_every_name_offered_is_there(module):
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_some_modules_tell():
    assert TELLING


def module_name(path: Path) -> str:
    """Return the name under which a file is imported."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


@cache
def trees() -> dict[str, ast.Module]:
    return {
        module_name(path): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "tunables").rglob("*.py"))
    }


def classes(trees: dict[str, ast.Module]) -> Counter:
    """Return how often each class name is defined."""
    nodes = (node for tree in trees.values() for node in ast.walk(tree))
    return Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))


def test_no_class_name_is_defined_twice():
    assert [name for name, count in classes(trees()).items() if count > 1] == []


def imports(tree: ast.Module, modules: set[str]) -> set[str]:
    """Return the modules that a module imports, at its top or within its functions."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= inside & modules or {f"{node.module}"}
    return names & modules


def find_circle(trees: dict[str, ast.Module]) -> list[str]:
    """Return a circle of modules that import each other, or nothing."""
    graph = {name: imports(tree, {*trees} - {name}) for name, tree in trees.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [*error.args[1]]
    return []


def test_no_modules_import_each_other_in_a_circle():
    assert find_circle(trees()) == []


def test_a_circle_is_found():
    texts = {"a": "from b import c", "b": "def f():\n    import c", "c": "import a"}
    assert {*find_circle({name: ast.parse(text) for name, text in texts.items()})} == {*texts}


# Words that name a chapter or a case, and who may write them outside the chapter. Let this shrink.
EXCEPTIONS = {
    ("tunables.page.simulation", "replication"),  # one run of several
    ("tunables.simulators.flows", "dpp"),  # a discipline of a port
    ("tunables.simulators.flows_reference", "dpp"),
    ("tunables.views.how_many_runs", "rdu"),  # the numbers of one page of the book
}
OUTSIDE = ("base", "core", "page", "views", "lab", "sweep", "simulators", "theory")
NAMES = {
    name for chapter in CHAPTERS for name in (chapter.slug, page_name(chapter.slug), *chapter.cases)
}
OWN = {word for chapter in CHAPTERS for word in (chapter.slug, page_name(chapter.slug))}


def strings(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module but for its docstrings, where a chapter may be an example."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_no_module_outside_a_chapter_writes_its_name():
    found = {
        (name, text)
        for name, tree in trees().items()
        if name.split(".")[1:2] and name.split(".")[1] in OUTSIDE
        for text in strings(tree)
        if text in NAMES
    }
    assert found - EXCEPTIONS == set()


def test_no_script_outside_a_chapter_writes_its_name():
    pattern = re.compile(rf"""(["'`])({"|".join(sorted(NAMES))})\1""")
    scripts = [
        path
        for path in (ROOT / "book" / "_static").rglob("*.js")
        if "vendor" not in path.parts and path.stem not in OWN
    ]
    assert len(scripts) > 20  # the walk has found the page's own
    written = {path.name: pattern.findall(path.read_text(encoding="utf-8")) for path in scripts}
    assert {name: words for name, words in written.items() if words} == {}


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_a_chapter_has_at_most_twelve_files(slug):
    folder = ROOT / "tunables" / "chapters" / slug
    assert len([path.name for path in folder.iterdir() if path.is_file()]) <= 12
