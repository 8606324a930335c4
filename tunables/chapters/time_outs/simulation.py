"""Chapter 2's simulations: the lease query, the storm, its map, and what the animation replays.

Runs in the page too.
"""

import math

from tunables.base.arguments import choice, integer, number, run_seed
from tunables.base.interventions import parse_interventions
from tunables.base.portable import plain_sum
from tunables.chapters.time_outs.experiment import (
    simulate_from_rest,
    simulate_lease,
    simulate_storm,
    trace_storm,
)
from tunables.page.kernels import column
from tunables.theory.closed_network import MOST_CUSTOMERS
from tunables.theory.deadlines import deadline_fixed_points
from tunables.theory.retries import MOST_RETRIES, retry_fixed_points

LEASE_RUNS = 10
BATCHES = 3000  # the document's number
MOST_BATCHES = 1_000_000


def run_lease(
    seed, *, failure_probability, timeout_s, retries, reply_s, backoff_base_s, backoff_cap_s,
    threads, clients, think_s, batches=BATCHES,
) -> dict:  # fmt: skip
    """Return outputs of `predict_lease` from the document's number of batches, each only a query.

    The percentile is left out.
    Raises ValueError for settings that `predict_lease` refuses, and if all times are 0.
    """
    batches = integer("batches", batches, at_least=1, at_most=MOST_BATCHES)
    timeout_s = number("timeout_s", timeout_s, above=0)
    n = integer("clients", clients, at_least=1, at_most=MOST_CUSTOMERS)
    attempts, answered, latency_s, longest_s, makespan_s, response_s = simulate_lease(
        run_seed(seed),
        batches,
        number("failure_probability", failure_probability, at_least=0, at_most=1),
        timeout_s,
        integer("retries", retries, at_most=MOST_RETRIES),
        number("reply_s", reply_s, at_least=0, at_most=timeout_s),
        number("backoff_base_s", backoff_base_s, at_least=0),
        number("backoff_cap_s", backoff_cap_s, at_least=0),
        n,
        min(integer("threads", threads, at_least=1), n),
        number("think_s", think_s, at_least=0),
    )
    return {
        "attempts": attempts,
        "all_fail_probability": 1 - answered,
        "latency_s": latency_s,
        "longest_s": longest_s,
        "throughput_per_s": batches / number("time of all batches", makespan_s, above=0),
        "response_s": response_s,
    }


STORM_RUNS = 10
_OUTAGE_S = 10.0  # longer than any timeout that the case allows
_STORM_S = 600
_LAST_S = 100  # the seconds that are measured
_MOST_DRAWN = 10**9  # attempts of one run


def _kernel_settings(
    horizon_s, arrival_rate_per_s, service_rate_per_s, timeout_s, retries
) -> tuple:
    """Return the settings of the case as an experiment of horizon_s seconds takes them.

    Refuses an arrival rate below 0, a service rate or timeout that is not above 0, retries that
    are not an integer, and more than a billion attempts.
    """
    rate = number("arrival_rate_per_s", arrival_rate_per_s, at_least=0)
    retries = integer("retries", retries, at_most=MOST_RETRIES)
    horizon_s = number("horizon_s", horizon_s, above=0)
    number("attempts in a run", rate * horizon_s * (retries + 1), at_most=_MOST_DRAWN)
    return (
        rate,
        number("service_rate_per_s", service_rate_per_s, above=0),
        number("timeout_s", timeout_s, above=0),
        retries,
    )


def run_storm(seed, **settings) -> dict:
    """Return the loads from rest and after an outage of 10 s.

    Raises ValueError for an arrival rate below 0, a service rate or timeout that is not above 0,
    retries that are not an integer, and more than a billion attempts.
    """
    offered, goodput, offered_after, goodput_after = simulate_storm(
        run_seed(seed), *_kernel_settings(_STORM_S, **settings), _OUTAGE_S, _STORM_S, _LAST_S
    )
    return {
        "offered_per_s": offered,
        "goodput_per_s": goodput,
        "offered_after_overload_per_s": offered_after,
        "goodput_after_overload_per_s": goodput_after,
    }


RUNS_OF_MAP = 4
_MAP_S = 200


def run_of_map(seed, **settings) -> dict:
    """Return the attempts per second at the end of a run that begins with an empty queue."""
    offered, _ = simulate_from_rest(
        run_seed(seed), *_kernel_settings(_MAP_S, **settings), _MAP_S, _LAST_S
    )
    return {"offered_per_s": offered}


# The animation: its run, and the interventions that a reader may make.
SEED = 1
HORIZON_S = 120
SERVICE_RATE_PER_S = 100.0
MOST_ATTEMPTS = 24_000  # their columns take less than 2 MB
TIMEOUTS_S = ("0.5", "1", "2")
INTERVENTIONS = {  # and the ranges of their values
    "outage": (0.1, 20),  # seconds
    "drop": None,
    "skip": None,
    "noretries": None,
    "pause": (1, 30),  # seconds without new requests
    "watch": None,
}
# Indices in `tunables.simulators.retry_deeds.DEEDS`, and the values that switch each on and off.
KERNEL_INTERVENTIONS: dict = {
    "outage": (0, 0.0, 1.0),
    "drop": (1, 0.0),
    "skip": (2, 1.0),
    "noretries": (3, 0.0),
    "pause": (6, 1.0, 0.0),
}
_MARGIN_S, _NO_BUDGET = 0.0, 10.0


def _end(intervention):
    at_s, _, value = intervention
    return math.inf if value is None else at_s + value


def _is_on(name, time_s, interventions):
    return any(each[1] == name and each[0] <= time_s < _end(each) for each in interventions)


def _columns(interventions):
    """Return times, numbers and values of interventions as the kernel takes them, in order.

    An intervention ends only when no other of its kind goes on.
    """
    found: list = []
    for intervention in interventions:
        if intervention[1] in KERNEL_INTERVENTIONS:
            number, *values = KERNEL_INTERVENTIONS[intervention[1]]
            found.append((intervention[0], len(found), number, values[0]))
            if values[1:] and not _is_on(intervention[1], _end(intervention), interventions):
                found.append((_end(intervention), len(found), number, values[1]))
    found.sort()
    return (
        column([each[0] for each in found], float),
        column([each[2] for each in found], int),
        column([each[3] for each in found], float),
    )


def attempts(interventions, **settings) -> tuple:
    """Return the columns of `tunables.simulators.retry_storm_kernel.Attempts` under interventions.

    settings: as in the case. Raises ValueError as `run_storm` does.
    """
    known = _kernel_settings(HORIZON_S, service_rate_per_s=SERVICE_RATE_PER_S, **settings)
    open_s = HORIZON_S - plain_sum([each[2] for each in interventions if each[1] == "pause"])
    if open_s > 0:  # refuse a rate whose run would take long
        number("arrival_rate_per_s", known[0], at_most=2 * MOST_ATTEMPTS / open_s)
    numbers = _MARGIN_S, _NO_BUDGET, MOST_ATTEMPTS
    return trace_storm(SEED, *known, float(HORIZON_S), *numbers, *_columns(interventions))


def _loads(time_s, interventions, arrival_rate_per_s, timeout_s, retries):
    """Return the lowest and the highest self-sustaining load under the rules in force."""
    if _is_on("outage", time_s, interventions):
        return [None, None]
    if _is_on("pause", time_s, interventions):
        return [0.0, 0.0]
    fixed_points = (
        deadline_fixed_points if _is_on("skip", time_s, interventions) else retry_fixed_points
    )
    allowed = 0 if _is_on("noretries", time_s, interventions) else retries
    loads = fixed_points(arrival_rate_per_s, SERVICE_RATE_PER_S, timeout_s, allowed)
    return [loads[0], loads[-1]]


def _eras(interventions, settings):
    """Return [time, lowest, highest load] for each time at which the rules change."""
    acting = [each for each in interventions if each[1] != "watch"]
    ends = [_end(each) for each in acting if each[2] is not None]
    begins = sorted({0.0}.union([each[0] for each in acting]).union(ends))
    return [
        [time_s] + _loads(time_s, acting, **settings) for time_s in begins if time_s < HORIZON_S
    ]


def _watched_attempts(interventions, asked_s, request, tried):
    """Return the attempts of the first request sent after the reader asked to watch one."""
    times = [each[0] for each in interventions if each[1] == "watch"]
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
    """Return 120 s of the storm, with the interventions that `deeds` lists.

    "gap", "wait", "service" are microseconds: since the previous attempt was sent, in the queue,
    and with the server. "fate" and "tried" have a digit per attempt, as in `Attempts`. "watched"
    are attempts. "eras" are [time, lowest, highest load of the closed form] under the rules in
    force, None while the server is stopped.
    Raises ValueError as `parse_interventions` and `run_storm` do, and for a run of more than 24,000
    attempts.
    """
    interventions = parse_interventions(deeds, INTERVENTIONS, HORIZON_S)
    choice("timeout_s", timeout_s, TIMEOUTS_S)
    arrival_rate_per_s = number("arrival_rate_per_s", arrival_rate_per_s, at_least=0)
    retries = integer("retries", retries, at_most=MOST_RETRIES)
    settings = {
        "arrival_rate_per_s": arrival_rate_per_s,
        "timeout_s": float(timeout_s),
        "retries": retries,
    }
    rows, asked_s, turn_s, left_s, request, tried, fate = attempts(interventions, **settings)
    integer("attempts", rows, at_most=MOST_ATTEMPTS)
    asked, turn, left = _microseconds(asked_s), _microseconds(turn_s), _microseconds(left_s)
    return {
        "rate": arrival_rate_per_s,
        "capacity": SERVICE_RATE_PER_S,
        "timeout": settings["timeout_s"],
        "tries": retries + 1,
        "end": HORIZON_S,
        "deeds": [list(each) for each in interventions],
        "eras": _eras(interventions, settings),
        "watched": _watched_attempts(interventions, asked_s, request, tried),
        "gap": _gaps([0] + asked[:-1], asked),
        "wait": _gaps(asked, turn),
        "service": _gaps(turn, left),
        "fate": _digits(fate),
        "tried": _digits(tried),
    }
