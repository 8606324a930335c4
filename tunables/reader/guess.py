"""`guess(case, row, question)`: the reader commits to a number before the book shows its own."""

from html import escape

import ipywidgets as widgets

from tunables.cases.ledger import Entry, entry
from tunables.cases.registry import find_case
from tunables.reader.charts import script_json
from tunables.reader.formats import error_text, grouped, published_text
from tunables.reader.guessing import judge, result_html

SIGNS = {"us": "µs"}
ASLEEP = "Write a number down, then open the answer."
SKIP = "Skip: show the answer"
STANDING = {
    "calibrated": "The model was fitted to this number: that it comes out proves nothing.",
    "predicted": "The model was not told this number.",
    "identity": "This number follows from other printed numbers, with any model.",
    "unexplained": "No model here explains this number.",
}
MISFIT = "The model was fitted to this number and to others, and does not give it."
# The page has its own style sheet; in Jupyter the table needs this much.
STYLE = """<style>
.guess-table th { text-align: left; font-weight: normal; padding-right: 1em }
.guess-table td { text-align: right; padding-left: 1em }
.guess-track { width: 12em } .guess-track div { position: relative; height: 1em }
.guess-track div { border-bottom: 1px solid }
.guess-track span { position: absolute; bottom: -0.3em; width: 0.6em; height: 0.6em }
.guess-track span { margin-left: -0.3em; border-radius: 50%; background: currentcolor }
</style>"""


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
    if not question.strip():
        raise ValueError(f"question = {question!r}: must be a sentence")
    known = entry(find_case(case_name), row_id)
    number, unit = known.number, SIGNS.get(known.unit, known.unit)
    misfit = number.status == "calibrated" and known.agrees is False
    return {
        "name": f"{case_name}.{row_id}",
        "question": question,
        "label": number.label,
        "unit": unit,
        "unit_text": "" if unit in ("", "1") else f" {unit}",
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


class Guess(widgets.VBox):
    """The question as widgets; outside Jupyter the markup that the page's script wakes."""

    def __init__(self, description: dict):
        self._description = description
        self.field = widgets.Text(placeholder="a number", layout=widgets.Layout(width="10em"))
        self.field.on_msg(self._pressed)
        commit, skip = widgets.Button(description="Commit"), widgets.Button(description="Skip")
        commit.on_click(lambda _: self.commit())
        skip.on_click(lambda _: self._show(result_html(description)))
        self._message, self._result = widgets.HTML(), widgets.HTML()
        label = widgets.Label(
            f"Your guess{' in' * bool(description['unit_text'])}{description['unit_text']}"
        )
        question = widgets.HTML(f"<b>Predict first.</b> {escape(description['question'])}")
        row = widgets.HBox([label, self.field, commit, skip])
        super().__init__([question, row, self._message, self._result])

    def _repr_mimebundle_(self, **kwargs):
        return super()._repr_mimebundle_(**kwargs) | {
            "text/plain": f"Guess({self._description['name']!r})",
            "text/html": guess_html(self._description),
        }

    def _pressed(self, _, content, __) -> None:
        if content.get("event") == "submit":  # the field's Enter key
            self.commit()

    def _show(self, html: str) -> None:
        self._message.value = ""
        self._result.value = STYLE + html

    def commit(self) -> None:
        """Show the answer beside what the field holds, or say why that is no number."""
        reply = judge(self._description, self.field.value)
        if "refusal" in reply:
            self._message.value = f'<p role="alert">{escape(reply["refusal"])}</p>'
        else:
            self._show(reply["html"])


def guess(case_name: str, row_id: str, question: str) -> Guess:
    """Return the question whose answer is a published number of a case, with the models'.

    Raises ValueError for an unknown case or row, or a question without words.
    """
    return Guess(describe_guess(case_name, row_id, question))
