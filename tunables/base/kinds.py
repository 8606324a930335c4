"""The kinds of argument that the closed forms take besides numbers, for signatures.

MicroPython has no such classes, and ignores what a signature says of an argument.
"""

try:
    from collections.abc import Callable, Iterable

    Numbers = Iterable[float]  # a list, a tuple, an array of numpy's
    Pairs = Iterable[tuple[float, float]]
    Function = Callable[[float], float]
    Chances = Callable[[int], list[float]]
except ImportError:
    Numbers = Pairs = Function = Chances = None  # type: ignore[assignment]
