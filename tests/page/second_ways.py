"""A second way to the answer of each kind of problem: a simulation or another closed form.

PATHS[chapter][kind](given) returns the answer in the problem's unit, from its numbers alone.
"""

from importlib import import_module

from tunables.page.chapters import with_facet


def second_ways(slug):
    return import_module(f"tests.chapters.{slug}.second_ways")


PATHS = {slug: second_ways(slug).PATHS for slug in with_facet("problems")}


def relative_error(problem) -> float:
    """Return by which share the second way misses the problem's answer."""
    return abs(PATHS[problem.chapter][problem.kind](problem.given) / problem.answer - 1)
