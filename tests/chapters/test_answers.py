"""Each model's answers at its defaults and at the ends of every range, against a snapshot.

A change shows in the diff of `__snapshots__/test_answers` after `make renew`; without it the
test fails. Five significant digits, since fitted values may differ a little between machines.
"""

from typing import Any

import pytest
from syrupy.extensions.single_file import SingleFileAmberSnapshotExtension

from tunables.core.model import Model, Parameter
from tunables.core.registry import call_facets, cards, chapters_with
from tunables.page.chapters import CHAPTERS

DIGITS = 5


def models(slug: str) -> list[Model]:
    """Return the models of a chapter: its cases, and its card's."""
    found: list[Model] = call_facets(slug, "case")
    return found + ([cards()[slug].model] if slug in chapters_with("card") else [])


def ends(parameter: Parameter) -> list:
    """Return the ends of a parameter's range, or its choices."""
    return list(parameter.choices) or [parameter.low, parameter.high]


def answer(model: Model, **changes) -> str:
    """Return in one line what a model predicts, or its sentence of refusal."""
    try:
        outputs = model.predict(**model.settings() | changes)
    except ValueError as error:
        return str(error)
    return ", ".join(f"{name} {text(value)}" for name, value in sorted(outputs.items()))


def text(value: Any) -> str:
    """Return a number with a few digits, and anything else as it is."""
    return f"{value:.{DIGITS}g}" if isinstance(value, (int, float)) else str(value)


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_answers(slug, snapshot):
    answers = {
        f"{model.name}: {parameter.name} = {text(value)}": answer(model, **{parameter.name: value})
        for model in models(slug)
        for parameter in model.parameters
        for value in ends(parameter)
    }
    defaults = {f"{model.name}: defaults": answer(model) for model in models(slug)}
    assert defaults | answers == snapshot(extension_class=SingleFileAmberSnapshotExtension)
