"""What an autograder archive holds: the questions, their tests and the hidden answers."""

import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import NamedTuple

from assignments import hidden_cases

BEYOND_OTTER = "class.json"  # what the grader here needs to know that otter's archive leaves out


class MarkedTest:
    """A test of a question: what Otter's decorator `test_case` keeps of it that marks need.

    Otter's own takes four seconds to import, because pandas and nbconvert come with it.
    """

    test_func: Callable[..., None]

    def __init__(self, points: float | None = None, **_: object):
        self.points = points or 0

    def __call__(self, test_func: Callable[..., None]) -> "MarkedTest":
        """Keep the function that is decorated."""
        self.test_func = test_func
        return self


class OpenQuestion(NamedTuple):
    """A question that a person marks: its text, its points, a model answer and the rubric.

    rubric: (points, what they are for).
    """

    text: str
    points: float
    model_answer: str
    rubric: list[tuple[float, str]]


class Archive(NamedTuple):
    """An assignment: its name, each question's marked tests, the questions marked by hand, and
    the code cells that were handed out.

    headings: of each question, as in the notebook; open_questions: those marked by hand, by name.
    """

    name: str
    tests: dict[str, list[MarkedTest]]
    by_hand: list[str]
    handed_out: list[str]
    headings: dict[str, str] = {}  # noqa: RUF012
    open_questions: dict[str, OpenQuestion] = {}  # noqa: RUF012

    @property
    def possible(self) -> float:
        """The points that a program gives."""
        return sum(test.points for tests in self.tests.values() for test in tests)

    def open_headings(self) -> dict[str, str]:
        """Return the line above each question that a person marks, by the question's name."""
        return {
            name: f"## {name.removeprefix('q')}. {self.headings[name]}"
            for name in self.by_hand
            if name in self.headings
        }

    def worth(self) -> dict[str, float]:
        """Return the points of each question, in the order of their names.

        Raises ValueError for an archive that does not say what its open questions are worth.
        """
        unknown = [name for name in self.by_hand if name not in self.open_questions]
        if unknown:
            raise ValueError(
                f"ARCHIVE: does not say how many points {unknown[0]} is worth: make it again with "
                "`make assignments`"
            )
        by_program = {
            name: float(sum(test.points for test in tests)) for name, tests in self.tests.items()
        }
        by_person = {name: self.open_questions[name].points for name in self.by_hand}
        return dict(sorted((by_program | by_person).items()))


def _modules(cases: dict) -> dict[str, ModuleType]:
    """Return the modules that the test files import, with these hidden cases."""
    hidden, otter, test_files = map(ModuleType, ("hidden_cases", "otter", "otter.test_files"))
    hidden.check = lambda name, function: hidden_cases.compare(cases[name], function)  # type: ignore
    test_files.test_case = MarkedTest  # type: ignore[attr-defined]
    return {module.__name__: module for module in (hidden, otter, test_files)}


def _open_question(said: dict) -> OpenQuestion:
    return OpenQuestion(**said | {"rubric": [(points, words) for points, words in said["rubric"]]})


def read_archive(path: Path) -> Archive:
    """Return what `build.py` made. Raises ValueError for another file."""
    try:
        with zipfile.ZipFile(path) as file:
            texts = {name: file.read(name).decode() for name in file.namelist()}
        config = json.loads(texts["otter_config.json"])
        sys.modules |= _modules(json.loads(texts["files/hidden_cases.json"]))
    except (OSError, zipfile.BadZipFile, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"ARCHIVE = {str(path)!r}: must be a zip of autograder/") from error
    tests: dict[str, list[MarkedTest]] = {}
    for name in sorted(texts):
        if PurePosixPath(name).match("tests/*.py"):
            scope: dict = {}
            exec(texts[name], scope)
            found = [value for value in scope.values() if isinstance(value, MarkedTest)]
            tests[scope["name"]] = [test for test in found if test.points]
    beyond = json.loads(texts.get(BEYOND_OTTER, "{}"))
    return Archive(
        config["assignment_name"],
        tests,
        beyond.get("by_hand", []),
        beyond.get("handed_out", []),
        beyond.get("headings", {}),
        {name: _open_question(said) for name, said in beyond.get("open_questions", {}).items()},
    )
