"""A usual call of each public function, as the examples in its docstring make it."""

import doctest
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import FrameType, ModuleType
from typing import Any, NoReturn

import numpy as np


def modules(package: ModuleType) -> Iterator[tuple[str, ModuleType]]:
    """Yield the name and the module of each of a package's modules, in order of their names."""
    for entry in pkgutil.iter_modules(package.__path__):
        yield entry.name, importlib.import_module(f"{package.__name__}.{entry.name}")


def public_functions(package: ModuleType) -> dict[str, Callable]:
    """Return module.name -> function of all in a package that check what they are given."""
    found = {}
    for module_name, module in modules(package):
        for name, value in vars(module).items():
            own = inspect.isfunction(value) and value.__module__ == module.__name__
            words = inspect.getdoc(value) or ""
            refuses = re.search("[Rr]aises ValueError|rrors (and source )?as in", words)
            if own and refuses and not name.startswith("_") and "unchecked" not in words:
                found[f"{module_name}.{name}"] = value
    return found


def _plain(value: Any) -> Any:
    """Return arrays, ranges and tuples as the list that a caller may give as well."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    is_sequence = isinstance(value, (tuple, range)) and not hasattr(value, "_asdict")
    return list(value) if is_sequence else value


def _arguments(frame: FrameType) -> dict[str, Any]:
    """Return each argument by its name, those left at their default and **settings included."""
    given = inspect.getargvalues(frame)
    values = {name: given.locals[name] for name in given.args}
    if given.keywords:
        values |= given.locals[given.keywords]
    return {name: _plain(value) for name, value in values.items()}


def _is_of_example(frame: FrameType | None) -> bool:
    return frame is not None and frame.f_code.co_filename.startswith("<doctest ")


class _Runner(doctest.DocTestRunner):
    """Runs examples; whatever one of them raises ends the run, a test's time limit, too."""

    def report_unexpected_exception(self, out, test, example, exc_info) -> NoReturn:
        raise exc_info[1]


def _record(package: ModuleType) -> dict[str, list[dict]]:
    """Run a package's examples; return the calls that they themselves make of each function."""
    code = {
        inspect.unwrap(value).__code__: name for name, value in public_functions(package).items()
    }
    found: dict[str, list[dict]] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in code and _is_of_example(frame.f_back):
            found.setdefault(code[frame.f_code], []).append(_arguments(frame))

    for _, module in modules(package):
        for test in doctest.DocTestFinder().find(module):
            test.examples = [each for each in test.examples if each.exc_msg is None]
            before = sys.getprofile()
            sys.setprofile(note)
            try:
                # What an example should print is seen by pytest's --doctest-modules.
                _Runner().run(test, out=lambda text: None)
            finally:
                sys.setprofile(before)
    return found


def in_use(value: Any) -> bool:
    """Say whether an argument has an effect: it is neither 0, nor empty, nor None.

    >>> [in_use(value) for value in (0.0, [], None, 1.5, [0.5], "2010", False)]
    [False, False, False, True, True, True, True]
    """
    return isinstance(value, bool) or bool(value)


def fullness(arguments: dict) -> int:
    """Return how much of a call there is to change; of a list or a dict two entries count.

    >>> fullness({"sizes_s": [0.5, 1.5, 5.0], "think_s": 0.0, "seed": None, "rule": "2010"})
    3
    """
    return sum(
        min(2, len(value)) if isinstance(value, (list, dict)) else in_use(value)
        for value in arguments.values()
    )


def _rules(arguments: dict) -> tuple:
    """Return the words and flags of a call: another rule is other code."""
    return tuple((k, v) for k, v in arguments.items() if isinstance(v, (str, bool)))


@cache
def usual_calls(package: ModuleType) -> dict[str, list[dict]]:
    """Return the fullest call that an example makes of each function under each of its rules.

    The fullest of all comes first. trace_NAME runs with the arguments of simulate_NAME.
    """
    found = {}
    for name, made in _record(package).items():
        made.sort(key=fullness, reverse=True)
        by_rules: dict[tuple, dict] = {}
        for arguments in made:
            by_rules.setdefault(_rules(arguments), arguments)
        found[name] = list(by_rules.values())
    for name, function in public_functions(package).items():
        run = name.replace(".trace_", ".simulate_")
        if run != name and run in found and name in found:
            found[name] = [found[name][0] | _accepted(function, found[run][0])]
    return found


def _accepted(function: Callable, arguments: dict) -> dict:
    """Return those of the arguments that a function takes."""
    parameters = inspect.signature(function).parameters
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return arguments
    return {name: value for name, value in arguments.items() if name in parameters}
