"""What chapter 4's stage draws: the packets of a small port; runs in the page too.

It illustrates the queue of the last packet; it is no evidence.
"""

import math

from tunables.chapters.flow_priority.predictor import HEADER_BYTES, SIZE_BYTES
from tunables.chapters.flow_priority.stage_experiment import trace
from tunables.plain.arguments import choice, number, numbers, run_seed, same_length, whole
from tunables.theory.last_packet import last_packet_times

PACKET_ROWS, TRANSACTION_ROWS = 30_000, 5_000  # 1.8 MB, of the 2 that a stage may have
SMALL_BYTES = SIZE_BYTES[:3]
MOST_USERS = 1_000

# What the page replays.
SEED, SECONDS, ROWS = 1, 3.0, 10_000
USERS, LARGE_USERS, WINDOW_PACKETS = (2, 2, 2), 4, 16
PORT_BPS, MTU_BYTES, THINK_S = 2e8, 9000, 0.1
OWNER = tuple(size for size, count in enumerate(USERS) for _ in range(count))  # by user: size
PACKETS = tuple(math.ceil(size / (MTU_BYTES - HEADER_BYTES)) for size in SMALL_BYTES)
# How long a flow must pause to count as new. The large flows' queue takes 23 ms: with the shorter
# one they are new again and again, and no closed form here knows of it.
GAPS_S = {"45 ms": 0.045, "15 ms": 0.015}
LONG = "45 ms"


def events(
    seed,
    *,
    max_packets,
    users=USERS,
    large_users=LARGE_USERS,
    think_s=THINK_S,
    spread=0.5,
    port_rate_gbps=PORT_BPS / 1e9,
    gap_s=GAPS_S[LONG],
    window_packets=WINDOW_PACKETS,
    mtu_bytes=MTU_BYTES,
    buffer_bytes=20e6,
    seconds=10.0,
    packet_rows=PACKET_ROWS,
    transaction_rows=TRANSACTION_ROWS,
) -> tuple:
    """Return the columns of `tunables.simulators.packets_trace.PortTrace`, in order of time.

    users: how many send transactions of 18, 64 and 128 KB; large_users send without a pause, and
    each has window_packets at most under way. They are numbered in that order, from 0. The
    columns end with their rows, or when all that was begun in so many seconds has been sent.
    Raises ValueError for settings outside their range, by their names.

    >>> columns = events(1, max_packets=15, seconds=1.0)
    >>> offered_s, on_wire_s, left_s, user, transaction, number, lane = columns[:7]
    >>> [int(n) for n, whose in zip(number, user) if whose == 0][:6]
    [0, 1, 2, 0, 1, 2]
    """
    rate_bps = 1e9 * number("port_rate_gbps", port_rate_gbps, above=0, at_most=100)
    end_s = number("seconds", seconds, above=0, at_most=1000)
    least_s = number("think_s", think_s, above=0) * (1 - number("spread", spread, at_least=0))
    each = whole("transactions", end_s / number("least think time", least_s, above=1e-4) // 1) + 1
    small = [whole("users", n, at_most=MOST_USERS) for n in numbers("users", users)]
    same_length(users=small, sizes=SMALL_BYTES)
    large = whole("large_users", large_users, at_least=1, at_most=MOST_USERS)
    segment = whole("mtu_bytes", mtu_bytes, at_least=HEADER_BYTES + 1) - HEADER_BYTES
    whose = [run_seed(seed)] + small + [float(size) for size in SMALL_BYTES]
    rest = (
        large,
        2 * rate_bps * end_s / 8 / large,  # more than the port carries till then
        each,
        float(think_s),
        float(spread),
        rate_bps,
        whole("max_packets", max_packets, at_most=10**9),
        number("gap_s", gap_s, above=0),
        float(segment),
        whole("window_packets", window_packets, at_least=1, at_most=10**5),
        number("buffer_bytes", buffer_bytes, at_least=segment),
        whole("packet_rows", packet_rows, at_most=10**6),
        whole("transaction_rows", transaction_rows, at_most=10**6),
    )
    return trace(*(whose + list(rest)))


def _steps(numbers) -> list:
    """Return the first number and how far each is from the one before: short words for a page."""
    return [after - before for before, after in zip([0] + numbers, numbers)]


def _formula_ms(max_packets, size) -> float:
    """Return when a transaction's last packet has left, by the closed form."""
    backlog_s = LARGE_USERS * WINDOW_PACKETS * 8 * (MTU_BYTES - HEADER_BYTES) / PORT_BPS
    work_s = [8 * each / PORT_BPS for each in SMALL_BYTES]
    times_s = last_packet_times(USERS, work_s, PACKETS, THINK_S, backlog_s, max_packets)
    return 1e3 * times_s[size]


def play(*, max_packets, user, gap) -> dict:
    """Return what the stage replays: some seconds of a port of 200 Mb/s, watching one user.

    user: "1" to "6"; gap: a key of `GAPS_S`. A row a packet, in the order in which they came:
    "offered", microseconds after the one before; "waits", microseconds until it was on the wire;
    "takes" there; "user", from 0, "number", of the packet in its transaction (0 for large flows,
    which have no end), and "lane" as in `tunables.simulators.packets_trace`. "packets" has how many
    a transaction of the watched user has, "formula" the milliseconds that the closed form gives
    until its last one has left, or None where it does not hold.
    Raises ValueError for settings that the stage does not have.
    """
    watched = int(choice("user", user, [str(n + 1) for n in range(len(OWNER))])) - 1
    gap_s = GAPS_S[choice("gap", gap, list(GAPS_S))]
    columns = events(SEED, max_packets=max_packets, gap_s=gap_s, seconds=SECONDS, packet_rows=ROWS)
    count = len([at_s for at_s in columns[0] if at_s < SECONDS])
    offered, on_wire, left = (
        [int(1e6 * at_s + 0.5) for at_s in columns[n][:count]] for n in range(3)
    )
    of_user = [int(each) for each in columns[3][:count]]
    size = OWNER[watched]
    return {
        "watched": watched,
        "users": len(OWNER),
        "ahead": max_packets,
        "packets": PACKETS[size],
        "gap": gap,
        "end": int(1e6 * SECONDS),
        "formula": _formula_ms(max_packets, size) if gap == LONG else None,
        "offered": _steps(offered),
        "waits": [begun - came for came, begun in zip(offered, on_wire)],
        "takes": [gone - begun for begun, gone in zip(on_wire, left)],
        "user": of_user,
        "number": [int(n) if u < len(OWNER) else 0 for n, u in zip(columns[5], of_user)],
        "lane": [int(lane) for lane in columns[6][:count]],
    }
