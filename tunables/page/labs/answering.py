"""How a lab in the page asks for its law: one call a request; JSON in, JSON out."""

from tunables.page.asked import entries, replied
from tunables.plain.arguments import choice

# What a function says of arguments that have another shape than the page's script gives them.
_MISSHAPEN = (TypeError, KeyError, AttributeError, IndexError, ZeroDivisionError, OverflowError)


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
            return replied(request_json, _answer)

    def _answer(request):
        entries("request", request, ["call", "given"])
        name = choice("call", request["call"], sorted(functions))
        given = entries("given", request["given"])
        try:
            return {"answer": functions[name](**given)}
        except _MISSHAPEN:
            raise ValueError(f"given: must be what {name} takes") from None

    return Page
