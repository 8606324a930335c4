"""`guess(case, row, question)`: the user commits to a number before the book shows the answer."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from types import MappingProxyType

from tunables.base.arguments import text
from tunables.base.refusals import refusal
from tunables.base.units import UNITS, unit_factor, unit_text
from tunables.core.ledger import LedgerRow, entry
from tunables.core.registry import find_case
from tunables.page.formats import (
    error_text,
    interval_text,
    model_text,
    published_text,
    with_commas,
)
from tunables.page.guess import GuessSession, result_html
from tunables.views.charts import script_json
from tunables.views.live import Live

SIGNS = {"us": "µs"}
# The space between a number and its unit, or before it and after its sign, where no line may end.
_WITHIN = re.compile(rf"(?<=\d) (?=(?:{'|'.join(map(re.escape, UNITS))})(?!\w))|(?<=[≈≤≥]) (?=\d)")
STATIC_TEXT = "Write your guess down, then open the answer."
SKIP = "Skip: show the answer"
STANDING = {
    "calibrated": "We fitted the model to this number, so a match proves nothing.",
    "predicted": "The model never used this number, so this is a prediction.",
    "consistent": "We fitted nothing to this number, but we saw it before we chose the model.",
    "bound": "The model does not predict this number. It only says that the number is {} {}.",
    "identity": "This number follows from other published numbers, whatever the model.",
    "unexplained": "No model here explains this number.",
}
NO_MISTAKES: Mapping[float, str] = MappingProxyType({})
MISFIT = "We fitted the model to this number together with others, and it still misses this one."


def _in_unit(known: LedgerRow, unit: str) -> tuple[LedgerRow, float]:
    """Return an entry with its values in another unit, and the factor from its unit to that one.

    Raises ValueError for a unit that measures something else.
    """
    try:
        factor = unit_factor(known.unit, unit or known.unit)
    except ValueError:
        raise refusal(f"unit = {unit!r}: must measure the same quantity as {known.unit}") from None

    def scale(value):
        return None if value is None else value * factor

    simulated = known.simulated
    return (
        replace(
            known,
            unit=unit or known.unit,
            digits=max(0, known.digits - round(math.log10(factor))),
            predicted=scale(known.predicted),
            simulated=simulated and (simulated[0] * factor, simulated[1] * factor),
        ),
        factor,
    )


def _standing(known: LedgerRow) -> str:
    """Return in a sentence what it proves that the model gives the number, or does not."""
    number = known.number
    if number.status == "calibrated" and known.agrees is False:
        return MISFIT
    if number.status == "bound":
        value = with_commas(known.predicted, known.digits) + unit_text(known.unit)
        return STANDING["bound"].format(number.side, value)
    return STANDING[number.status]


def _rows(known: LedgerRow, published: float) -> list[dict]:
    """Return the published number, the closed form's and the simulation's, as they are shown."""
    number, relation = known.number, known.number.record.relation
    error = error_text(number.status, number.relation, known.agrees, known.error)
    simulated = known.simulated
    rows: list[dict] = [
        {
            "name": "Published",
            "value": published,
            "text": published_text(published, relation),
        },
        {
            "name": "Closed form",
            "value": known.predicted,
            "text": model_text(known.predicted, known.digits, number.side),
            "error_text": error,
        },
        {
            "name": "Simulated",
            "value": simulated and simulated[0],
            "text": interval_text(simulated, known.digits) if simulated else "–",
        },
    ]
    return [{"error_text": "–"} | row for row in rows]


def _held_together(sentence: str) -> str:
    """Return a sentence in which each number is on one line with its sign and its unit."""
    return _WITHIN.sub("\u00a0", sentence)


def _usual_mistakes(wrong: Mapping[float, str], value: float) -> list[list]:
    """Return the usual wrong guesses, each with its sentence; raises ValueError for a right one."""
    for number, sentence in wrong.items():
        if not number > 0 or not text("wrong", sentence).strip():
            raise refusal(f"wrong = {wrong!r}: must map numbers above 0 to sentences")
        if math.isclose(number, value, rel_tol=0.1):
            raise refusal(f"wrong = {wrong!r}: {number} is too close to the answer, {value}")
    return [[number, _held_together(sentence)] for number, sentence in wrong.items()]


def guess_html(description: dict) -> str:
    """Return the question as markup, static until the page's script makes the field."""
    name = description["name"].replace(".", "-")
    question = escape(_held_together(description["question"]))
    return (
        f'<section class="tunables-guess" id="guess-{name}" aria-label="Predict: {question}">'
        f'<script type="application/json" class="guess-description">{script_json(description)}'
        "</script>"
        f'<p class="guess-question"><strong>Predict first.</strong> {question}</p>'
        f'<div class="guess-form"></div><p class="guess-message" role="status">{STATIC_TEXT}</p>'
        '<div class="guess-result" role="status"></div>'
        f'<details class="guess-answer"><summary>{SKIP}</summary>{result_html(description)}'
        "</details></section>"
    )


class Guess(Live):
    """The question, which its reader answers before it shows what is known.

    description: the question with its answer, as JSON can hold it.
    """

    def __init__(self, description: dict):
        self.description = description
        plain = f"Guess({description['name']!r})"
        super().__init__(guess_html(description), plain, GuessSession(json.dumps(description)))


def guess(
    case_name: str,
    row_id: str,
    question: str,
    unit: str = "",
    because: str = "",
    wrong: Mapping[float, str] = NO_MISTAKES,
) -> Guess:
    """Return the question whose answer is a published number of a case, with the models'.

    unit: the one that the question asks for, if it is not the document's; all is shown in it.
    because: why the natural guess is off, shown first in the answer. wrong: usual wrong guesses in
    that unit, each with its own sentence, {6: "If you said 6 s, you subtracted the delay once."}.
    Raises ValueError for an unknown case or row, an empty question, a unit that measures something
    else, and a wrong guess that is none.
    """
    if not text("question", question).strip():
        raise refusal(f"question = {question!r}: must be a sentence")
    known, factor = _in_unit(entry(find_case(case_name), row_id), unit)
    number, unit = known.number, SIGNS.get(known.unit, known.unit)
    description = {
        "name": f"{case_name}.{row_id}",
        "question": question,
        "label": number.label,
        "unit": unit,
        "unit_text": unit_text(unit),
        "value": number.value * factor,
        "relation": number.record.relation,
        "resolution": number.resolution * factor,
        "standing": _standing(known),
        "remark": number.remark,
        "because": _held_together(text("because", because)),
        "wrong": _usual_mistakes(wrong, number.value * factor),
        "rows": _rows(known, number.value * factor),
    }
    return Guess(description)
