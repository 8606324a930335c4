"""All that a chapter's cases and card say in numbers and words, on record beside its tests.

python -m tests.chapters.said [CHAPTER]    writes said.json for it, or for all

A change of a number, a default, a range, a status or a remark fails `test_said.py` until it is
written down anew; what changed then shows in the diff.
"""

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from tunables.page.chapters import CHAPTERS, find_chapter, with_facet
from tunables.parts.allowed import Allowed
from tunables.parts.case import Case, Published
from tunables.parts.model import Model, Parameter
from tunables.parts.registry import cards, defined, find_allowed

FILE = "said.json"
DIGITS = 9  # that are written; compared is to within
TOLERANCE = 1e-6  # relative, since what is fitted may differ a little elsewhere
LINE = 240  # longer than code, for a parameter or a number in each
OF_RECORD = ("value", "unit", "resolution", "relation")  # the rest is in data/ alone


def path(slug: str) -> Path:
    """Return where a chapter's record stands."""
    return Path(__file__).parent / slug / FILE


def plain(value: Any) -> Any:
    """Return value as JSON has it; of a dataclass those fields that are not at their defaults."""
    if is_dataclass(value):
        held = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: plain(each) for field, each in held if _told(field, each)}
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, (str, bool, int, type(None))):
        return value
    return value.__module__ if callable(value) else float(f"{float(value):.{DIGITS}g}")


def _told(field, value) -> bool:
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return bool(default is MISSING or value != default)


def ends(parameter: Parameter) -> list:
    """Return the ends of a parameter's range, or its choices."""
    return list(parameter.choices) or [parameter.low, parameter.high]


def answered(model: Model, **changes) -> Any:
    """Return what a model predicts with some parameters changed, or its sentence of refusal."""
    try:
        return model.predict(**model.settings() | changes)
    except ValueError as error:
        return str(error)


def answers(model: Model) -> dict:
    """Return what a model says at its defaults, at each end of each range, and of no number."""
    settings = {"defaults": answered(model)}
    for parameter in model.parameters:
        for value in (*ends(parameter), None):
            settings[f"{parameter.name} = {plain(value)}"] = answered(
                model, **{parameter.name: value}
            )
    return settings


def _number(case: Case, number: Published) -> dict:
    """Return a published number as it is bound to the case, and what the case says of it."""
    record = {name: plain(getattr(number.record, name)) for name in OF_RECORD}
    model = {"model": plain(case.answer(number))} if number.output else {}
    return plain(number) | {"record": record} | model


def _allowed(allowed: Allowed) -> dict:
    """Return what published digits allow: which parameters, within which bounds, to what end."""
    free = {"means": allowed.means, "names": allowed.names, "bounds": allowed.bounds}
    return free | {"intervals": allowed.intervals}


def said(model: Model) -> dict:
    """Return all that a case, or the model of a card, says."""
    told = plain(model) | {"answers": plain(answers(model))}
    if isinstance(model, Case):
        allowed = find_allowed(model)
        told["numbers"] = {each.record.row_id: _number(model, each) for each in model.numbers}
        told["allowed"] = plain(_allowed(allowed) if allowed else {})
    return told


def of_chapter(slug: str) -> dict:
    """Return what the cases of a chapter say, and its card, by their names."""
    models: list[Model] = defined(slug, "case")
    if slug in with_facet("card"):
        models.append(cards()[slug].model)
    return {model.name: said(model) for model in models}


def laid_out(value: Any, indent: str = "") -> str:
    """Return JSON in which what fits in a line stands in one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= LINE or not isinstance(value, (dict, list)):
        return line
    inner = indent + " "
    if isinstance(value, dict):
        rows = [f"{laid_out(key)}: {laid_out(each, inner)}" for key, each in value.items()]
    else:
        rows = [laid_out(each, inner) for each in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([opening, ",\n".join(inner + row for row in rows), indent + closing])


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value within, with where it stands."""
    if isinstance(value, (dict, list)) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value, 1)
        for key, each in pairs:
            yield from leaves(each, f"{place}, {key}" if place else str(key))
    else:
        yield place, value


def _same(old: Any, new: Any) -> bool:
    numbers = all(isinstance(each, (int, float)) for each in (old, new))
    return math.isclose(old, new, rel_tol=TOLERANCE) if numbers else bool(old == new)


def changes(old: dict, new: dict) -> list[str]:
    """Return in words where two records differ."""
    was, now, nothing = dict(leaves(old)), dict(leaves(new)), "nothing"
    return [
        f"{place}: was {was.get(place, nothing)!r}, is {now.get(place, nothing)!r}"
        for place in was | now
        if not _same(was.get(place, nothing), now.get(place, nothing))
    ]


def main(*chapters: str) -> None:
    """Write the records of the chapters named, or of all."""
    for slug in [find_chapter(each).slug for each in chapters] or [each.slug for each in CHAPTERS]:
        path(slug).parent.mkdir(exist_ok=True)
        path(slug).write_text(laid_out(of_chapter(slug)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
