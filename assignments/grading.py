"""Marks one notebook: its cells run once, then each test calls what they defined.

The tests run here, where the answers are; what they call runs in the student's process.
A cell that hangs or ends the program is left out and the others run again, so that one question
costs no other its marks.
"""

import re
import time
from inspect import signature
from typing import Any, NamedTuple

from assignments.archive import Archive, MarkedTest
from assignments.reasons import Called, CallFailed, Lost, NotDefined, reason
from assignments.sandbox import Ended, Sandbox

_UNREADABLE = "an answer that cannot be read"


class Limits(NamedTuple):
    """What a notebook may take: CPU seconds a step, seconds on the clock for all of it."""

    cpu_s: int = 10
    timeout_s: float = 120


class Graded(NamedTuple):
    """What a notebook got: points by question, what was stopped or left out, what it lost and why.

    lost: by question, a reason for each test that gave no points.
    """

    points: dict[str, float]
    trouble: str
    lost: dict[str, list[Lost]]


class _Student:
    """A student's names, as the tests see them: values, and functions that run elsewhere."""

    def __init__(self, sandbox: Sandbox):
        self._sandbox = sandbox
        self.stopped: dict[str, str] = {}  # function: why it was stopped
        self.last: Called | None = None

    def __call__(self, name: str):
        answer = self._sandbox.ask({"name": name})
        if "function" in answer:
            return lambda *given: self.call_function(name, given)
        if "value" not in answer:
            raise NotDefined(name, str(answer.get("error", _UNREADABLE)))
        return answer["value"]

    def call_function(self, name: str, given) -> Any:
        if name in self.stopped:  # it would be again, and take as long
            raise CallFailed(name, given, self.stopped[name], stopped=True)
        answer = self._sandbox.ask({"call": name, "arguments": given})
        if "stopped" in answer:
            self.stopped[name] = str(answer["error"])
        if "value" not in answer:
            why = str(answer.get("error", _UNREADABLE))
            raise CallFailed(name, given, why, stopped=name in self.stopped)
        self.last = Called(name, given, answer["value"])
        return answer["value"]


class _Cells:
    """The cells of a notebook: which are left out, which stop with an error, and why."""

    def __init__(self, cells: list[str]):
        self._cells = cells
        self.left_out: dict[int, str] = {}
        self.errors: dict[int, str] = {}

    def run(self, sandbox: Sandbox) -> bool:
        """Run all that are not left out; if one ends the process, leave it out, return False."""
        for number, source in enumerate(self._cells):
            if number in self.left_out:
                continue
            try:
                answer = sandbox.ask({"cell": source})
            except Ended as why:
                self.left_out[number] = str(why)
                return False
            if "error" in answer:
                self.errors[number] = str(answer["error"])
        return True

    def why_missing(self, name: str) -> str:
        """Return what is wrong with the cell that should define a name, if that is known."""
        for number, source in enumerate(self._cells):
            if not re.search(rf"\b{re.escape(name)}\b", source):
                continue
            if number in self.left_out:
                return f" Code cell {number + 1} was left out: {self.left_out[number]}."
            if number in self.errors:
                return f" Code cell {number + 1} stopped with {self.errors[number]}."
        return ""


def _lost(tests: list[MarkedTest], student: _Student, cells: _Cells) -> list[Lost]:
    """Return what a question loses. Raises Ended if the student's process is gone."""
    lost = []
    for test in tests:
        names = list(signature(test.test_func).parameters)
        student.last = None
        try:
            test.test_func(*map(student, names))
        except Ended:
            raise
        except NotDefined as error:
            why = reason(error, error.name) + cells.why_missing(error.name)
            lost.append(Lost(test.points, why))
        except Exception as error:
            lost.append(Lost(test.points, reason(error, names[0], student.last)))
    return lost


def _possible(tests: list[MarkedTest]) -> float:
    return float(sum(test.points for test in tests))


class _Marks:
    """What is known of a notebook: points by question, the questions done, what went wrong."""

    def __init__(self, archive: Archive, cells: _Cells):
        self._tests, self._cells = archive.tests, cells
        self.points = dict.fromkeys(archive.tests, 0.0)
        self.lost: dict[str, list[Lost]] = {
            question: [Lost(_possible(tests), "Time ran out before this question was marked.")]
            for question, tests in archive.tests.items()
        }
        self.left = list(archive.tests)
        self.troubles: list[str] = []

    def mark(self, sandbox: Sandbox) -> None:
        """Mark the questions that are left, until the student's process is gone.

        Only the first that a process is asked is lost then: of a later one nobody knows whether it
        or one before it did that, so it is asked again, in a process of its own.
        """
        first = self.left[0]
        for question in list(self.left):
            student = _Student(sandbox)
            try:
                lost = _lost(self._tests[question], student, self._cells)
            except Ended as why:
                if question == first:
                    self.troubles.append(f"{question}: {why}")
                    possible = _possible(self._tests[question])
                    self.lost[question] = [Lost(possible, f"The answer was stopped: {why}.")]
                    self.left.remove(question)
                return
            self.left.remove(question)
            self.lost[question] = lost
            taken = sum(one.points for one in lost)
            self.points[question] = _possible(self._tests[question]) - taken
            stopped = student.stopped.items()
            self.troubles += [f"{question}: {name} {why}" for name, why in stopped]


def grade(archive: Archive, cells: list[str], limits: Limits) -> Graded:
    """Return the points by question, what was stopped or left out, and what was lost and why.

    What ends the student's process costs the cell or the question that did it.
    """
    end = time.monotonic() + limits.timeout_s
    run_cells = _Cells(cells)
    marks = _Marks(archive, run_cells)
    while marks.left and (rest := end - time.monotonic()) > 0:
        with Sandbox(limits.cpu_s, rest) as sandbox:
            if run_cells.run(sandbox):
                marks.mark(sandbox)
    if marks.left or time.monotonic() > end:
        marks.troubles.append(f"not finished after {limits.timeout_s:g} s")
    left_out = run_cells.left_out.items()
    skipped = [f"code cell {number + 1} left out: {why}" for number, why in left_out]
    return Graded(marks.points, "; ".join(skipped + marks.troubles), marks.lost)
