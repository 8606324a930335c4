"""A usual call of every public function of the closed forms, predictors and simulators."""

import importlib
import os
import re
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

from tests.hostile.examples import public_functions, usual_calls
from tunables.core.registry import cards, cases

# A number with which the answer is computed in another way, and no example needs to show it.
OTHER_WAYS: dict[str, list[dict]] = {
    "closed_queueing.machine_repair": [{"think_time_s": 0.0}],
    "group_commit.adaptive_flush_wait": [{"long_transactions": 0}],
    "retries.retry_statistics": [{"failure_probability": 1.0}],
    "retries.retry_fixed_points": [{"arrival_rate": 24.0}, {"arrival_rate": 120.0}],
}
# What the project's own tests and tables give, and no caller.
INTERNAL: dict[str, set[str]] = {
    "packets.simulate_packets": {"run", "trace"},
    "packets.trace_packets": {"run", "trace"},
}


REFUSAL = re.compile(r"\w.* (=|has) .+: \w", re.DOTALL)  # capacity_bps = -1: must be ...
WORDS = re.compile(r"\w+\W+\w+\W+\w+")  # what a parser says of a text


class Call(NamedTuple):
    """A public function, its name with its module's, and arguments that it takes.

    refusal: what its sentences of refusal look like.
    """

    name: str
    function: Callable
    arguments: dict
    refusal: re.Pattern = REFUSAL


def predictors() -> list[Call]:
    """Return the predictor of each case and card with the defaults that its page begins with."""
    models = list(cases().values()) + [card.model for card in cards().values()]
    return [
        Call(
            one.predictor.removeprefix("tunables.chapters.").replace(":", "."),
            one.predict,
            {parameter.name: parameter.default for parameter in one.parameters},
        )
        for one in models
    ]


def _functions(package: ModuleType) -> list[Call]:
    """Return the calls that the examples of a package make, and those that go other ways."""
    functions, found = public_functions(package), []
    for name, made in usual_calls(package).items():
        for arguments in [*made, *(made[0] | change for change in OTHER_WAYS.get(name, []))]:
            given = {k: v for k, v in arguments.items() if k not in INTERNAL.get(name, ())}
            found.append(Call(name, functions[name], given))
    return found


def _fragile(number: float) -> float:
    """Go wrong in each of the ways that the probe has to see."""
    if number == "":
        raise ValueError("too little")
    if number < 0:
        raise ValueError(f"number = {number}: must be at least 0")
    if number == 2**31:
        os.abort()
    while number == 0.5:
        pass
    return number


def calls(group: str) -> list[Call]:
    """Return the usual calls of a group: theory, simulators, predictors, or one bad function."""
    if group == "bad":
        return [Call("bad.fragile", _fragile, {"number": 1.0})]
    if group == "predictors":
        return predictors()
    if group in ("theory", "simulators"):
        return _functions(importlib.import_module(f"tunables.{group}"))
    return importlib.import_module(f"tests.hostile.{group}").calls()  # which import these
