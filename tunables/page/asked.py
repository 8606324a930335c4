"""A request of the page's scripts and its reply: JSON in, JSON out. MicroPython runs this."""

import json


def entries(name, value, names=()) -> dict:
    """Return value, or raise ValueError if it is no object that has these entries.

    >>> entries("run", {"seed": 1}, ["seed", "state"])
    Traceback (most recent call last):
    ValueError: run: must have seed, state
    """
    if not isinstance(value, dict) or not all([each in value for each in names]):
        raise ValueError(f"{name}: must have {', '.join(names) or 'entries by their names'}")
    return value


def replied(request_json, answer) -> str:
    """Return answer(request) as JSON, or {"refusal": sentence} for what it refuses.

    >>> replied("[]", len)
    '{"refusal": "request: must have entries by their names"}'
    """
    try:
        reply = answer(entries("request", json.loads(request_json)))
    except ValueError as error:
        reply = {"refusal": str(error)}
    return json.dumps(reply)
