"""What an autograder archive holds: the questions, their tests and the hidden answers."""

import json
import sys
import zipfile
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import NamedTuple

from otter.test_files import test_case

from assignments import hidden_cases

BEYOND_OTTER = "class.json"  # what the grader here needs to know that otter's archive leaves out


class Archive(NamedTuple):
    """An assignment: its name, each question's marked tests, the questions marked by hand, and
    the code cells that were handed out."""

    name: str
    tests: dict[str, list[test_case]]
    by_hand: list[str]
    handed_out: list[str]

    @property
    def possible(self) -> float:
        """The points that a program gives."""
        return sum(test.points for tests in self.tests.values() for test in tests)


def _hidden_module(cases: dict) -> ModuleType:
    """Return the module that the hidden tests import, with these cases."""
    module = ModuleType("hidden_cases")
    module.check = lambda name, function: hidden_cases.compare(cases[name], function)  # type: ignore
    return module


def read_archive(path: Path) -> Archive:
    """Return what `build.py` made. Raises ValueError for another file."""
    try:
        with zipfile.ZipFile(path) as file:
            texts = {name: file.read(name).decode() for name in file.namelist()}
        config = json.loads(texts["otter_config.json"])
        sys.modules["hidden_cases"] = _hidden_module(json.loads(texts["files/hidden_cases.json"]))
    except (OSError, zipfile.BadZipFile, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"ARCHIVE = {str(path)!r}: must be a zip of autograder/") from error
    tests: dict[str, list[test_case]] = {}
    for name in sorted(texts):
        if PurePosixPath(name).match("tests/*.py"):
            scope: dict = {}
            exec(texts[name], scope)
            found = [value for value in scope.values() if isinstance(value, test_case)]
            tests[scope["name"]] = [test for test in found if test.points]
    beyond = json.loads(texts.get(BEYOND_OTTER, "{}"))
    return Archive(
        config["assignment_name"], tests, beyond.get("by_hand", []), beyond.get("handed_out", [])
    )
