"""The page's side of the explorer: a worker or the kernel runs this; JSON in, JSON out."""

import json
import time

from tunables.page.answer import drawing, numbers
from tunables.page.asked import entries, replied
from tunables.plain.arguments import number
from tunables.plain.remembered import remembered

_LONGEST_DRAW_S = 60  # without a word to the page


def finite(value):
    """Return value with infinities and nan as None: JSON has no word for them."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return None
    return value


def named(module, name):
    """Return the function of that name in a module."""
    scope: dict = {}
    exec(f"from {module} import {name}", scope)
    return scope[name]


class Page:
    """One explorer in the page: its description, and its closed form, or the one that it names.

    The numbers of a state are told at once. Its curves take longer and are drawn piece by
    piece, so that a slider that moves on is not kept waiting.
    """

    def __init__(self, description_json, predict=None):
        self.description = json.loads(description_json)
        # Rows, curves and the state before often ask for the same.
        self.predict = remembered(predict or named(self.description["predictor"], "predict"))
        self.kept: dict = {}
        self.pieces = drawing({"parameters": [], "views": []}, None, {})

    def reply(self, request_json) -> str:
        """Return the reply to a request, both as JSON.

        {"state": state}: `numbers` of it, or {"refusal": sentence} for a bad one.
        {"draw_s": seconds}: work so long on the curves of the state last asked for; {} while
        there is more to do, at the end {"views": ...} of `drawing`, then {"views": []}.
        """
        return replied(request_json, lambda request: finite(self._reply(request)))

    def _reply(self, request):
        return self._numbers(request["state"]) if "state" in request else self._draw(request)

    def _numbers(self, state):
        reply = numbers(self.description, self.predict, state)
        self.pieces = drawing(self.description, self.predict, state, self.kept)
        return reply

    def _draw(self, request):
        draw_s = entries("request", request, ["draw_s"])["draw_s"]
        end_s = time.time() + number("draw_s", draw_s, at_least=0, at_most=_LONGEST_DRAW_S)
        for views in self.pieces:
            if views is not None:
                return {"views": views}
            if time.time() >= end_s:
                return {}
        return {"views": []}
