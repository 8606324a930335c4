"""One server, a short outage, and clients who give up on late replies and try again."""

import math

import numpy as np

from tunables.plain.arguments import flag, number, whole
from tunables.simulators.draws import from_seed
from tunables.simulators.limits import MOST_ENTRIES, MOST_ROWS, enough
from tunables.simulators.relief import USUAL_BURST, Relief, relief
from tunables.simulators.retry_deeds import RETRIES, all_deeds, checked_deeds
from tunables.simulators.retry_draws import draw_storm, outage
from tunables.simulators.retry_rows import Attempts, columns, room
from tunables.simulators.retry_storm_kernel import Clients, Draws, retry_storm_kernel
from tunables.theory.retries import MOST_RETRIES

_NO_RELIEF = Relief()


def scenario(
    arrival_rate, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
    backoff_base_s, backoff_cap_s, seed, rules=_NO_RELIEF, deeds=(),
) -> tuple:  # fmt: skip
    """Check the arguments of `simulate_retry_storm`, draw, and return those of its kernel."""
    state = from_seed(whole("seed", seed))
    rate = number("arrival_rate", arrival_rate, at_least=0)
    horizon_s = number("horizon_s", horizon_s, at_least=1, at_most=MOST_ENTRIES)
    retries = whole("retries", retries, at_most=MOST_RETRIES)
    done = checked_deeds(deeds)
    most = max([retries, *(int(value) for _, deed, value in done if deed == RETRIES)])
    cap_s = number("backoff_cap_s", backoff_cap_s, at_least=0)
    base_s = number("backoff_base_s", backoff_base_s, at_least=0)
    enough("arrival_rate * horizon_s * (retries + 1)", rate * horizon_s * (most + 1))
    interval = outage(outage_start_s, outage_s)
    service_rate = number("service_rate", service_rate, above=0)
    timeout_s = number("timeout_s", timeout_s, above=0)
    draws = draw_storm(state, rate, service_rate, retries, most, horizon_s, base_s, cap_s)
    burst = rules.budget_burst if rules.budget_burst < math.inf else USUAL_BURST  # for a deed
    clients = Clients(timeout_s, math.inf, float(retries), rules.margin_s, burst)
    return Draws(*draws), clients, all_deeds(rules, interval, done)


def simulate_retry_storm(
    arrival_rate, service_rate, timeout_s=0.5, retries=3, *, outage_start_s=20.0, outage_s=2.0,
    horizon_s=120.0, backoff_base_s=0.0, backoff_cap_s=0.0, cancel_stale=False, seed=0,
    deeds=(), **rules,
) -> tuple:  # fmt: skip
    """Simulate a retry storm: attempts and answered attempts in each second of the horizon.

    Requests come at random (arrival_rate a second) to one FIFO server with exponential times
    (service_rate a second) that stands still for outage_s. A client gives up on an attempt
    after T and sends the next, at most r times, after a pause uniform from 0 to
    min(backoff_cap_s, backoff_base_s 2^k). The server does not know, and works on what nobody
    waits for; with cancel_stale (or drop="stale") it skips attempts whose client has given up
    before their turn. Further rules are those of `tunables.simulators.relief.relief`.
    deeds change the rules while it runs, in the order of their times: see
    `tunables.simulators.retry_deeds.checked_deeds`. They change nothing before their times.
    An answered attempt counts in the second in which it came. Attempts in flight at the
    horizon are run to their end. The fixed points are in
    `tunables.theory.retries.retry_fixed_points`.

    Raises ValueError for rates or times that are negative, a service rate or time-out that is
    not above 0, a horizon below 1 s, retries that is not a whole number, or a bad deed.

    >>> offered, answered = simulate_retry_storm(30, 100)
    >>> bool(answered[:15].mean() > 25), bool(answered[-15:].mean() < 1)
    (True, True)
    """
    settings = (
        arrival_rate, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
        backoff_base_s, backoff_cap_s, seed, _relief(cancel_stale, rules), deeds,
    )  # fmt: skip
    arguments = scenario(*settings)  # which checks them
    counts = np.zeros((2, int(horizon_s)), np.int64)
    retry_storm_kernel(*arguments, counts, *room(0))
    return tuple(counts)


def _relief(cancel_stale, rules):
    return relief(**({"drop": "stale"} if flag("cancel_stale", cancel_stale) else {}) | rules)


def trace_retry_storm(
    arrival_rate, service_rate, timeout_s=0.5, retries=3, *, outage_start_s=20.0, outage_s=2.0,
    horizon_s=120.0, backoff_base_s=0.0, backoff_cap_s=0.0, cancel_stale=False, seed=0,
    deeds=(), rows=40_000, **rules,
) -> Attempts:  # fmt: skip
    """Return the first attempts of the run of `simulate_retry_storm` with these settings.

    Its counts are those of asked_s by the second, and of the answered ones among them.
    Raises ValueError for rows that are not a whole number, and as `simulate_retry_storm` does.

    >>> attempts = trace_retry_storm(30, 100, seed=1)
    >>> [int(((attempts.asked_s <= t) & (t < attempts.turn_s)).sum()) for t in (22, 30)]
    [123, 275]
    """
    settings = (
        arrival_rate, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
        backoff_base_s, backoff_cap_s, seed, _relief(cancel_stale, rules), deeds,
    )  # fmt: skip
    written = room(whole("rows", rows, at_most=MOST_ROWS))
    count = retry_storm_kernel(*scenario(*settings), np.zeros((2, 1), np.int64), *written)
    return Attempts(*columns(count, *written))
