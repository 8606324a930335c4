"""The page's side of the explorer: MicroPython runs this in a worker; JSON in, JSON out."""

import json

from tunables.reader.answer import answer


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
    """One explorer in the page: its description, and the closed form that it names."""

    def __init__(self, description_json):
        self.description = json.loads(description_json)
        scope: dict = {}
        exec(f"from {self.description['predictor']} import predict", scope)
        self.predict = scope["predict"]

    def reply(self, state_json) -> str:
        """Return answer(...) of a state as JSON, or {"refusal": sentence} for a bad state."""
        try:
            reply = answer(self.description, self.predict, json.loads(state_json))
        except ValueError as error:
            reply = {"refusal": str(error)}
        return json.dumps(_finite(reply))
