"""Requests to many servers, each sent to a second one if it is not answered after a delay."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import choice, integer, is_infinite, number, refuse, sequence
from tunables.simulators.arrays import Floats, Integers, describe
from tunables.simulators.draws import from_seed
from tunables.simulators.hedged_requests_kernel import draw_requests, hedged_requests_kernel
from tunables.simulators.limits import check_size

RULES = ("run", "drop", "tie")
MOST_SERVERS = 1000
MOST_SPELLS = 10_000


# (server, or None for all of them at once; begin; length), in seconds
Spells = Iterable[tuple[int | None, float, float]]


class HedgedRequests(NamedTuple):
    """Requests in the order of their arrival; what never happened is nan.

    asked_s and answered_s, shape (n,): when a request arrived and when it got its first answer.
    server, sent_s, begun_s and ended_s have shape (n, 2): the first copy and the second.
    """

    asked_s: Floats
    answered_s: Floats
    server: Integers
    sent_s: Floats
    begun_s: Floats
    ended_s: Floats

    @property
    def latency_s(self) -> np.ndarray:
        """Time from the question to the first answer."""
        return self.answered_s - self.asked_s

    @property
    def copies(self) -> float:
        """Second copies for each request."""
        return float(np.mean(~np.isnan(self.sent_s[:, 1])))

    def __repr__(self) -> str:
        return describe(self)


def spells_of(servers: int, spells: Spells) -> tuple:
    """Return spells as the kernel takes them: where each server's begin, their begins and ends.

    spells: (server, start, length), with None as the server for all of them at once.
    Raises ValueError for a server that is not there, times below 0 or spells that overlap.

    >>> [each.tolist() for each in spells_of(2, [(1, 5.0, 2.0), (None, 1.0, 1.0)])]
    [[0, 1, 3], [1.0, 1.0, 5.0], [2.0, 2.0, 7.0]]
    """
    servers = integer("servers", servers, at_least=1, at_most=MOST_SERVERS)
    is_empty = isinstance(spells, (list, tuple)) and not spells
    entries = [] if is_empty else sequence("spells", spells, "spells")
    integer("number of spells", len(entries), at_most=MOST_SPELLS)
    by_server: list[list[tuple[float, float]]] = [[] for _ in range(servers)]
    for each in entries:
        spell = sequence("spell", each, "three entries: server or None, start, length")
        if len(spell) != 3:
            refuse("spell", each, "a sequence of three entries: server or None, start, length")
        server, begins_s, length_s = spell
        begins_s = number("start of a spell", begins_s, at_least=0)
        ends_s = begins_s + number("length of a spell", length_s, above=0)
        hit = range(servers) if server is None else [integer("server", server, 0, servers - 1)]
        for each in hit:
            by_server[each].append((begins_s, ends_s))
    for mine in by_server:
        mine.sort()
        for (_, ends_s), (begins_s, _) in pairwise(mine):
            number("start of a server's next spell", begins_s, at_least=ends_s)
    flat = np.array([spell for mine in by_server for spell in mine]).reshape(-1, 2)
    first = np.cumsum([0, *(len(mine) for mine in by_server)])
    return first, flat[:, 0].copy(), flat[:, 1].copy()


def _rule(name) -> int:
    return RULES.index(choice("rule", name, RULES))


def scenario(
    servers,
    rate_per_s,
    service_s,
    delay_s,
    *,
    rule="run",
    budget=1.0,
    spells=(),
    requests=10_000,
    seed=0,
) -> tuple:
    """Check the arguments, draw the requests and return the arguments of the kernel."""
    count = integer("servers", servers, at_least=2, at_most=MOST_SERVERS)
    n = integer("requests", requests, at_least=1)
    check_size("requests", n, 200)
    drawn = draw_requests(
        from_seed(integer("seed", seed)),
        n,
        count,
        number("rate_per_s", rate_per_s, above=0),
        number("service_s", service_s, above=0),
    )
    delay_s = np.inf if is_infinite(delay_s) else number("delay_s", delay_s, at_least=0)
    return (
        *drawn, count, delay_s, _rule(rule), number("budget", budget, at_least=0, at_most=1),
        *spells_of(count, spells),
    )  # fmt: skip


def simulate_hedged_requests(
    servers: int,
    rate_per_s: float,
    service_s: float,
    delay_s: float,
    *,
    rule: str = "run",
    budget: float = 1.0,
    spells: Spells = (),
    requests: int = 10_000,
    seed: int = 0,
) -> HedgedRequests:
    """Simulate requests that arrive at random, each at a random server, first come, first served.

    A request that is not answered after delay_s (inf: never) is sent to a second server too, if
    the budget allows: it begins empty, each request adds this share of a copy to it, at most 10
    copies are saved up, and each copy takes a whole one. budget = 1 is no limit. Each copy draws
    its own work, exponential with mean service_s.
    rule says what becomes of the other copy: "run": it is served all the same; "drop": it is
    dropped at its turn if the request is answered by then; "tie": also if the other copy has
    begun. spells, (server or None for all, start, length), are times in which a server stands
    still. The run ends when all copies have left.
    The closed form is `tunables.theory.duplicates`.

    Raises ValueError for fewer than 2 servers, rates and times that are not above 0, a negative
    delay, an unknown rule, a budget outside [0, 1], or spells that `spells_of` refuses.

    >>> run = simulate_hedged_requests(4, 200, 0.01, 0.02, requests=10_000, seed=1)
    >>> round(run.copies, 3), round(float(np.mean(run.latency_s)), 4)
    (0.901, 0.1573)
    >>> tied = simulate_hedged_requests(4, 200, 0.01, 0.0, rule="tie", requests=10_000, seed=1)
    >>> round(float(np.mean(tied.latency_s)), 4)
    0.0122
    >>> slow = [(0, 1.0, 2.0)]
    >>> run = simulate_hedged_requests(4, 200, 0.01, 0.05, rule="drop", spells=slow, requests=2000)
    >>> round(float(np.mean(run.latency_s)), 4)
    0.0236
    """
    settings = scenario(
        servers, rate_per_s, service_s, delay_s, rule=rule, budget=budget, spells=spells,
        requests=requests, seed=seed,
    )  # fmt: skip
    sent_s, begun_s, ended_s, answered_s = hedged_requests_kernel(*settings)
    return HedgedRequests(settings[0], answered_s, settings[2], sent_s, begun_s, ended_s)
