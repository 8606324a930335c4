"""Finds what `tunables.NAME` is, and loads the module that defines it only then.

The names are those of `__init__.pyi`, which type checkers and editors read, too.
"""

import ast
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

import tunables
from tunables.base.refusals import refusal


@cache
def homes() -> dict[str, str]:
    """Return the module that defines each name that the package offers.

    >>> homes()["erlang_c"]
    'tunables.theory.erlang'
    """
    stub = Path(__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    return {
        alias.name: f"{node.module}"
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def find_name(name: str) -> object:
    """Return what the package offers under a name.

    Raises AttributeError for any other name, and says which names are like it.

    >>> find_name("erlang_d")
    Traceback (most recent call last):
    AttributeError: tunables has no name 'erlang_d': did you mean erlang_c or erlang_b?
    """
    if name not in homes():
        alike = get_close_matches(name, homes(), n=2)
        hint = f"did you mean {' or '.join(alike)}?" if alike else "dir(tunables) lists its names"
        raise refusal(f"tunables has no name {name!r}: {hint}", AttributeError)
    found: object = getattr(import_module(homes()[name]), name)
    setattr(tunables, name, found)  # the next use finds it there
    return found
