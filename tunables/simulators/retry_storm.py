"""One server, a short outage, and clients who give up on late replies and try again."""

import heapq
from collections import deque

import numpy as np

from tunables.arguments import number, whole
from tunables.simulators.compiled import compiled
from tunables.simulators.tied_heap import new_heap, pop, push


@compiled
def _retry_storm(fresh_s, service_s, pauses_s, jitter, timeout_s, outage_s, cancel):
    """Return arrival time and success of each attempt, in the order of arrival.

    The server takes attempts first come, first served, so that each starts when it has come
    and the one before has left: one pass is enough, and only retries need a calendar.
    """
    arrivals, answered = np.empty(len(service_s)), np.zeros(len(service_s), np.bool_)
    tries = np.zeros(len(fresh_s), np.int64)
    events = new_heap(len(fresh_s))
    down, up = outage_s
    size = fresh = count = 0
    free = 0.0  # when the server has done all that came so far
    while fresh < len(fresh_s) or size > 0:
        if size == 0 or (fresh < len(fresh_s) and fresh_s[fresh] <= events[0][0]):
            now, request = fresh_s[fresh], fresh
            fresh += 1
        else:
            now = events[0][0]
            request, size = pop(events, size)
        give_up = now + timeout_s
        start = max(now, free)
        if down <= start < up:
            start = up
        if not cancel or start <= give_up:
            free = start + service_s[count]
            if start < down < free:
                free += up - down
            answered[count] = free <= give_up
        if not answered[count] and tries[request] < len(pauses_s):
            pause = pauses_s[tries[request]] * jitter[count]
            tries[request] += 1
            size = push(events, size, give_up + pause, request, request)
        arrivals[count] = now
        count += 1
    return arrivals[:count], answered[:count]


def retry_storm_reference(fresh_s, service_s, pauses_s, jitter, timeout_s, outage_s, cancel):
    """Return what the compiled pass returns, event by event."""
    down, up = outage_s
    events = [(time, "arrives", request) for request, time in enumerate(fresh_s)]
    events.append((up, "server is up", 0))
    heapq.heapify(events)
    queue: deque[int] = deque()
    arrivals: list[float] = []
    requests: list[int] = []
    answered: list[bool] = []
    tries = dict.fromkeys(range(len(fresh_s)), 0)
    in_service = False
    while events:
        now, event, item = heapq.heappop(events)
        if event == "arrives":
            attempt = len(arrivals)
            arrivals.append(now)
            requests.append(item)
            answered.append(False)
            queue.append(attempt)
            heapq.heappush(events, (now + timeout_s, "times out", attempt))
        elif event == "is served":
            in_service = False
            answered[item] = now <= arrivals[item] + timeout_s
        elif event == "times out" and not answered[item] and tries[requests[item]] < len(pauses_s):
            pause = pauses_s[tries[requests[item]]] * jitter[item]
            tries[requests[item]] += 1
            heapq.heappush(events, (now + pause, "arrives", requests[item]))
        while queue and not in_service and not down <= now < up:
            attempt = queue.popleft()
            if not cancel or now <= arrivals[attempt] + timeout_s:
                in_service = True
                end = now + service_s[attempt]
                end += up - down if now < down < end else 0.0
                heapq.heappush(events, (end, "is served", attempt))
    return arrivals, answered


def _scenario(
    arrival_rate, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
    backoff_base_s, backoff_cap_s, cancel_stale, seed,
):  # fmt: skip
    """Check the arguments of `simulate_retry_storm`, draw, and return those of its pass."""
    rng = np.random.default_rng(whole("seed", seed))
    rate = number("arrival_rate", arrival_rate, at_least=0)
    horizon_s = number("horizon_s", horizon_s, at_least=1)
    fresh_s = np.sort(rng.uniform(0.0, horizon_s, rng.poisson(rate * horizon_s)))
    attempts = len(fresh_s) * (whole("retries", retries) + 1)
    pauses_s = np.empty(whole("retries", retries))
    cap_s = number("backoff_cap_s", backoff_cap_s, at_least=0)
    pause_s = number("backoff_base_s", backoff_base_s, at_least=0)
    for k in range(len(pauses_s)):
        pauses_s[k] = pause_s = min(pause_s, cap_s)
        pause_s *= 2
    down = number("outage_start_s", outage_start_s, at_least=0)
    up = down + number("outage_s", outage_s, at_least=0)
    service_s = rng.standard_exponential(attempts) / number("service_rate", service_rate, above=0)
    timeout_s = number("timeout_s", timeout_s, above=0)
    return fresh_s, service_s, pauses_s, rng.random(attempts), timeout_s, (down, up), cancel_stale


def simulate_retry_storm(
    arrival_rate, service_rate, timeout_s=0.5, retries=3, *, outage_start_s=20.0, outage_s=2.0,
    horizon_s=120.0, backoff_base_s=0.0, backoff_cap_s=0.0, cancel_stale=False, seed=0,
) -> tuple:  # fmt: skip
    """Simulate a retry storm: attempts and answered attempts in each second of the horizon.

    Requests come at random (arrival_rate a second) to one FIFO server with exponential times
    (service_rate a second) that stands still for outage_s. A client gives up on an attempt
    after T and sends the next, at most r times, after a pause uniform from 0 to
    min(backoff_cap_s, backoff_base_s 2^k). The server does not know, and works on what nobody
    waits for; with cancel_stale it skips attempts whose client has given up before their turn.
    An answered attempt counts in the second in which it came. Attempts in flight at the
    horizon are run to their end. The fixed points are in
    `tunables.theory.retries.retry_fixed_points`.

    Raises ValueError for rates or times that are negative, a service rate or time-out that is
    not above 0, a horizon below 1 s, or retries that is not a whole number.

    >>> offered, answered = simulate_retry_storm(30, 100)
    >>> bool(answered[:15].mean() > 25), bool(answered[-15:].mean() < 1)
    (True, True)
    """
    arrivals, answered = _retry_storm(
        *_scenario(
            arrival_rate, service_rate, timeout_s, retries, outage_start_s, outage_s, horizon_s,
            backoff_base_s, backoff_cap_s, cancel_stale, seed,
        )
    )  # fmt: skip
    edges = np.arange(int(horizon_s) + 1)
    return np.histogram(arrivals, edges)[0], np.histogram(arrivals[answered], edges)[0]
