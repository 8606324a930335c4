"""One server, a short outage, and clients that give up on late replies and try again."""

import math

import numpy as np

from tunables.base.arguments import flag, integer, number
from tunables.simulators.arrays import Counts
from tunables.simulators.draws import from_seed
from tunables.simulators.keywords import check_keywords
from tunables.simulators.limits import MOST_ROWS, MOST_SECONDS, check_size
from tunables.simulators.relief import USUAL_BURST, Relief, relief
from tunables.simulators.retry_deeds import RETRIES, Deeds, checked_deeds, outage, schedule
from tunables.simulators.retry_storm_kernel import (
    Attempts,
    Clients,
    StormDraws,
    columns,
    draw_storm,
    retry_storm_kernel,
    room,
)
from tunables.theory.retries import MOST_RETRIES

_NO_RELIEF = Relief()


def scenario(
    arrival_rate,
    service_rate,
    timeout_s,
    retries,
    outage_start_s,
    outage_s,
    horizon_s,
    backoff_base_s,
    backoff_cap_s,
    seed,
    rules=_NO_RELIEF,
    deeds=(),
    any_answer=False,
) -> tuple:
    """Check the arguments of `simulate_retry_storm`, draw, and return those of its kernel."""
    state = from_seed(integer("seed", seed))
    rate = number("arrival_rate", arrival_rate, at_least=0)
    horizon_s = number("horizon_s", horizon_s, at_least=1, at_most=MOST_SECONDS)
    retries = integer("retries", retries, at_most=MOST_RETRIES)
    done = checked_deeds(deeds)
    most = max([retries, *(int(value) for _, deed, value in done if deed == RETRIES)])
    cap_s = number("backoff_cap_s", backoff_cap_s, at_least=0)
    base_s = number("backoff_base_s", backoff_base_s, at_least=0)
    check_size("arrival_rate * horizon_s * (retries + 1)", rate * horizon_s * (most + 1))
    interval = outage(outage_start_s, outage_s)
    service_rate = number("service_rate", service_rate, above=0)
    timeout_s = number("timeout_s", timeout_s, above=0)
    draws = draw_storm(state, rate, service_rate, retries, most, horizon_s, base_s, cap_s)
    burst = rules.budget_burst if rules.budget_burst < math.inf else USUAL_BURST
    takes_any = float(flag("any_answer", any_answer))
    clients = Clients(timeout_s, math.inf, float(retries), rules.margin_s, burst, takes_any)
    return StormDraws(*draws), clients, schedule(rules, interval, done)


def simulate_retry_storm(
    arrival_rate: float,
    service_rate: float,
    timeout_s: float = 0.5,
    retries: int = 3,
    *,
    outage_start_s: float = 20.0,
    outage_s: float = 2.0,
    horizon_s: float = 120.0,
    backoff_base_s: float = 0.0,
    backoff_cap_s: float = 0.0,
    cancel_stale: bool = False,
    seed: int = 0,
    deeds: Deeds = (),
    any_answer: bool = False,
    **rules: float | str | None,
) -> tuple[Counts, Counts]:
    """Simulate a retry storm; return attempts and answered attempts in each second.

    Requests arrive at random (arrival_rate per second) at one FIFO server with exponential times
    (service_rate per second) that is stopped for outage_s. A client gives up on an attempt
    after T and sends the next, at most r times, after a pause uniform from 0 to
    min(backoff_cap_s, backoff_base_s 2^k). The server does not know this and also works on
    attempts whose client has given up; with cancel_stale (or drop="stale") it skips those that
    were given up before their turn. A client takes an answer to its latest attempt only; with
    any_answer=True it takes one to any attempt of its request until its last attempt has timed
    out. The further rules are those of `tunables.simulators.relief.relief`.
    deeds change the rules during the run, in order of time, and nothing before their times: see
    `tunables.simulators.retry_deeds.checked_deeds`.
    An answered attempt counts in the second in which it was sent. Attempts in flight at the
    horizon are run to their end. The fixed points are in
    `tunables.theory.retries.retry_fixed_points`.

    Raises ValueError for rates or times that are negative, a service rate or timeout that is
    not above 0, a horizon below 1 s, retries that is not a whole number, or a bad deed.

    >>> offered, answered = simulate_retry_storm(30, 100)
    >>> bool(answered[:15].mean() > 25), bool(answered[-15:].mean() < 1)
    (True, True)
    >>> outage = {"outage_start_s": 5.0, "outage_s": 2.0, "horizon_s": 20.0}
    >>> pauses = {"backoff_base_s": 0.1, "backoff_cap_s": 0.3, "deeds": [(6.0, "retries", 1)]}
    >>> limits = {"queue_limit": 50.0, "purge_s": 9.0, "retries_off_s": 12.0, "retry_budget": 0.1}
    >>> shed = {"budget_burst": 10.0, "shed_share": 0.2, "shed_from_s": 5.0, "shed_until_s": 10.0}
    >>> rules = outage | pauses | limits | shed | {"margin_s": 0.03, "seed": 1}
    >>> for cancel_stale in (False, True):
    ...     offered, answered = simulate_retry_storm(30, 100, cancel_stale=cancel_stale, **rules)
    ...     print(offered.sum(), answered.sum())
    582 507
    580 516
    """
    settings = (
        arrival_rate, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
        backoff_base_s, backoff_cap_s, seed, _relief(simulate_retry_storm, cancel_stale, rules),
        deeds, any_answer,
    )  # fmt: skip
    arguments = scenario(*settings)  # which checks them
    counts = np.zeros((2, int(horizon_s)), np.int64)
    retry_storm_kernel(*arguments, counts, *room(0))
    attempts, answered = counts
    return attempts, answered


def _relief(function, cancel_stale, rules):
    check_keywords(function, rules, relief)
    return relief(**({"drop": "stale"} if flag("cancel_stale", cancel_stale) else {}) | rules)


def trace_retry_storm(
    arrival_rate: float,
    service_rate: float,
    timeout_s: float = 0.5,
    retries: int = 3,
    *,
    outage_start_s: float = 20.0,
    outage_s: float = 2.0,
    horizon_s: float = 120.0,
    backoff_base_s: float = 0.0,
    backoff_cap_s: float = 0.0,
    cancel_stale: bool = False,
    seed: int = 0,
    deeds: Deeds = (),
    any_answer: bool = False,
    rows: int = 40_000,
    **rules: float | str | None,
) -> Attempts:
    """Return the first attempts of the run of `simulate_retry_storm` with these settings.

    Counted by the second of asked_s, all and answered, they give the result of that function.
    Raises ValueError for rows that are not a whole number, and as `simulate_retry_storm` does.

    >>> attempts = trace_retry_storm(30, 100, seed=1)
    >>> [int(((attempts.asked_s <= t) & (t < attempts.turn_s)).sum()) for t in (22, 30)]
    [123, 275]
    """
    settings = (
        arrival_rate, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
        backoff_base_s, backoff_cap_s, seed, _relief(trace_retry_storm, cancel_stale, rules),
        deeds, any_answer,
    )  # fmt: skip
    written = room(integer("rows", rows, at_most=MOST_ROWS))
    count = retry_storm_kernel(*scenario(*settings), np.zeros((2, 1), np.int64), *written)
    return Attempts(*columns(count, *written))
