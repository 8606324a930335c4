"""Finds what the chapters define: cases, cards, diagrams, maps, animations, fits and more.

A facet is a function: a chapter's case is what `case()` or `..._case()` returns, in whatever module
of its folder. Only the module that defines the facet is imported, and no other chapter. A diagram
is no function but a file, `diagram.svg`.
"""

import os
import re
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import tunables.chapters
from tunables.base.arguments import choice, in_short, text
from tunables.base.arguments import path as file_path
from tunables.base.refusals import briefly, refusal
from tunables.base.user_data.columns import shorten
from tunables.core.allowed import Allowed, Hypothesis
from tunables.core.animation import Animation
from tunables.core.card import Card
from tunables.core.case import Case
from tunables.core.diagram import Diagram, parse_diagram
from tunables.core.exam import Homework, Question
from tunables.core.fit import Fit, FitRequest
from tunables.core.validity import ValidityMap
from tunables.page.chapters import CHAPTERS, find_chapter, module


@cache
def _functions(slug: str) -> list[tuple[str, str]]:
    """Return (module, function) of every public function in a chapter's folder, in order."""
    return [
        (path.stem, name)
        for path in sorted(Path(tunables.chapters.__path__[0], slug).glob("*.py"))
        for name in re.findall(r"^def ([a-z]\w*)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def _homes(slug: str, facet: str) -> list[tuple[str, str]]:
    return [each for each in _functions(slug) if f"_{each[1]}".endswith(f"_{facet}")]


def call_facets(slug: str, facet: str) -> list[Any]:
    """Return what every function of a chapter called facet, or ..._facet, returns.

    >>> [case.name for case in call_facets("cache_cliff", "case")]
    ['rrd']
    """
    return [getattr(module(slug, home), name)() for home, name in _homes(slug, facet)]


def chapters_with(facet: str) -> list[str]:
    """Return the slugs of the chapters that define a facet, in order."""
    return [chapter.slug for chapter in CHAPTERS if _homes(chapter.slug, facet)]


def _only(chapter: str | int, facet: str) -> Any:
    """Return a chapter's facet; raises ValueError for a chapter without one."""
    slug = find_chapter(chapter).slug
    found = call_facets(slug, facet)
    if not found:
        choice(f"chapter with {facet}", slug, chapters_with(facet))
    return found[0]


def case_names() -> list[str]:
    """Return the names of all cases, in the order of the chapters; no case is imported.

    >>> case_names()[3]
    'rrd'
    """
    return [name for chapter in CHAPTERS for name in chapter.cases]


def cases() -> dict[str, Case]:
    """Return all cases by name, in the order of the chapters.

    >>> list(cases()) == case_names()
    True
    """
    return {name: find_case(name) for name in case_names()}


def find_case(name: str) -> Case:
    """Return the case of that name.

    Raises ValueError for an unknown name, and says which names there are.

    >>> find_case("rrd").chapter
    'cache_cliff'
    """
    slug = find_chapter(choice("case", name, case_names())).slug
    return next(case for case in call_facets(slug, "case") if case.name == name)


def cards() -> dict[str, Card]:
    """Return the cards by their chapters' slugs, in order."""
    return {slug: find_card(slug) for slug in chapters_with("card")}


def find_card(chapter: str | int) -> Card:
    """Return the card of a chapter; raises ValueError for a chapter that has none.

    >>> [parameter.name for parameter in find_card(3).model.parameters][:2]
    ['graphs', 'memory_gib']
    """
    found: Card = _only(chapter, "card")
    return found


def diagram_path(chapter: str | int) -> Path:
    """Return where a chapter's diagram is, if it has one."""
    return Path(tunables.chapters.__path__[0], find_chapter(chapter).slug, "diagram.svg")


def chapters_with_diagram() -> list[str]:
    """Return the slugs of the chapters that have a diagram, in order."""
    return [chapter.slug for chapter in CHAPTERS if diagram_path(chapter.slug).is_file()]


def find_diagram(chapter: str | int) -> Diagram:
    """Return the diagram of a chapter's system.

    Raises ValueError for a chapter without one, and for a file that `parse_diagram` refuses.

    >>> find_diagram("cache_cliff") == find_diagram(3)
    True
    """
    slug = choice("chapter with a diagram", find_chapter(chapter).slug, chapters_with_diagram())
    path = diagram_path(slug)
    try:
        return parse_diagram(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise refusal(f"{slug}/{path.name}: {error}") from error


def maps() -> dict[str, ValidityMap]:
    """Return the validity maps by the names of their cases, in the order of the chapters."""
    found = [_only(slug, "validity") for slug in chapters_with("validity")]
    return {each.case.name: each for each in found}


def find_map(name: str) -> ValidityMap:
    """Return the map of the case of that name; raises ValueError for a case that has none.

    >>> find_map("rrd").case.name
    'rrd'
    """
    found: ValidityMap = _only(choice("case", name, case_names()), "validity")
    choice("case with a map", name, [found.case.name])
    return found


def animations(chapter: str | int) -> list[Animation]:
    """Return a chapter's animations, ordered by module; raises ValueError if it has none.

    >>> [animation.name for animation in animations(3)]
    ['rrd', 'rrd-full-size']
    """
    slug = find_chapter(chapter).slug
    choice("chapter with an animation", slug, chapters_with("animation"))
    return call_facets(slug, "animation")


def find_animation(name: str) -> Animation:
    """Return an animation by its name, "CASE" or "CASE-PART"; raises ValueError if unknown.

    >>> find_animation("rrd").renderer
    'scan'
    """
    found = {
        animation.name: animation for animation in animations(text("animation", name).split("-")[0])
    }
    return found[choice("animation", name, list(found))]


def allowed() -> dict[str, Allowed]:
    """Return what published digits allow, by the names of the cases, in their order."""
    found = [each for slug in chapters_with("allowed") for each in call_facets(slug, "allowed")]
    return {each.case: each for each in found}


def find_allowed(case: Case) -> Allowed | None:
    """Return what published digits allow of a case, if its chapter says so; others stay unloaded.

    >>> find_allowed(find_case("storm")) is None
    True
    """
    found = call_facets(case.chapter, "allowed")
    return next((each for each in found if each.case == case.name), None)


def hypotheses() -> dict[str, tuple[Hypothesis, ...]]:
    """Return the rival hypotheses of the cases that have some, by their names, in their order."""
    slugs = chapters_with("hypotheses")
    return {_only(slug, "allowed").case: _only(slug, "hypotheses") for slug in slugs}


def find_homework(chapter: str | int) -> Homework:
    """Return the questions of a chapter's homework; raises ValueError for one without homework.

    >>> list(find_homework(6))[:3]
    ['run', 'first rule', 'second rule']
    """
    found: Homework = _only(chapter, "homework")
    return found


def find_exam(chapter: str | int) -> dict[str, Question]:
    """Return a chapter's kinds of exam question; raises ValueError for a chapter without them.

    >>> list(find_exam(6))
    ['run', 'first rule', 'second rule', 'one long turn', 'hold timer']
    """
    found: dict[str, Question] = _only(chapter, "exam")
    return found


def fits() -> dict[str, FitRequest]:
    """Return what the chapters' fits want, by slug, in order."""
    return {slug: find_fit(slug) for slug in chapters_with("fit_request")}


def find_fit(chapter: str | int) -> FitRequest:
    """Return a chapter's fit and what it wants; raises ValueError for a chapter without one.

    >>> find_fit(2).columns
    'latency_s (or _ms, _us), timeout_s (or _ms, _us), retries'
    """
    found: FitRequest = _only(chapter, "fit_request")
    return found


def fit_source(chapter: str | int, source: str | bytes | Path, column: str | None = None) -> Fit:
    r"""Fit a chapter's model to a reader's numbers: a text of lines, bytes, or a path.

    column: the column of a trace's keys, by its heading or its number from 0.
    Raises ValueError for a chapter without a fit, for a column where the fit reads several,
    and with a sentence that says what to do for anything that the chapter's fit cannot read.

    >>> rows = [f"{rtt_ms},{min(400, 32_000 / rtt_ms):.0f}" for rtt_ms in range(20, 200, 20)]
    >>> fit_source(5, "\n".join(["rtt_ms,throughput_mbps", *rows]))
    This model fits: its mean error on the 3 of 9 rows held out is 0.1%, the baseline's 4.1%.
      S = 4e+08 bit/s (fitted)
      W = 4.006e+06 bytes (fitted)
    """
    wanted = find_fit(chapter)
    if column is not None and "column" not in signature(wanted.fit).parameters:
        raise refusal(
            f"column = {shorten(in_short(column))}: must be left out, because this fit finds "
            f"its columns by their headings: {wanted.columns}"
        )
    try:
        return wanted.fit(source) if column is None else wanted.fit(source, column)
    except ValueError as error:  # the user's numbers are what it refuses
        briefly(error)
        raise


def fit_path(chapter: str | int, path: str | Path, column: str | None = None) -> Fit:
    """Fit a chapter's model to the file at a path.

    column: the column of a trace's keys, by its heading or its number from 0.
    Errors as in `fit_source`, and ValueError where there is no such file.

    >>> fit_path(5, "none.csv")
    Traceback (most recent call last):
    ValueError: none.csv: there is no such file
    """
    path = file_path("path", path)
    if not os.path.lexists(path):
        raise refusal(f"{shorten(path)}: there is no such file")
    return fit_source(chapter, Path(path), column)
