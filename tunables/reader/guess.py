"""`guess(case, row, question)`: the reader commits to a number before the book shows its own."""

import json
from html import escape

from tunables.page.formats import error_text, grouped, published_text
from tunables.page.guessing import Page, result_html
from tunables.parts.ledger import Entry, entry
from tunables.parts.registry import find_case
from tunables.plain.arguments import text
from tunables.plain.units import unit_text
from tunables.reader.charts import script_json
from tunables.reader.live import Live

SIGNS = {"us": "µs"}
ASLEEP = "Write a number down, then open the answer."
SKIP = "Skip: show the answer"
STANDING = {
    "calibrated": "The model was fitted to this number: that it comes out proves nothing.",
    "predicted": "The model was not told this number.",
    "consistent": "Nothing was fitted to this number, but the model was chosen with sight of it.",
    "identity": "This number follows from other printed numbers, with any model.",
    "unexplained": "No model here explains this number.",
}
MISFIT = "The model was fitted to this number and to others, and does not give it."


def _rows(known: Entry) -> list[dict]:
    """Return the published number, the closed form's and the simulation's, as they are shown."""
    number, relation = known.number, known.number.record.relation
    error = error_text(number.status, relation, known.agrees, known.error)
    mean, half_width = known.simulated or (None, 0.0)
    shown = f"{grouped(mean, known.digits)} ± {grouped(half_width, known.digits)}"
    rows: list[dict] = [
        {
            "name": "Published",
            "value": number.value,
            "text": published_text(number.value, relation),
        },
        {
            "name": "Closed form",
            "value": known.predicted,
            "text": grouped(known.predicted, known.digits),
            "error_text": error,
        },
        {"name": "Simulated", "value": mean, "text": "–" if mean is None else shown},
    ]
    return [{"error_text": "–"} | row for row in rows]


def describe_guess(case_name: str, row_id: str, question: str) -> dict:
    """Return a question about a published number, with its answer, as JSON can hold it.

    Raises ValueError for an unknown case or row, or a question without words.
    """
    if not text("question", question).strip():
        raise ValueError(f"question = {question!r}: must be a sentence")
    known = entry(find_case(case_name), row_id)
    number, unit = known.number, SIGNS.get(known.unit, known.unit)
    misfit = number.status == "calibrated" and known.agrees is False
    return {
        "name": f"{case_name}.{row_id}",
        "question": question,
        "label": number.label,
        "unit": unit,
        "unit_text": unit_text(unit),
        "value": number.value,
        "relation": number.record.relation,
        "resolution": number.resolution,
        "standing": MISFIT if misfit else STANDING[number.status],
        "remark": number.remark,
        "rows": _rows(known),
    }


def guess_html(description: dict) -> str:
    """Return the question as markup, asleep: the page's script makes the field."""
    name = description["name"].replace(".", "-")
    question = escape(description["question"])
    return (
        f'<section class="tunables-guess" id="guess-{name}" aria-label="Predict: {question}">'
        f'<script type="application/json" class="guess-description">{script_json(description)}'
        "</script>"
        f'<p class="guess-question"><strong>Predict first.</strong> {question}</p>'
        f'<div class="guess-form"></div><p class="guess-message" role="status">{ASLEEP}</p>'
        '<div class="guess-result" role="status"></div>'
        f'<details class="guess-answer"><summary>{SKIP}</summary>{result_html(description)}'
        "</details></section>"
    )


class Guess(Live):
    """The question, which its reader answers before it shows what is known."""

    def __init__(self, description: dict):
        plain = f"Guess({description['name']!r})"
        super().__init__(guess_html(description), plain, Page(json.dumps(description)))


def guess(case_name: str, row_id: str, question: str) -> Guess:
    """Return the question whose answer is a published number of a case, with the models'.

    Raises ValueError for an unknown case or row, or a question without words.
    """
    return Guess(describe_guess(case_name, row_id, question))
