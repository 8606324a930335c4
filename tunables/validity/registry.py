"""The validity maps by the name of their case: every module of this package that defines MAP."""

from functools import cache

import tunables.validity
from tunables.arguments import choice
from tunables.discovery import defined
from tunables.validity.map import ValidityMap


@cache
def maps() -> dict[str, ValidityMap]:
    """Return all maps by the name of their case, in the order of the chapters.

    >>> list(maps())
    ['rdu', 'storm', 'rrd', 'dpp', 'wlcg', 'quagga']
    """
    found: list[ValidityMap] = defined(tunables.validity, "MAP")
    return {each.case.name: each for each in sorted(found, key=lambda each: each.case.chapter)}


def find_map(name: str) -> ValidityMap:
    """Return the map of the case of that name; raises ValueError for an unknown one."""
    return maps()[choice("map", name, list(maps()))]
