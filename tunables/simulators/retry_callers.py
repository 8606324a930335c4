"""The retry storm's server with a fixed number of callers, who wait before they ask again."""

import numpy as np

from tunables.base.arguments import flag, integer, number
from tunables.simulators.arrays import Counts
from tunables.simulators.draws import from_seed
from tunables.simulators.limits import MOST_ENTRIES, MOST_SECONDS, check_size
from tunables.simulators.relief import relief
from tunables.simulators.retry_deeds import outage, schedule
from tunables.simulators.retry_storm_kernel import (
    Clients,
    StormDraws,
    draw_callers,
    retry_storm_kernel,
    room,
)
from tunables.theory.retries import MOST_RETRIES


def scenario(
    callers, think_time_s, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
    seed, rules, any_answer=False,
):  # fmt: skip
    """Check the arguments of `simulate_retry_callers`, draw, and return those of the kernel.

    A caller has at most one late attempt per timeout, and the server answers no more than it can
    in the horizon plus one timeout: draws are made for ten standard deviations more than that.
    """
    state = from_seed(integer("seed", seed))
    callers = integer("callers", callers, at_least=1, at_most=MOST_ENTRIES)
    think_time_s = number("think_time_s", think_time_s, at_least=0)
    timeout_s = number("timeout_s", timeout_s, above=0)
    horizon_s = number("horizon_s", horizon_s, at_least=1, at_most=MOST_SECONDS)
    service_rate = number("service_rate", service_rate, above=0)
    interval = outage(outage_start_s, outage_s)
    retries = integer("retries", retries, at_most=MOST_RETRIES)
    served = service_rate * (horizon_s + timeout_s)
    attempts = int(callers * (horizon_s / timeout_s + 2) + served + 10 * served**0.5 + 100)
    check_size("callers * horizon_s / timeout_s + service_rate * (horizon_s + timeout_s)", attempts)
    draws = draw_callers(state, callers, attempts, service_rate, think_time_s, retries)
    checked = relief(**rules)
    takes_any = float(flag("any_answer", any_answer))
    clients = Clients(
        timeout_s, horizon_s, float(retries), checked.margin_s, checked.budget_burst, takes_any
    )
    return StormDraws(*draws), clients, schedule(checked, interval, [])


def simulate_retry_callers(
    callers: int,
    think_time_s: float,
    service_rate: float,
    timeout_s: float = 0.5,
    retries: int = 3,
    *,
    outage_start_s: float = 20.0,
    outage_s: float = 2.0,
    horizon_s: float = 120.0,
    drop: str = "none",
    margin_s: float = 0.0,
    queue_limit: float | None = None,
    seed: int = 0,
    any_answer: bool = False,
) -> tuple[Counts, Counts]:
    """Simulate a closed population; return attempts and answered attempts in each second.

    Each caller thinks (exponential, mean think_time_s), asks one FIFO server (exponential,
    service_rate per second), gives up on an attempt after T, retries at once, at most r times,
    and thinks again once it is answered or its last attempt is late. So no more than N/T late
    attempts are sent per second, whatever the retries. With any_answer a caller takes an answer to
    any attempt of its current request, and not only to the latest. Server, outage and
    rules are those of `tunables.simulators.retry_storm.simulate_retry_storm`.

    Raises ValueError for counts that are not whole (callers at least 1), negative times, or a
    service rate or timeout that is not above 0.

    >>> offered, answered = simulate_retry_callers(50, 0.0318, 60, timeout_s=1.0)
    >>> bool(answered[-15:].mean() > 45)
    True
    >>> outage = {"outage_start_s": 5.0, "outage_s": 2.0, "horizon_s": 20.0}
    >>> rules = {"drop": "stale", "margin_s": 0.01, "queue_limit": 20.0, "any_answer": True}
    >>> offered, answered = simulate_retry_callers(9, 0.03, 60, 0.1, 3, seed=1, **outage, **rules)
    >>> int(offered.sum()), int(answered.sum())
    (1843, 905)
    """
    rules = {"drop": drop, "margin_s": margin_s, "queue_limit": queue_limit}
    settings = scenario(
        callers, think_time_s, service_rate, timeout_s, retries, outage_start_s, outage_s,
        horizon_s, seed, rules, any_answer,
    )  # fmt: skip
    counts = np.zeros((2, int(horizon_s)), np.int64)
    retry_storm_kernel(*settings, counts, *room(0))
    attempts, answered = counts
    return attempts, answered
