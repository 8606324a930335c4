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
_MORE = "Compare with the model and the simulation, and see what was fitted"
_NEAR = 0.1  # a guess so near to a usual wrong one, relative to that, gets its sentence


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
        side = "to the precision of the printed digits"
        return "Right", side, f"You are right, {side}."
    if relation not in ("=", "about"):
        return "", "on the wrong side of the limit", "Your guess is on the wrong side of the limit."
    if value == 0:
        return "", "too high", "Your guess is too high."
    ratio = guess / value
    level = "too high" if ratio > 1 else "too low"
    if 0.5 < ratio < 2:
        percent = f"{abs(ratio - 1) * 100:.2g}%"
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


def _cause(description, guess):
    """Return why a guess is off: what its own mistake is, if it is a usual one, and the cause."""
    said = [description["because"]]
    near = [(abs(guess / wrong - 1), sentence) for wrong, sentence in description["wrong"]]
    if near and min(near)[0] <= _NEAR:
        said.insert(0, min(near)[1])
    return " ".join([sentence for sentence in said if sentence])


def _table_html(description, rows):
    unit = description["unit_text"].strip()
    caption = f"{description['label']} ({unit})" if unit else description["label"]
    body = "".join([_row_html(row) for row in rows])
    return (
        f'<div class="table-scroll" tabindex="0" role="region" aria-label="{_escape(caption)}">'
        '<table class="explorer-table guess-table">'
        f"<caption>{_escape(caption)}</caption>"
        '<thead><tr><th scope="col">Source</th><th scope="col">Number</th>'
        '<th scope="col">Error</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def result_html(description, guess=None) -> str:
    """Return what is known of the number, and of the guess if there is one, as HTML.

    First the cause, then how far off the guess is; last, folded beside a guess, the models' numbers
    and what was fitted.
    """
    rows, standing = list(description["rows"]), description["standing"]
    if description["remark"]:
        standing += f" Note: {description['remark']}."
    proves = f'<p class="guess-standing">{_escape(standing)}</p>'
    if guess is None:
        cause = description["because"]
        known = _table_html(description, rows) + proves
        return f'<p class="guess-cause">{_escape(cause)}</p>{known}' if cause else known
    rows.insert(0, _guess_row(description, guess))
    unit = description["unit_text"].replace(" ", "\u00a0")  # on the line of its number
    published = f"Published: {description['rows'][0]['text']}{unit}."
    distance = _distance(description, guess)
    cause = "" if distance[0] == "Right" else _cause(description, guess)
    verdict = f'<p class="guess-verdict">{_escape(published)} {_escape(distance[2])}</p>'
    more = f'<details class="guess-more"><summary>{_MORE}</summary>'
    return (
        (f'<p class="guess-cause">{_escape(cause)}</p>' if cause else "")
        + verdict
        + f"{more}{_table_html(description, rows)}{proves}</details>"
    )


def read_guess(text, unit) -> float:
    """Return the number above 0 that was typed, in `unit` ("1" for a plain number).

    Raises ValueError, one sentence for the reader, for any other text.

    >>> read_guess("12,500", "graphs"), read_guess("4126 ms", "s"), read_guess("4%", "1")
    (12500.0, 4.126, 0.04)
    """
    value, word = parse_number(text)
    value *= unit_factor(word, unit or "1")
    if value <= 0:
        raise ValueError(f'"{trim(text)}" is not above 0. Type a number above 0.')
    if value > _LARGEST:
        raise ValueError(
            f'"{trim(text)}" is larger than anything measured here. Type a smaller number.'
        )
    if value < _SMALLEST:
        raise ValueError(
            f'"{trim(text)}" is smaller than anything measured here. Type a larger number.'
        )
    return value


def judge(description, text) -> dict:
    """Return {"guess": number, "off": how far off, "side": on which side, "html": what is shown}.

    Or {"refusal": sentence}, for text that is no such number.

    description: a `tunables.views.guess.Guess`'s description; text: as it was typed.
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
