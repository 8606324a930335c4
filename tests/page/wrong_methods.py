"""What a hurried student would do: wrong ways to the answer of each kind of problem.

WRONG[chapter][kind]: functions from a problem's numbers to a wrong answer, in its unit.
BLIND[chapter][kind]: functions that know one case of several, and are right where it is that one.
"""

from importlib import import_module

from tunables.page.chapters import with_facet


def wrong_methods(slug):
    return import_module(f"tests.chapters.{slug}.wrong_methods")


WRONG = {slug: wrong_methods(slug).WRONG for slug in with_facet("problems")}
BLIND = {slug: wrong_methods(slug).BLIND for slug in with_facet("problems")}
