"""Requests of the page's scripts and their replies, as JSON; refusals in the labels' words.

A user who moves a slider has never seen the name of an argument. MicroPython runs this: the page
and Jupyter show the same sentences.
"""

import json

from tunables.base.numbers_as_text import parse_number, trim
from tunables.base.units import canonical, in_unit


def entries(name, value, names=()) -> dict:
    """Return value, or raise ValueError if it is no object that has these entries.

    >>> entries("run", {"seed": 1}, ["seed", "state"])
    Traceback (most recent call last):
    ValueError: run: must have seed, state
    """
    if not isinstance(value, dict) or not all([each in value for each in names]):
        raise ValueError(f"{name}: must have {', '.join(names) or 'entries by their names'}")
    return value


def reply_to(request_json, answer) -> str:
    """Return answer(request) as JSON, or {"refusal": sentence} for what it refuses.

    >>> reply_to("[]", len)
    '{"refusal": "request: must have entries by their names"}'
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


def _unit_trouble(value, unit) -> str:
    """Return what is wrong with a typed unit, or "" if the unit is not the trouble."""
    if not isinstance(value, str):
        return ""
    try:
        number, word = parse_number(value)
    except ValueError:
        return ""  # no number: the sentence already says that it must be one
    try:
        in_unit(number, word, canonical(unit))
    except ValueError as error:
        return f" {error}"
    return ""


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
must be in s.'
    """
    message = str(error)
    parameter = refused_parameter(parameters, error)
    if parameter is None:
        return message
    end = message.rfind(_MUST)
    refused, allowed = message[len(parameter["name"]) + 3 : end], message[end + len(_MUST) :]
    allowed = allowed.replace("a finite number", "a number")
    value = state.get(parameter["name"]) if isinstance(state, dict) else None
    trouble = "" if parameter["choices"] else _unit_trouble(value, parameter.get("unit", ""))
    label = parameter.get("title", parameter["name"])
    return f"{label} must be {allowed}, not {_quote_refused(value, refused)}.{trouble}"


def in_words(parameters, state, act):
    """Return act(), or raise its ValueError in the words of `reword`."""
    try:
        return act()
    except ValueError as error:
        raise ValueError(reword(parameters, state, error)) from None
