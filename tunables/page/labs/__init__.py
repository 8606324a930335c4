"""The laws that labs in the page ask for, one module per lab; each defines a LabSession."""

from tunables.base.arguments import choice
from tunables.page.requests import entries, reply_to

# What a function says of arguments that have another shape than the page's script gives them.
_MISSHAPEN = (TypeError, KeyError, AttributeError, IndexError, ZeroDivisionError, OverflowError)


def lab_session(**functions):
    """Return the session class of a lab whose page calls these functions, by their names.

    It replies {"answer": ...} to {"function": name, "arguments": {name: value}}, or
    {"refusal": ...} where the function raises ValueError.
    """

    class LabSession:
        """One run of the lab."""

        def __init__(self, description_json="{}"):
            pass

        def reply(self, request_json) -> str:
            """Return the answer to one call as JSON, or a refusal."""
            return reply_to(request_json, _answer)

    def _answer(request):
        entries("request", request, ["function", "arguments"])
        name = choice("function", request["function"], sorted(functions))
        arguments = entries("arguments", request["arguments"])
        try:
            return {"answer": functions[name](**arguments)}
        except _MISSHAPEN:
            raise ValueError(f"arguments: must be those that {name} takes") from None

    return LabSession
