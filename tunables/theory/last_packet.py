"""Transactions of a few packets before and behind a standing queue: when the last packet leaves."""

from tunables.base.arguments import integer, number, numbers, same_length
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum
from tunables.theory.shared_port import per_class

_ROUNDS = 200


def last_packet_times(
    population: Numbers,
    work_s: Numbers,
    packets: Numbers,
    think_s: float,
    backlog_s: float,
    max_packets: int,
) -> list[float]:
    """Seconds D_k from a transaction's start until its last packet has left, approximately.

    D_k = (B_k + S_k) / (1 - rho_k). Users of class k send transactions of packets[k] packets,
    which take the port S_k = work_s[k] in all, and think for think_s[k] in between. The port's
    ordinary queue always holds backlog_s of large flows' packets; the first max_packets packets
    of a transaction go ahead of it. B_k is 0 where all of them do, else backlog_s. rho_k is the
    load of the other users' bytes that come first: those ahead and, for a last packet that is
    behind the backlog, all others too, since they are found waiting. Solved by iteration, because
    each load depends on the other times. A fluid in place of packets: within some per cent of the
    simulation while transactions take the port much longer than one packet of the backlog does.
    Raises ValueError for lengths that differ, population or packets that are not whole numbers
    at least 1, work, think or backlog times that are negative or not finite, work_s of 0, or
    users who could fill the port.

    >>> times = last_packet_times([2, 2, 2], [72e-5, 256e-5, 512e-5], [3, 8, 15], 0.1, 0.02291, 15)
    >>> round(times[2] * 1e3, 2)  # ms
    5.77
    >>> times = last_packet_times([2, 1], [0.001, 0.005], [3, 15], [0.1, 0.2], 0.02, 14)
    >>> [round(time * 1e3, 2) for time in times]
    [1.03, 25.5]
    """
    users = [integer("population", n, at_least=1) for n in numbers("population", population)]
    works = numbers("work_s", work_s, above=0)
    lengths = [integer("packets", n, at_least=1) for n in numbers("packets", packets)]
    same_length(population=users, work_s=works, packets=lengths)
    thinks = per_class("think_s", think_s, len(users))
    backlog = number("backlog_s", backlog_s, at_least=0)
    ahead = integer("max_packets", max_packets)
    number(
        "load of the transactions",
        plain_sum(n * s / (z + s) for n, s, z in zip(users, works, thinks)),
        below=1,
    )
    behind = [n > ahead for n in lengths]
    waits = [s + (backlog if last else 0.0) for s, last in zip(works, behind)]
    first = [s * min(1.0, ahead / n) for s, n in zip(works, lengths)]
    times = waits
    for _ in range(_ROUNDS):
        before = times
        times = []
        for k, wait in enumerate(waits):
            others = [n - (j == k) for j, n in enumerate(users)]
            comes = works if behind[k] else first
            load = plain_sum(m * s / (z + d) for m, s, z, d in zip(others, comes, thinks, before))
            # Half a step: a longer time makes a lighter load, and full steps may oscillate.
            times.append((before[k] + wait / (1 - load)) / 2)
        if max(abs(a - b) for a, b in zip(times, before)) <= 1e-12 * max(times):
            break
    return times
