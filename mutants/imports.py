"""Which files import which, by their text: no tracer sees the lines of a compiled kernel."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mutants.groups import ROOT

FOLDERS = ("tunables", "tests")


def _named(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted names that a file imports, of a module or of what a module holds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _file(name: str) -> str:
    """Return the path of a module of the project, or "" where there is none."""
    path = Path(*name.split("."))
    found = [each for each in (path.with_suffix(".py"), path / "__init__.py") if _there(each)]
    return found[0].as_posix() if found else ""


def _there(path: Path) -> bool:
    return path.parts[0] in FOLDERS and (ROOT / path).is_file()


@cache
def _direct() -> dict[str, set[str]]:
    """Return the files that import a file themselves."""
    found = defaultdict(set)
    for path in (path for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*.py")):
        for name in _named(ast.parse(path.read_bytes())):
            found[_file(name)].add(path.relative_to(ROOT).as_posix())
    return found


def importers(file: str) -> dict[str, int]:
    """Return a file and all that import it, each with how many imports lie between."""
    found, left = {file: 0}, [file]
    for each in left:  # which grows
        new = _direct().get(each, set()) - found.keys()
        found |= dict.fromkeys(new, found[each] + 1)
        left += sorted(new)
    return found
