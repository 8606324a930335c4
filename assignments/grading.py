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
            (lambda *given: self._called(name, given)) if "function" in answer else _value(answer)
        )

    def _called(self, name: str, given) -> Any:
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


def _marked(archive: Archive, sandbox: Sandbox) -> tuple[dict[str, float], list[str]]:
    """Return the points by question, and what was stopped."""
    student, points, troubles = _Student(sandbox), dict.fromkeys(archive.tests, 0.0), []
    for question, tests in archive.tests.items():
        try:
            points[question] = _points(tests, student)
        except Ended as why:
            troubles.append(f"{question}: {why}")
            break
        if student.stopped:
            troubles += [f"{question}: {name} {why}" for name, why in student.stopped.items()]
            student.stopped = {}
    return points, troubles


def grade(archive: Archive, cells: list[str], limits: Limits) -> tuple[dict[str, float], str]:
    """Return the points by question, and in words what was stopped or left out."""
    end = time.monotonic() + limits.timeout_s
    left_out: dict[int, str] = {}
    points: dict[str, float] = dict.fromkeys(archive.tests, 0.0)
    troubles = [f"not done after {limits.timeout_s:g} s"]
    while (rest := end - time.monotonic()) > 0:
        with Sandbox(limits.cpu_s, rest) as sandbox:
            if _run(sandbox, cells, left_out):
                points, troubles = _marked(archive, sandbox)
                break
    skipped = [f"code cell {number + 1} left out: {why}" for number, why in left_out.items()]
    return points, "; ".join(skipped + troubles)
