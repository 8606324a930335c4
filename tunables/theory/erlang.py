"""Erlang's formulas for c servers offered a load a = arrival rate x service time."""

from tunables.base.arguments import integer, number

_MOST_SERVERS = 1_000_000


def erlang_b(servers: int, offered_load: float) -> float:
    """Share of Poisson arrivals that find all c servers busy and leave (M/M/c/c).

    B(0) = 1, B(c) = a B(c - 1) / (c + a B(c - 1)).
    Raises ValueError for servers that is not a whole number up to a million, or a negative
    offered load.
    Source: Erlang (1917); Harchol-Balter (2013), chapter 14.

    >>> erlang_b(2, 1.0)
    0.2
    """
    c = integer("servers", servers, at_most=_MOST_SERVERS)
    a = number("offered_load", offered_load, at_least=0)
    blocked = 1.0
    for k in range(1, c + 1):
        blocked = a * blocked / (k + a * blocked)
    return blocked


def erlang_c(servers: int, offered_load: float) -> float:
    """Share of Poisson arrivals that must wait for one of c servers (M/M/c).

    C = c B / (c - a (1 - B)) for a < c, with B = erlang_b(c, a). From a = c on the queue grows
    without bound and everyone waits: 1.
    Raises ValueError for servers that is not a whole number from 1 to a million, or a negative
    offered load.
    Source: Erlang (1917); Harchol-Balter (2013), chapter 14.

    >>> round(erlang_c(2, 1.0), 6)
    0.333333
    """
    c = integer("servers", servers, at_least=1, at_most=_MOST_SERVERS)
    a = number("offered_load", offered_load, at_least=0)
    if a >= c:
        return 1.0
    blocked = erlang_b(c, a)
    return c * blocked / (c - a * (1 - blocked))
