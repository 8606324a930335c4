"""An engine's results of the closed forms, to the bit. MicroPython runs this as well."""

import json
import struct
from binascii import hexlify

from tunables.page.explorer import load_function


def bits(value) -> str:
    """Return the sixteen digits of a double.

    >>> bits(1.0)
    '3ff0000000000000'
    """
    return hexlify(struct.pack(">d", value)).decode()


def answers(questions_json) -> str:
    """Return the answers as JSON: {case: [{output: bits}]}, a row for each state.

    questions_json: {case: {"predictor": module, "states": [settings]}}.
    """
    found = {}
    for case, asked in json.loads(questions_json).items():
        predict = load_function(asked["predictor"])
        rows = [predict(**state) for state in asked["states"]]
        found[case] = [{name: bits(value) for name, value in row.items()} for row in rows]
    return json.dumps(found)
