"""Calls public functions with hostile arguments, one at a time, and tells how each call ended.

Run as `python -m tests.hostile.probe GROUP DONE SECONDS`: from the call after DONE on, each with so
many seconds of the processor, so that a crash or a loop ends this process and not the tests. It
prints a line of JSON before each call, its number and itself, and one after: what went wrong.
"""

import itertools
import json
import math
import random
import re
import resource
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.hostile.calls import Call, calls
from tunables.simulators.event_loop import Queue

NUMBERS = (
    *(math.nan, math.inf, -math.inf, 1e308, -1e308, 1e-308, 5e-324, -1, 0, 0.5),
    *(1e30, 1e-30, 2**31, 2**63, 10**400),
)
OTHERS: tuple = (None, "", "no such name", b"1", [], [[]], [math.nan], [[1.0, 2.0]], {}, 1j)
PAIRS = 100  # calls of a function with two hostile arguments, drawn by its name
MOST_BYTES = 4 * 2**30
COMPILE_S = 100  # of the processor, for the kernels of a first call
# These say in words that they may return it; a predictor's words are searched for inf.
MAY_RETURN = {
    "caching.che_approximation": math.inf,
    "packets.trace_packets": math.inf,
    "pipelines.lag_drain_time": math.inf,
    "granularity_paths.path_between": math.nan,
    "granularity_paths.runs_between": math.nan,
    "relief.relief": math.inf,
    "retries.drain_time_s": math.inf,
}
REFUSAL = re.compile(r"\w.* (=|has) .+: \w", re.DOTALL)  # capacity_bps = -1: must be ...


def changed(value: Any, hostile: tuple) -> Iterator[Any]:
    """Yield value replaced by each hostile one, and a container with each of its entries so."""
    yield from hostile
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from (value | {key: other} for other in changed(entry, NUMBERS))
    elif isinstance(value, Queue):
        for key, entry in value._asdict().items():
            yield from (value._replace(**{key: other}) for other in changed(entry, NUMBERS))
    elif isinstance(value, list):
        for place, entry in enumerate(value[:2]):
            for other in changed(entry, NUMBERS):
                yield [*value[:place], other, *value[place + 1 :]]


def hostile_arguments(call: Call) -> Iterator[dict]:
    """Yield the usual arguments, then them with one changed, then a sample of those with two."""
    yield call.arguments
    for name, value in call.arguments.items():
        if callable(value):
            continue
        for other in changed(value, NUMBERS + OTHERS):
            yield call.arguments | {name: other}
    numeric = {
        name: list(changed(value, NUMBERS))
        for name, value in call.arguments.items()
        if not isinstance(value, (str, bool)) and not callable(value)
    }
    draw = random.Random(call.name)
    pairs = list(itertools.combinations(numeric, 2))
    for names in pairs and draw.choices(pairs, k=PAIRS):
        yield call.arguments | {name: draw.choice(numeric[name]) for name in names}


def numbers_in(value: Any) -> Iterator[float]:
    """Yield every number of a result, however it is nested; of an array those not finite."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            yield from value[~np.isfinite(value)].tolist()
    elif isinstance(value, (int, float, np.number)):
        yield float(value)
    elif isinstance(value, dict):
        yield from numbers_in(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from numbers_in(entry)
    elif hasattr(value, "__dataclass_fields__"):
        yield from numbers_in(vars(value))


def _may_return(call: Call) -> float:
    """Return what the call may return although it is no finite number, or 0."""
    if call.name.endswith(".predict") and re.search(r"\binf\b", call.function.__doc__ or ""):
        return math.inf
    return MAY_RETURN.get(call.name, 0.0)


def outcome(call: Call, arguments: dict) -> str:
    """Return "" for a finite answer or a ValueError that names an argument, else what happened."""
    try:
        result = call.function(**arguments)
    except ValueError as error:
        sentence = str(error)
        return "" if REFUSAL.search(sentence) else f"ValueError names no argument: {sentence[:300]}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    allowed = _may_return(call)
    for number in numbers_in(result):
        if not math.isfinite(number) and repr(number) != repr(allowed):
            return f"returned {number}"
    return ""


def shown(call: Call, arguments: dict) -> str:
    """Return the call with the arguments that are not its usual ones."""
    usual = call.arguments
    odd = (f"{name}={value!r}" for name, value in arguments.items() if value is not usual[name])
    return f"{call.name}({', '.join(odd)[:300]})"


def main(group: str, done: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    warnings.simplefilter("error")
    every = ((call, one) for call in calls(group) for one in hostile_arguments(call))
    for number, (call, arguments) in enumerate(every, 1):
        if number <= done:
            continue
        limit = COMPILE_S if arguments is call.arguments else seconds
        end = math.ceil(time.process_time()) + limit
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
        print(json.dumps([number, shown(call, arguments)]), flush=True)
        print(json.dumps(outcome(call, arguments)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
