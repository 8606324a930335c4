"""Why a test of a student's function failed: a sentence that the student reads as feedback."""

from typing import Any, NamedTuple

from assignments.hidden_cases import TOLERANCE, WrongAnswer

LONGEST_SHOWN = 160  # characters of a value or of arguments
_ELLIPSIS = "'ellipsis' object"


class Lost(NamedTuple):
    """Points that a test did not give, and the reason."""

    points: float
    reason: str


class NotDefined(RuntimeError):
    """The notebook has no value under a name that a test needs."""

    def __init__(self, name: str, why: str):
        super().__init__(f"{name}: {why}")
        self.name, self.why = name, why


class CallFailed(RuntimeError):
    """A function of the notebook gave no result; stopped: it was ended, and raised no error."""

    def __init__(self, name: str, given, why: str, stopped: bool = False):
        super().__init__(why)
        self.name, self.given, self.why, self.stopped = name, given, why, stopped


def _rounded(value: Any) -> Any:
    """Return a value with its floats to eight digits: enough to see what differs by 1%."""
    if isinstance(value, list):
        return [*map(_rounded, value)]
    return float(f"{value:.8g}") if isinstance(value, float) else value


def show(value: Any) -> str:
    """Return a value as Python writes it, to eight digits and shortened.

    >>> show([1, 0.06179043922463848])
    '[1, 0.061790439]'
    """
    try:
        text = repr(_rounded(value))
    except (ValueError, RecursionError):  # a number of thousands of digits, lists in lists
        text = "a value too large to be shown"
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 2]} …"


def call(name: str, given) -> str:
    """Return a call as Python writes it, shortened.

    >>> call("f", (1, "lru"))
    "f(1, 'lru')"
    """
    text = ", ".join(map(show, given))
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 2]} …"
    return f"{name}({shown})"


def points_text(points: float) -> str:
    """Return points with their noun.

    >>> points_text(1), points_text(2.5)
    ('1 point', '2.5 points')
    """
    return f"{points:g} point{'' if points == 1 else 's'}"


def _exactness(answer) -> str:
    parts = answer if isinstance(answer, list) else [answer]
    return f" (within {100 * TOLERANCE:g}%)" if any(isinstance(p, float) for p in parts) else ""


def _returned_none(called: str) -> str:
    return f"{called} returned None. A function gives its result back with `return`."


def _wrong_answer(name: str, error: WrongAnswer) -> str:
    called = call(name, error.arguments.values())
    given, answer = error.given, error.answer
    if given is None:
        return _returned_none(called)
    said = f"{called} returned {show(given)}; it should return {show(answer)}{_exactness(answer)}."
    if isinstance(given, list) and not isinstance(answer, list):
        return f"{said} A single value is wanted, not a list or an array."
    if isinstance(given, str) and not isinstance(answer, str):
        return f"{said} A number is wanted, not text."
    return said


def _not_defined(error: NotDefined) -> str:
    if _ELLIPSIS in error.why:
        return f"`{error.name}` is still `...`."
    if error.why.startswith("KeyError"):
        return f"`{error.name}` is not defined. Is the name spelt as in the question?"
    return f"`{error.name}` has no value that can be read: {error.why}."


class Called(NamedTuple):
    """A call of a notebook's function, and what it returned."""

    name: str
    given: tuple
    value: Any


def reason(error: Exception, name: str, last: Called | None = None) -> str:
    """Return in a sentence why a test failed.

    name: of the function or the value that the test is about; last: the last call that returned.
    """
    if isinstance(error, WrongAnswer):
        return _wrong_answer(name, error)
    if isinstance(error, NotDefined):
        return _not_defined(error)
    if isinstance(error, CallFailed):
        if error.stopped:
            return f"{call(error.name, error.given)}: {error.why}."
        return f"{call(error.name, error.given)} stopped with {error.why}."
    if isinstance(error, AssertionError) and str(error):
        return f"`{name}`: {error}."
    if isinstance(error, TypeError) and "not callable" in str(error):
        return f"`{name}` is not a function."
    if last is None:
        return f"`{name}` could not be checked: {type(error).__name__}: {error}."
    called = call(last.name, last.given)
    if last.value is None:
        return _returned_none(called)
    return f"{called} returned {show(last.value)}, which lacks what the question asks for."
