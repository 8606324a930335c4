"""The page's side of the explorer: MicroPython runs this in a worker; JSON in, JSON out."""

import json
import time

from tunables.reader.answer import drawing, numbers, remembering


def _finite(value):
    """Return value with infinities and nan as None: JSON has no word for them."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return None
    return value


class Page:
    """One explorer in the page: its description, and the closed form that it names.

    The numbers of a state are told at once. Its curves take longer and are drawn piece by
    piece, so that a slider that moves on is not kept waiting.
    """

    def __init__(self, description_json):
        self.description = json.loads(description_json)
        scope: dict = {}
        exec(f"from {self.description['predictor']} import predict", scope)
        self.predict = scope["predict"]
        self.known: dict = {}
        self.kept: dict = {}
        self.pieces = iter([])

    def reply(self, request_json) -> str:
        """Return the reply to a request, both as JSON.

        {"state": state}: `numbers` of it, or {"refusal": sentence} for a bad one.
        {"draw_s": seconds}: work so long on the curves of the state last asked for; {} while
        there is more to do, at the end {"views": ...} of `drawing`, then {"views": []}.
        """
        request = json.loads(request_json)
        reply = self._numbers(request["state"]) if "state" in request else self._draw(request)
        return json.dumps(_finite(reply))

    def _numbers(self, state):
        before, self.known = self.known, {}

        def predict(**settings):
            # A row that fixes what the reader moved asks for what it asked for before.
            known = before.get(tuple(sorted(settings.items())))
            return self.predict(**settings) if known is None else known

        predict = remembering(predict, self.known)
        try:
            reply = numbers(self.description, predict, state)
        except ValueError as error:
            return {"refusal": str(error)}
        predict = remembering(self.predict, dict(self.known))
        self.pieces = drawing(self.description, predict, state, self.kept)
        return reply

    def _draw(self, request):
        end_s = time.time() + request["draw_s"]
        for views in self.pieces:
            if views is not None:
                return {"views": views}
            if time.time() >= end_s:
                return {}
        return {"views": []}
