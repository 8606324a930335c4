"""A student's notebook as the grader needs it: its code cells, and what a person should look at.

It is read in a copy of this process with bounds on memory and time: whatever a file holds, it
costs nobody but the student who handed it in.
"""

import json
import os
import re
import resource
import select
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from assignments.look_at import mentions, shape

MOST_SOURCE = 2**20  # characters of code; an assignment has some thousands
_MEMORY_BYTES = 2**30  # beyond what this process has
_CPU_S, _CLOCK_S = 20, 60
_LONGEST = 64 * MOST_SOURCE
_LONGEST_ANSWER = 20_000  # characters of an open answer, which should have ten lines
_UNTOUCHED = "_Type your answer here, replacing this text._"  # otter's words
_ENDS = re.compile(r"^(?:<!-- END QUESTION -->|## \d+\. )", re.MULTILINE)


class Notebook(NamedTuple):
    """Code cells; their functions' shape; what they mention that no answer needs.

    answers: what is written below the open questions, by their names.
    """

    cells: list[str]
    shape: str
    hints: list[str]
    answers: dict[str, str]


def code_cells(content: bytes, assignment: str) -> list[str]:
    """Return the code cells of a notebook of that assignment. Raises ValueError for others."""
    try:
        notebook = json.loads(content)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        sources = ["".join(cell["source"]) for cell in cells]
        named = notebook.get("metadata", {}).get("otter", {}).get("assignment_name", assignment)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("not a notebook, or cut off") from None
    if named != assignment:
        raise ValueError(f"this is the notebook of {str(named)[:100]}")
    if sum(map(len, sources)) > MOST_SOURCE:
        raise ValueError(f"more than {MOST_SOURCE} characters of code")
    return sources


def open_answer(cells: list[dict], heading: str) -> str:
    """Return what is written below the heading of an open question; "" if the heading is not there.

    The answer goes on to the next question, or to the end of this one.
    """
    found: list[str] = []
    inside = False
    for cell in cells:
        source = "".join(cell.get("source", ""))
        if inside and _ENDS.search(source):
            break
        if inside and (written := source.replace(_UNTOUCHED, "").strip()):
            found.append(written)
        inside = inside or heading in source.splitlines()
    return "\n\n".join(found)[:_LONGEST_ANSWER]


def _answers(content: bytes, headings: Mapping[str, str]) -> dict[str, str]:
    with suppress(ValueError, KeyError, TypeError, AttributeError):
        cells = json.loads(content)["cells"]
        return {name: open_answer(cells, heading) for name, heading in headings.items()}
    return {}


def _read(content: bytes, assignment: str, headings: Mapping[str, str]) -> dict:
    try:
        cells = code_cells(content, assignment)
    except ValueError as error:
        return {"refused": str(error)}
    return {
        "cells": cells,
        "shape": shape(cells),
        "hints": mentions(cells),
        "answers": _answers(content, headings),
    }


def _bound_memory() -> None:
    with suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + _MEMORY_BYTES,) * 2)


def _answer_from(content: bytes, assignment: str, headings: Mapping[str, str], pipe: int) -> None:
    """In the copy: write what was read, as JSON."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S + 1))
    _bound_memory()
    with open(pipe, "wb") as stream:
        stream.write(json.dumps(_read(content, assignment, headings)).encode())


def _until_end(pipe: int) -> bytes:
    """Return all that comes before the end, or before the time is up."""
    held, end = bytearray(), time.monotonic() + _CLOCK_S
    while len(held) < _LONGEST and (left := end - time.monotonic()) > 0:
        if not select.select([pipe], [], [], left)[0]:
            break
        piece = os.read(pipe, 2**16)
        if not piece:
            break
        held += piece
    return bytes(held)


def read_notebook(content: bytes, assignment: str, headings: Mapping[str, str] = {}) -> Notebook:
    """Return the notebook of that assignment in a file. Raises ValueError for others.

    headings: the line above each open question, by the question's name.
    """
    reading, writing = os.pipe()
    copy = os.fork()
    if not copy:
        try:
            _answer_from(content, assignment, headings, writing)
        finally:
            os._exit(0)
    os.close(writing)
    try:
        found = json.loads(_until_end(reading))
    except ValueError:
        raise ValueError("takes too much time or memory to read") from None
    finally:
        os.close(reading)
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
    if "refused" in found:
        raise ValueError(found["refused"])
    return Notebook(found["cells"], found["shape"], found["hints"], found["answers"])
