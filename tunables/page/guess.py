"""The answer to a guess: the published number, the models' numbers, and how far off each is.

Plain Python that MicroPython runs: the page and Jupyter both show the HTML that it makes.
"""

import json

from tunables.base.agreement import agrees, relative_error
from tunables.base.numbers_as_text import parse_number, significant, trim
from tunables.base.units import unit_factor
from tunables.page.formats import error_text, shortest
from tunables.page.requests import entries, reply_to

_LARGEST = 1e15  # whole numbers beyond it are no longer exact
_SMALLEST = 1e-15  # a ratio to a number below it may be beyond all floats
_MORE = "Beside the model and the simulation"


def _escape(text):
    for old, new in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(old, new)
    return text


def _guess_row(description, guess):
    value, relation = description["value"], description["relation"]
    agreed = agrees(guess, value, description["resolution"], relation)
    error = relative_error(guess, value, relation)
    off = error_text("guess", relation, agreed, error)
    return {"name": "Your guess", "value": guess, "text": shortest(guess), "error_text": off}


def _distance(description, guess):
    """Return how far the guess is from the published number: (a size, a side, a sentence)."""
    value, relation = description["value"], description["relation"]
    if agrees(guess, value, description["resolution"], relation):
        return "Right", "", "You are right, within the digits printed."
    if relation not in ("=", "about"):
        return "", "on the other side", "Your guess lies on the other side."
    if value == 0:
        return "", "too high", "Your guess is too high."
    ratio = guess / value
    level = "too high" if ratio > 1 else "too low"
    if 0.5 < ratio < 2:
        percent = f"{abs(ratio - 1) * 100:.2g} %"
        return percent, level, f"Your guess is {level} by {percent}."
    times = ratio if ratio > 1 else 1 / ratio
    much = significant(times, 2) if times < 1e6 else "more than a million"
    size = f"{much}×" if times < 1e6 else "Over a million times"
    side = "large" if ratio > 1 else "small"
    return size, level, f"Your guess is {much} times too {side}."


def _row_html(row):
    return (
        f'<tr><th scope="row">{row["name"]}</th><td>{_escape(row["text"])}</td>'
        f"<td>{_escape(row['error_text'])}</td></tr>"
    )


def result_html(description, guess=None) -> str:
    """Return what is known of the number, and of the guess if there is one, as HTML."""
    rows = list(description["rows"])
    sentence = description["standing"]
    if guess is not None:
        rows.insert(0, _guess_row(description, guess))
        published = f"Published: {description['rows'][0]['text']}{description['unit_text']}."
        sentence = f"{published} {_distance(description, guess)[2]} {sentence}"
    if description["remark"]:
        sentence += f" Note: {description['remark']}."
    unit = description["unit_text"].strip()
    caption = f"{description['label']} ({unit})" if unit else description["label"]
    body = "".join([_row_html(row) for row in rows])
    table = (
        f'<div class="table-scroll" tabindex="0" role="region" aria-label="{_escape(caption)}">'
        '<table class="explorer-table guess-table">'
        f"<caption>{_escape(caption)}</caption>"
        '<thead><tr><th scope="col">Whose</th><th scope="col">Number</th>'
        '<th scope="col">Error</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
    if guess is not None:
        table = f'<details class="guess-more"><summary>{_MORE}</summary>{table}</details>'
    return f'<p class="guess-verdict">{_escape(sentence)}</p>{table}'


def read_guess(text, unit) -> float:
    """Return the number above 0 that was typed, in `unit` ("1" for a plain number).

    Raises ValueError, one sentence for the reader, for any other text.

    >>> read_guess("12,500", "graphs"), read_guess("4126 ms", "s"), read_guess("4 %", "1")
    (12500.0, 4.126, 0.04)
    """
    value, word = parse_number(text)
    value *= unit_factor(word, unit or "1")
    if value <= 0:
        raise ValueError(f'"{trim(text)}" is not above 0: write a number that is.')
    if value > _LARGEST:
        raise ValueError(f'"{trim(text)}" is beyond all that is measured here: write less.')
    if value < _SMALLEST:
        raise ValueError(f'"{trim(text)}" is below all that is measured here: write more.')
    return value


def judge(description, text) -> dict:
    """Return {"guess": number, "off": how far off, "side": on which side, "html": what is shown}.

    Or {"refusal": sentence}, for text that is no such number.

    description: what `tunables.views.guess.describe_guess` returns; text: as it was typed.
    """
    try:
        guess = read_guess(text, description["unit"])
    except ValueError as error:
        return {"refusal": str(error)}
    off, side, _ = _distance(description, guess)
    return {"guess": guess, "off": off, "side": side, "html": result_html(description, guess)}


class GuessSession:
    """One question in the page."""

    def __init__(self, description_json):
        self.description = json.loads(description_json)

    def reply(self, request_json) -> str:
        """Return judge(...) of {"text": ...} as JSON."""

        def answer(request):
            return judge(self.description, entries("request", request, ["text"])["text"])

        return reply_to(request_json, answer)
