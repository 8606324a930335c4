"""Calls public functions with hostile arguments, one at a time, and tells how each call ended.

Run as `python -m tests.hostile.probe GROUP DONE SECONDS [STEP]`: from the call after DONE on, each
STEPth with so many seconds of the processor, so that a crash or a loop ends this process and not
the tests. It prints a line of JSON before each call, its number and itself, and one after: what
went wrong.
"""

import itertools
import json
import math
import random
import re
import resource
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.hostile.calls import Call, calls
from tests.hostile.values import ALL, LONG, NUMBERS, VAST, is_number, is_plain, no_number, variants

PAIRS = 100  # calls of a function with two hostile arguments, drawn by its name
MOST_BYTES = 4 * 2**30
WAITS = 6  # times as long a call may take by the clock, on a busy machine
COMPILE_S = 100  # of the processor, for the kernels of a first call
# These say in words that they may return it; a predictor's words are searched for inf.
MAY_RETURN = {
    "blob_storage.threshold_pages": math.inf,
    "caching.che_approximation": math.inf,
    "packets.trace_packets": math.inf,
    "pipelines.lag_drain_time": math.inf,
    "granularity_paths.path_between": math.nan,
    "granularity_paths.runs_between": math.nan,
    "hedged_requests.simulate_hedged_requests": math.nan,
    "relief.relief": math.inf,
    "retries.drain_time_s": math.inf,
}


def hostile_arguments(call: Call) -> Iterator[dict]:
    """Yield the usual arguments, then them with one changed, then a sample of those with two."""
    yield call.arguments
    for name, value in call.arguments.items():
        if is_plain(value):
            # A text is compared with others, and never read to its end.
            vast = () if isinstance(value, str) else VAST
            for other in itertools.chain(variants(value, ALL), variants(value, vast)):
                yield call.arguments | {name: other}
    numeric = {
        name: list(variants(value, NUMBERS))
        for name, value in call.arguments.items()
        if is_plain(value) and not isinstance(value, (str, bool))
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
    elif isinstance(value, (float, np.floating)):
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
    if ".predict" in call.name and re.search(r"\binf\b", call.function.__doc__ or ""):
        return math.inf
    return MAY_RETURN.get(call.name, 0.0)


def _taken_for_numbers(call: Call, arguments: dict) -> list[str]:
    """Return the arguments that are no numbers where the usual ones are."""
    usual = call.arguments
    return [
        name
        for name, value in arguments.items()
        if value is not usual.get(name) and is_number(usual.get(name)) and no_number(value)
    ]


def outcome(call: Call, arguments: dict) -> str:
    """Return "" for a finite answer or a ValueError that names an argument, else what happened."""
    try:
        result = call.function(**arguments)
    except UnicodeError as error:  # a ValueError, and no sentence of ours
        return f"{type(error).__name__}: {str(error)[:300]}"
    except ValueError as error:
        sentence = str(error)
        refused = call.refusal.search(sentence)
        return "" if refused else f"ValueError names no argument: {sentence[:300]}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    if taken := _taken_for_numbers(call, arguments):
        return f"takes for a number: {', '.join(taken)}"
    allowed = _may_return(call)
    for number in numbers_in(result):
        if not math.isfinite(number) and repr(number) != repr(allowed):
            return f"returned {number}"
    return ""


def describe_call(call: Call, arguments: dict) -> str:
    """Return the call with the arguments that are not its usual ones."""
    usual = call.arguments
    odd = (
        f"{name}={_brief(value)}" for name, value in arguments.items() if value is not usual[name]
    )
    return f"{call.name}({', '.join(odd)[:300]})"


def _brief(value: Any) -> str:
    try:
        return repr(value).replace(LONG, f"{LONG[:9]}...")
    except (RecursionError, ValueError):  # too deep, or a number of too many digits
        return f"a vast {type(value).__name__}"


def main(group: str, done: int, seconds: int, step: int = 1) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    warnings.simplefilter("error")
    called: set[str] = set()
    every = ((call, one) for call in calls(group) for one in hostile_arguments(call))
    for number, (call, arguments) in enumerate(every, 1):
        if number <= done or number % step:
            continue
        limit = seconds if call.name in called else COMPILE_S
        called.add(call.name)
        end = math.ceil(time.process_time()) + limit
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
        signal.alarm(WAITS * limit)  # of the clock, for who sleeps or waits
        print(json.dumps([number, describe_call(call, arguments)]), flush=True)
        print(json.dumps(outcome(call, arguments)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
