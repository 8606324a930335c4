"""Requests of the page's scripts and their replies, as JSON; refusals in the labels' words.

A user who moves a slider has never seen the name of an argument. MicroPython runs this: the page
and Jupyter show the same sentences.
"""

import json

from tunables.base.numbers_as_text import parse_number, trim
from tunables.base.units import canonical, in_unit, unit_text
from tunables.page.formats import shortest


def entries(name, value, names=()) -> dict:
    """Return value, or raise ValueError if it is no object that has these entries.

    >>> entries("run", {"seed": 1}, ["seed", "state"])
    Traceback (most recent call last):
    ValueError: run: must have seed, state
    """
    if not isinstance(value, dict) or not all([each in value for each in names]):
        raise ValueError(f"{name}: must have {', '.join(names) or 'entries keyed by name'}")
    return value


def reply_to(request_json, answer) -> str:
    """Return answer(request) as JSON, or {"refusal": sentence} for what it refuses.

    >>> reply_to("[]", len)
    '{"refusal": "request: must have entries keyed by name"}'
    """
    try:
        reply = answer(entries("request", json.loads(request_json)))
    except ValueError as error:
        reply = {"refusal": str(error)}
    return json.dumps(reply)


_MUST = ": must be "
_LARGEST = 1e15  # whole numbers up to it are shown with all their digits
_LONGEST = 60  # characters of what was typed that the sentence repeats


def _quote_refused(value, refused):
    """Return what was refused, as the reader wrote it, or with six significant digits."""
    if not isinstance(value, str):
        try:
            number = float(refused)
        except ValueError:
            return refused
        if not abs(number) < _LARGEST:
            return refused
        return str(int(number)) if number == int(number) else f"{number:.6g}"
    shown = trim(value)
    if not shown:
        return "empty"
    return f'"{shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "..."}"'


def _read_typed(value, unit) -> tuple:
    """Return (number in the unit, whether it was typed in that unit, "") for a typed text.

    Or (None, False, what is wrong with it) for a text that was not understood, "" for a value that
    is no text.
    """
    if not isinstance(value, str):
        return None, False, ""
    try:
        number, word = parse_number(value)
    except ValueError:  # the sentence already says that it must be a number
        return None, False, _point_hint(value)
    try:
        return in_unit(number, word, canonical(unit)), word in ("", unit), ""
    except ValueError as error:
        return None, False, f" {error}"


def _point_hint(value):
    """Return how to write a number that was typed with a comma before its decimals, or ""."""
    pointed = trim(value).replace(",", ".")
    if value.count(",") != 1 or "." in value:
        return ""
    try:
        parse_number(pointed)
    except ValueError:
        return ""
    return f" Write decimals with a point: {pointed}."


_BROKEN = (
    ("at least ", lambda value, bound: value < bound),
    ("above ", lambda value, bound: value <= bound),
    ("at most ", lambda value, bound: value > bound),
    ("below ", lambda value, bound: value >= bound),
)


def _broken_bound(allowed, value, unit):
    """Return the bound that a number breaks, in words with its unit, or "".

    >>> _broken_bound("a number at least 0 and at most 5000", 120000.0, "ms")
    'at most 5,000 ms'
    """
    for words, broken in _BROKEN:
        bound_text = allowed.partition(words)[2].split(" ")[0].rstrip(",")
        try:
            bound = float(bound_text)
        except ValueError:
            continue
        if broken(value, bound):
            return words + _in_full(bound, unit)
    return ""


def _in_full(value, unit):
    return shortest(value) + unit_text(unit)


def _percent_hint(value, unit, allowed):
    """Return how to write a share that was typed as a plain number where percent are asked for.

    >>> _percent_hint(0.5, "%", "a number at least 1 and at most 100")
    ' If you mean a share of 0.5, write 50%.'
    """
    is_share = unit == "%" and isinstance(value, float) and 0 < value < 1
    if not is_share or _broken_bound(allowed, 100 * value, unit):
        return ""
    return f" If you mean a share of {shortest(value)}, write {_in_full(100 * value, unit)}."


def refused_parameter(parameters, error):
    """Return the parameter that a ValueError names as refused; None if it names none of them.

    >>> delay = {"name": "delay_s", "title": "Longest delay (s)", "unit": "s", "choices": []}
    >>> refused_parameter([delay], ValueError("delay_s = 9: must be at most 5"))["title"]
    'Longest delay (s)'
    """
    message = str(error)
    for parameter in parameters:
        if message.startswith(f"{parameter['name']} = ") and _MUST in message:
            return parameter
    return None


def reword(parameters, state, error) -> str:
    """Return the message of a ValueError with the label of the parameter that it names.

    parameters: as `tunables.views.explorer.describe` returns them; state: what was asked.
    A message that names none of them is returned unchanged.

    >>> delay = {"name": "delay_s", "title": "Longest delay (s)", "unit": "s", "choices": []}
    >>> error = ValueError("delay_s = '3 GiB': must be a finite number at most 5")
    >>> reword([delay], {"delay_s": "3 GiB"}, error)
    'Longest delay (s) must be a number at most 5, not "3 GiB". "GiB" does not fit: the number \
must be in s. Write one such as 5 ms, 2 s or 3 min.'
    >>> error = ValueError("delay_s = 120.0: must be a finite number at most 5")
    >>> reword([delay | {"label": "Longest delay"}], {"delay_s": "2 minutes"}, error)
    'Longest delay must be at most 5 s; "2 minutes" means 120 s.'
    """
    message = str(error)
    parameter = refused_parameter(parameters, error)
    if parameter is None:
        return message
    end = message.rfind(_MUST)
    refused, allowed = message[len(parameter["name"]) + 3 : end], message[end + len(_MUST) :]
    allowed = allowed.replace("a finite number", "a number")
    value = state.get(parameter["name"]) if isinstance(state, dict) else None
    label = parameter.get("title", parameter["name"])
    shown = _quote_refused(value, refused)
    if parameter["choices"]:
        return f"{label} must be {allowed}, not {shown}."
    unit = parameter.get("unit", "")
    meaning, is_same, trouble = _read_typed(value, unit)
    bound = "" if meaning is None else _broken_bound(allowed, meaning, unit)
    if bound:
        label = parameter.get("label", label)
        means = f", not {shown}" if is_same else f"; {shown} means {_in_full(meaning, unit)}"
        return f"{label} must be {bound}{means}."
    return f"{label} must be {allowed}, not {shown}.{trouble}{_percent_hint(value, unit, allowed)}"


def in_words(parameters, state, act):
    """Return act(), or raise its ValueError in the words of `reword`."""
    try:
        return act()
    except ValueError as error:
        raise ValueError(reword(parameters, state, error)) from None
