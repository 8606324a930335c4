"""The cases by name: every module of this package that defines CASE."""

from functools import cache

import tunables.cases
from tunables.arguments import choice
from tunables.cases.case import Case
from tunables.discovery import defined


@cache
def cases() -> dict[str, Case]:
    """Return all cases by name, in the order of their chapters.

    >>> cases()["rrd"].chapter
    3
    """
    found: list[Case] = defined(tunables.cases, "CASE")
    return {case.name: case for case in sorted(found, key=lambda case: (case.chapter, case.name))}


def find_case(name: str) -> Case:
    """Return the case of that name; raises ValueError for an unknown one."""
    return cases()[choice("case", name, list(cases()))]
