"""How a lab in the page asks for its law: one call a request; JSON in, JSON out."""

import json

from tunables.plain.arguments import choice


def answering(**functions):
    """Return the class Page of a lab whose page calls these functions, by their names.

    It replies {"answer": ...} to {"call": name, "given": {argument: value}}, or {"refusal": ...}
    where the function raises ValueError.
    """

    class Page:
        """One run of the lab."""

        def __init__(self, description_json="{}"):
            pass

        def reply(self, request_json) -> str:
            """Return the answer to one call as JSON, or a refusal."""
            asked = json.loads(request_json)
            try:
                name = choice("call", asked["call"], sorted(functions))
                return json.dumps({"answer": functions[name](**asked["given"])})
            except ValueError as error:
                return json.dumps({"refusal": str(error)})

    return Page
