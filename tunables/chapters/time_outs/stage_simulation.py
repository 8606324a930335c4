"""What chapter 2's stage replays: the storm, attempt by attempt, and what the reader did to it.

Runs in the page too.
"""

import math

from tunables.chapters.time_outs.storm_experiment import trace
from tunables.chapters.time_outs.storm_simulation import checked
from tunables.page.kernels import column
from tunables.plain.adding import added
from tunables.plain.arguments import choice, number, whole
from tunables.plain.deeds import parsed_deeds
from tunables.theory.deadlines import deadline_fixed_points
from tunables.theory.retries import retry_fixed_points

SEED = 1
HORIZON_S = 120
SERVICE_RATE_PER_S = 100.0
MOST_ATTEMPTS = 24_000  # whose columns take less than 2 MB
TIMEOUTS_S = ("0.5", "1", "2")
DEEDS = {
    "outage": (0.1, 20),  # seconds
    "drop": None,
    "skip": None,
    "noretries": None,
    "pause": (1, 30),  # seconds without new requests
    "watch": None,
}
# Places in `tunables.simulators.retry_deeds.DEEDS`, and the values that switch each on and off.
KERNEL_DEEDS: dict = {
    "outage": (0, 0.0, 1.0),
    "drop": (1, 0.0),
    "skip": (2, 1.0),
    "noretries": (3, 0.0),
    "pause": (6, 1.0, 0.0),
}
_MARGIN_S, _NO_BUDGET = 0.0, 10.0


def _end(deed):
    at_s, _, value = deed
    return math.inf if value is None else at_s + value


def _is_on(name, time_s, deeds):
    return any(each[1] == name and each[0] <= time_s < _end(each) for each in deeds)


def _columns(deeds):
    """Return times, numbers and values of deeds as the kernel takes them, in order.

    A deed ends when no other of its kind goes on.
    """
    found: list = []
    for deed in deeds:
        if deed[1] in KERNEL_DEEDS:
            number, *values = KERNEL_DEEDS[deed[1]]
            found.append((deed[0], len(found), number, values[0]))
            if values[1:] and not _is_on(deed[1], _end(deed), deeds):
                found.append((_end(deed), len(found), number, values[1]))
    found.sort()
    return (
        column([each[0] for each in found], float),
        column([each[2] for each in found], int),
        column([each[3] for each in found], float),
    )


def attempts(deeds, **settings) -> tuple:
    """Return the columns of `tunables.simulators.retry_rows.Attempts` for such deeds.

    settings: as in the case. Raises ValueError as `storm_simulation.checked` does.
    """
    known = checked(HORIZON_S, service_rate_per_s=SERVICE_RATE_PER_S, **settings)
    open_s = HORIZON_S - added([each[2] for each in deeds if each[1] == "pause"])
    if open_s > 0:  # twice the attempts that are kept would come, and take long
        number("arrival_rate_per_s", known[0], at_most=2 * MOST_ATTEMPTS / open_s)
    numbers = _MARGIN_S, _NO_BUDGET, MOST_ATTEMPTS
    return trace(SEED, *known, float(HORIZON_S), *numbers, *_columns(deeds))


def _loads(time_s, deeds, arrival_rate_per_s, timeout_s, retries):
    """Return the lowest and highest load that sustain themselves under the rules in force."""
    if _is_on("outage", time_s, deeds):
        return [None, None]
    if _is_on("pause", time_s, deeds):
        return [0.0, 0.0]
    solved = deadline_fixed_points if _is_on("skip", time_s, deeds) else retry_fixed_points
    allowed = 0 if _is_on("noretries", time_s, deeds) else retries
    loads = solved(arrival_rate_per_s, SERVICE_RATE_PER_S, timeout_s, allowed)
    return [loads[0], loads[-1]]


def _eras(deeds, settings):
    """Return [from, lowest, highest load] for each time from which on other rules are in force."""
    done = [each for each in deeds if each[1] != "watch"]
    ends = [_end(each) for each in done if each[2] is not None]
    begins = sorted({0.0}.union([each[0] for each in done]).union(ends))
    return [[time_s] + _loads(time_s, done, **settings) for time_s in begins if time_s < HORIZON_S]


def _watched(deeds, asked_s, request, tried):
    """Return the attempts of the first request that is sent after it was asked to be watched."""
    times = [each[0] for each in deeds if each[1] == "watch"]
    if not times:
        return []
    new = [k for k in range(len(asked_s)) if tried[k] == 0 and asked_s[k] >= times[-1]]
    return [k for k in range(len(request)) if new and request[k] == request[new[0]]]


def _microseconds(times_s):
    return [int(1e6 * each + 0.5) for each in times_s]


def _gaps(begins, ends):
    return [end - begin for begin, end in zip(begins, ends)]


def _digits(column):
    return "".join(["0123456789"[each] for each in column])


def play(*, arrival_rate_per_s, timeout_s, retries, deeds) -> dict:
    """Return what the stage replays: 120 s of the storm, with deeds as `parsed_deeds` reads them.

    "gap", "wait", "service" are microseconds: since the attempt before was sent, in the line,
    and with the server. "fate" and "tried" have a digit an attempt, as in `Attempts`. "watched"
    are attempts. "eras" are [from, lowest, highest load of the closed form] by the rules in
    force, None while the server stands still. Raises ValueError as `parsed_deeds` and
    `storm_simulation.checked` do, and for what needs more than 24,000 attempts.
    """
    done = parsed_deeds(deeds, DEEDS, HORIZON_S)
    choice("timeout_s", timeout_s, TIMEOUTS_S)
    settings = {
        "arrival_rate_per_s": arrival_rate_per_s,
        "timeout_s": float(timeout_s),
        "retries": retries,
    }
    rows, asked_s, turn_s, left_s, request, tried, fate = attempts(done, **settings)
    whole("attempts", rows, at_most=MOST_ATTEMPTS)
    asked, turn, left = _microseconds(asked_s), _microseconds(turn_s), _microseconds(left_s)
    return {
        "rate": arrival_rate_per_s,
        "capacity": SERVICE_RATE_PER_S,
        "timeout": settings["timeout_s"],
        "tries": retries + 1,
        "end": HORIZON_S,
        "deeds": [list(each) for each in done],
        "eras": _eras(done, settings),
        "watched": _watched(done, asked_s, request, tried),
        "gap": _gaps([0] + asked[:-1], asked),
        "wait": _gaps(asked, turn),
        "service": _gaps(turn, left),
        "fate": _digits(fate),
        "tried": _digits(tried),
    }
