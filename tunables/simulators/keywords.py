"""The check of further arguments, which a function hands on to another by name.

Python's own error would name the other function, of which the caller has never heard.
"""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from inspect import Parameter, signature

from tunables.base.refusals import refusal


def _names(function: Callable) -> list[str]:
    parameters = signature(function).parameters.values()
    return [each.name for each in parameters if each.kind is not Parameter.VAR_KEYWORD]


def check_keywords(function: Callable, given: Iterable[str], takes: Callable) -> None:
    """Raise TypeError for a further argument of a function that `takes` does not know.

    takes: the function that gets the further arguments.

    >>> def till(items, **more):
    ...     check_keywords(till, more, dict.fromkeys)
    >>> till(3, item=4)
    Traceback (most recent call last):
    TypeError: till() has no argument 'item': did you mean items?
    """
    for name in given:
        if name not in _names(takes):
            known = [*_names(function), *_names(takes)]
            alike = get_close_matches(name, known, n=2)
            hint = f"did you mean {' or '.join(alike)}?" if alike else f"it has {', '.join(known)}"
            raise refusal(f"{function.__name__}() has no argument {name!r}: {hint}", TypeError)
