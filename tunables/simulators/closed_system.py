"""Customers who think, queue for one of a few servers, are served, and think again."""

import heapq
from collections import deque

import numpy as np

from tunables.base.arguments import integer, number
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import from_seed, standard_exponential
from tunables.simulators.event_heap import new_heap, pop, push
from tunables.simulators.limits import MOST_ENTRIES

_WARM_UP = 0.1  # completions before the count starts, as a share of those counted


@compiled
def _closed_system(state, customers, servers, think_time_s, service_time_s, warm_up, completions):
    events = new_heap(customers)
    queue = np.empty(customers, np.int64)  # ring buffer of waiting customers
    asked = np.zeros(customers)
    served = np.zeros(customers, np.bool_)
    size = head = waiting = busy = done = 0
    now = began = total_response = 0.0
    for customer in range(customers):
        think = think_time_s * standard_exponential(state)
        size = push(*events, size, think, customer)
    while done < warm_up + completions:
        now = events[0][0]
        customer, size = pop(*events, size)
        if served[customer]:
            served[customer] = False
            busy -= 1
            done += 1
            if done > warm_up:
                total_response += now - asked[customer]
            elif done == warm_up:
                began = now
            think = think_time_s * standard_exponential(state)
            size = push(*events, size, now + think, customer)
        else:
            asked[customer] = now
            queue[(head + waiting) % customers] = customer
            waiting += 1
        if waiting and busy < servers:
            customer = queue[head]
            head = (head + 1) % customers
            waiting -= 1
            busy += 1
            served[customer] = True
            service = service_time_s * standard_exponential(state)
            size = push(*events, size, now + service, customer)
    return completions / (now - began), total_response / completions


def closed_system_reference(
    rng, customers, servers, think_time_s, service_time_s, warm_up, completions
):
    """Return what the compiled loop returns, computed in plain Python with library queues."""
    calendar: list[tuple[float, int, str]] = []
    for customer in range(customers):
        think = think_time_s * rng.standard_exponential()
        heapq.heappush(calendar, (think, customer, "asks"))
    queue: deque[int] = deque()
    asked, ended, busy, total_response = {}, [0.0], 0, 0.0
    while len(ended) <= warm_up + completions:
        now, customer, event = heapq.heappop(calendar)
        if event == "asks":
            asked[customer] = now
            queue.append(customer)
        else:
            busy -= 1
            ended.append(now)
            if len(ended) > warm_up + 1:
                total_response += now - asked[customer]
            think = think_time_s * rng.standard_exponential()
            heapq.heappush(calendar, (now + think, customer, "asks"))
        if queue and busy < servers:
            busy += 1
            service = service_time_s * rng.standard_exponential()
            heapq.heappush(calendar, (now + service, queue.popleft(), "leaves"))
    return completions / (ended[-1] - ended[warm_up]), total_response / completions


def simulate_closed_system(
    customers: int,
    servers: int,
    think_time_s: float,
    service_time_s: float,
    completions: int,
    seed: int = 0,
    warm_up: int | None = None,
) -> tuple[float, float]:
    """Simulate the closed system M/M/c//N; return throughput (1/s) and mean response time (s).

    N customers think for an exponential time of mean Z, wait in one FIFO queue for one of c
    servers, and are served for an exponential time of mean S. All begin by thinking. The first
    warm_up completions are not counted; by default these are a tenth of `completions`. The closed
    form is `tunables.theory.queueing.machine_repair`. The same seed gives the same floats.

    Raises ValueError for counts that are not whole numbers at least 1 (warm_up: at least 0), a
    negative think time, a service time that is not above 0, or a seed that is not a whole number.

    >>> throughput, response_time_s = simulate_closed_system(4, 1, 10.0, 2.0, 100_000)
    >>> abs(throughput - 0.30082855) < 0.005, abs(response_time_s - 3.29661) < 0.05
    (True, True)
    >>> results = simulate_closed_system(4, 2, 10.0, 2.0, 1000, seed=1, warm_up=100)
    >>> [round(result, 3) for result in results]
    [0.337, 2.054]
    """
    n = integer("customers", customers, at_least=1, at_most=MOST_ENTRIES)
    c = min(integer("servers", servers, at_least=1), n)  # more would be idle
    z = number("think_time_s", think_time_s, at_least=0)
    s = number("service_time_s", service_time_s, above=0)
    completions = integer("completions", completions, at_least=1, at_most=MOST_ENTRIES)
    first = int(_WARM_UP * completions) if warm_up is None else warm_up
    first = integer("warm_up", first, at_most=MOST_ENTRIES)
    state = from_seed(integer("seed", seed))
    return _closed_system(state, n, c, z, s, first, completions)
