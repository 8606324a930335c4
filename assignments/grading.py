"""Marks one notebook: its cells run once, then each test calls what they defined.

The tests run here, where the answers are; what they call runs in the student's process.
A cell that hangs or ends the program is left out and the others run again, so that one question
costs no other its marks.
"""

import time
from inspect import signature
from typing import Any, NamedTuple

from otter.test_files import test_case

from assignments.archive import Archive
from assignments.sandbox import Ended, Sandbox


class Limits(NamedTuple):
    """What a notebook may take: CPU seconds a step, seconds on the clock for all of it."""

    cpu_s: int = 10
    timeout_s: float = 120


class _Student:
    """A student's names, as the tests see them: values, and functions that run elsewhere."""

    def __init__(self, sandbox: Sandbox):
        self._sandbox = sandbox
        self.stopped: dict[str, str] = {}  # function: why it was stopped

    def __call__(self, name: str):
        answer = self._sandbox.ask({"name": name})
        return (
            (lambda *given: self.call_function(name, given))
            if "function" in answer
            else _value(answer)
        )

    def call_function(self, name: str, given) -> Any:
        if name in self.stopped:  # it would be again, and take as long
            raise RuntimeError(self.stopped[name])
        answer = self._sandbox.ask({"call": name, "arguments": given})
        if "stopped" in answer:
            self.stopped[name] = str(answer["error"])
        return _value(answer)


def _value(answer: dict) -> Any:
    if "value" not in answer:
        raise RuntimeError(answer.get("error", "an answer that cannot be read"))
    return answer["value"]


def _run(sandbox: Sandbox, cells: list[str], left_out: dict[int, str]) -> bool:
    """Run all cells but those left out; if one ends the process, leave it out and return False."""
    for number, source in enumerate(cells):
        if number in left_out:
            continue
        try:
            sandbox.ask({"cell": source})
        except Ended as why:
            left_out[number] = str(why)
            return False
    return True


def _points(tests: list[test_case], student: _Student) -> float:
    """Return the points of a question. Raises Ended if the student's process is gone."""
    points = 0.0
    for test in tests:
        try:
            test.test_func(*[student(name) for name in signature(test.test_func).parameters])
        except Ended:
            raise
        except Exception:
            continue
        points += test.points or 0
    return points


class _Marks:
    """What is known of a notebook: points by question, the questions done, what went wrong."""

    def __init__(self, archive: Archive):
        self._tests = archive.tests
        self.points = dict.fromkeys(archive.tests, 0.0)
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
                self.points[question] = _points(self._tests[question], student)
            except Ended as why:
                if question == first:
                    self.troubles.append(f"{question}: {why}")
                    self.left.remove(question)
                return
            self.left.remove(question)
            stopped = student.stopped.items()
            self.troubles += [f"{question}: {name} {why}" for name, why in stopped]


def grade(archive: Archive, cells: list[str], limits: Limits) -> tuple[dict[str, float], str]:
    """Return the points by question, and in words what was stopped or left out.

    What ends the student's process costs the cell or the question that did it.
    """
    end = time.monotonic() + limits.timeout_s
    left_out: dict[int, str] = {}
    marks = _Marks(archive)
    while marks.left and (rest := end - time.monotonic()) > 0:
        with Sandbox(limits.cpu_s, rest) as sandbox:
            if _run(sandbox, cells, left_out):
                marks.mark(sandbox)
    if marks.left or time.monotonic() > end:
        marks.troubles.append(f"not done after {limits.timeout_s:g} s")
    skipped = [f"code cell {number + 1} left out: {why}" for number, why in left_out.items()]
    return marks.points, "; ".join(skipped + marks.troubles)
