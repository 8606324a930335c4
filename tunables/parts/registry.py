"""What the chapters define, found by itself: cases, cards, diagrams, maps, stages, fits, and more.

A chapter's modules called facet, or ..._facet, define one each; the one that is asked for is
imported, and no other chapter's.
"""

import os
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import tunables.chapters
from tunables.page.chapters import CHAPTERS, find_chapter, module, with_facet
from tunables.parts.allowed import Allowed
from tunables.parts.card import Card
from tunables.parts.case import Case
from tunables.parts.diagram import Diagram
from tunables.parts.fit import Fit, Wanted
from tunables.parts.stage import Stage
from tunables.parts.surviving import Hypothesis
from tunables.parts.validity import ValidityMap
from tunables.plain.arguments import choice, text
from tunables.plain.arguments import path as file_path
from tunables.plain.own.words import shown


def defined(slug: str, facet: str) -> list[Any]:
    """Return what facet() says in every module of a chapter called facet, or ..._facet.

    >>> [case.name for case in defined("cache_cliff", "case")]
    ['rrd']
    """
    package = import_module(f"{tunables.chapters.__name__}.{slug}")
    files = sorted(found.name for found in iter_modules(package.__path__))
    modules = [file for file in files if file == facet or file.endswith(f"_{facet}")]
    return [getattr(import_module(f"{package.__name__}.{file}"), facet)() for file in modules]


def case_names() -> list[str]:
    """Return the names of all cases, in the order of the chapters; no case is imported."""
    return [name for chapter in CHAPTERS for name in chapter.cases]


def cases() -> dict[str, Case]:
    """Return all cases by name, in the order of the chapters."""
    return {name: find_case(name) for name in case_names()}


def find_case(name: str) -> Case:
    """Return the case of that name; raises ValueError for an unknown one.

    >>> find_case("rrd").chapter
    'cache_cliff'
    """
    slug = find_chapter(choice("case", name, case_names())).slug
    return next(case for case in defined(slug, "case") if case.name == name)


def cards() -> dict[str, Card]:
    """Return the cards by their chapters' slugs, in order."""
    return {slug: find_card(slug) for slug in with_facet("card")}


def find_card(chapter: str | int) -> Card:
    """Return the card of a chapter; raises ValueError for a chapter that has none."""
    return module(chapter, "card").card()


def find_diagram(chapter: str | int) -> Diagram:
    """Return the diagram of a chapter's system; raises ValueError for a chapter without one."""
    found: Diagram = module(chapter, "diagram").diagram()
    return found


def maps() -> dict[str, ValidityMap]:
    """Return the validity maps by the names of their cases, in the order of the chapters."""
    found = [module(slug, "validity").validity() for slug in with_facet("validity")]
    return {each.case.name: each for each in found}


def find_map(name: str) -> ValidityMap:
    """Return the map of the case of that name; raises ValueError for a case that has none."""
    found: ValidityMap = module(choice("case", name, case_names()), "validity").validity()
    choice("case with a map", name, [found.case.name])
    return found


def stages(chapter: str | int) -> list[Stage]:
    """Return a chapter's stages, by their modules; raises ValueError if there is none."""
    module(chapter, "stage")
    return defined(find_chapter(chapter).slug, "stage")


def find_stage(name: str) -> Stage:
    """Return a stage by its name: that of a case, or "case-scene"; raises ValueError if unknown.

    >>> find_stage("rrd").machine
    'scan'
    """
    found = {stage.name: stage for stage in stages(text("stage", name).split("-")[0])}
    return found[choice("stage", name, list(found))]


def allowed() -> dict[str, Allowed]:
    """Return what published digits allow, by the names of the cases, in their order."""
    found = [module(slug, "allowed").allowed() for slug in with_facet("allowed")]
    return {each.case: each for each in found}


def find_allowed(case: Case) -> Allowed | None:
    """Return what published digits allow of a case, if its chapter says so; others stay unloaded.

    >>> find_allowed(find_case("storm")) is None
    True
    """
    if case.chapter not in with_facet("allowed"):
        return None
    told = module(case.chapter, "allowed").allowed()
    return told if told.case == case.name else None


def hypotheses() -> dict[str, tuple[Hypothesis, ...]]:
    """Return the rival hypotheses of the cases that have some, by their names, in their order."""
    modules = [module(slug, "allowed") for slug in with_facet("allowed")]
    held = [each for each in modules if hasattr(each, "hypotheses")]
    return {each.allowed().case: each.hypotheses() for each in held}


def fits() -> dict[str, Wanted]:
    """Return what the chapters' fits want, by slug, in order."""
    return {slug: find_fit(slug) for slug in with_facet("own")}


def find_fit(chapter: str | int) -> Wanted:
    """Return a chapter's fit and what it wants; raises ValueError for a chapter without one."""
    return module(chapter, "own").WANTED


def fit_source(chapter: str | int, source, column: str | None = None) -> Fit:
    """Fit a chapter's model to a reader's numbers: a text of lines, bytes, or a path.

    column: where the keys of a trace stand, by its heading or its number from 0.
    Raises ValueError for a chapter without a fit, for a column where the fit reads several,
    and with a sentence that says what to do for anything that the chapter's fit cannot read.
    """
    wanted = find_fit(chapter)
    if column is None:
        return wanted.fit(source)
    if "column" not in signature(wanted.fit).parameters:
        raise ValueError(
            f"column = {shown(repr(column))}: must be left out; this fit finds its columns by "
            f"their headings, {wanted.columns}"
        )
    return wanted.fit(source, column)


def fit_path(chapter: str | int, path, column: str | None = None) -> Fit:
    """Fit a chapter's model to the file at a path; errors as in `fit_source`."""
    path = file_path("path", path)
    if not os.path.lexists(path):
        raise ValueError(f"{shown(path)}: there is no such file")
    return fit_source(chapter, Path(path), column)
