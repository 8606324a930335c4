"""The cases by name: every module of this package that defines CASE."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import tunables.cases
from tunables.arguments import choice
from tunables.cases.case import Case


@cache
def cases() -> dict[str, Case]:
    """Return all cases by name, in the order of their chapters.

    >>> cases()["rrd"].chapter
    3
    """
    names = [module.name for module in iter_modules(tunables.cases.__path__)]
    modules = [import_module(f"tunables.cases.{name}") for name in names]
    found = [module.CASE for module in modules if hasattr(module, "CASE")]
    return {case.name: case for case in sorted(found, key=lambda case: (case.chapter, case.name))}


def find_case(name: str) -> Case:
    """Return the case of that name; raises ValueError for an unknown one."""
    return cases()[choice("case", name, list(cases()))]
