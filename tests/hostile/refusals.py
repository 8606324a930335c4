"""What each public function says when an argument is wrong, on record: the name and the range.

python -m tests.hostile.refusals    writes refusals.csv
"""

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.hostile.calls import Call, calls

FILE = Path(__file__).with_name("refusals.csv")
COLUMNS = ("function", "argument", "sentence")
GROUPS = ("theory", "simulators")  # a predictor's stand with its chapter
NO_NUMBER = "no number"
WRONG = (NO_NUMBER, -1.0, 0.0, 0.5, 1e29)
Refusal = tuple[str, str, str]
SHOWN = re.compile(r" = .*?: must be")


def changed(value: Any) -> Iterator[Any]:
    """Yield wrong things for value, and a container with a wrong thing in it."""
    yield from WRONG
    if isinstance(value, dict):
        yield from (value | {key: NO_NUMBER} for key in value)
    elif isinstance(value, (list, tuple)):
        yield []
        yield from ([*value[:-1], wrong] for wrong in WRONG)


def sentence(call: Call, argument: str, wrong: Any) -> str:
    """Return how a call with one wrong argument is refused, or "" if it is not."""
    try:
        call.function(**call.arguments | {argument: wrong})
    except ValueError as error:
        return SHOWN.sub(" = ...: must be", str(error), count=1)
    return ""


def refusals(function: str) -> list[Refusal]:
    """Return all ways in which a public function refuses an argument, each once, in order."""
    found = {
        (function, argument, said): None
        for call in by_function()[function]
        for argument, value in call.arguments.items()
        if not callable(value)
        for wrong in changed(value)
        if (said := sentence(call, argument, wrong))
    }
    return list(found)


@cache
def by_function() -> dict[str, list[Call]]:
    """Return the usual calls of each public function, by its name."""
    found: dict[str, list[Call]] = {}
    for group in GROUPS:
        for call in calls(group):
            found.setdefault(call.name, []).append(call)
    return found


@cache
def on_record() -> list[Refusal]:
    """Return what was written down."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [(row[0], row[1], row[2]) for row in csv.reader(file)][1:]


def main() -> None:
    """Write down how all are refused now."""
    rows = [row for function in by_function() for row in refusals(function)]
    with FILE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
