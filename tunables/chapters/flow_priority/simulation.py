"""Chapter 4's simulations: all transactions event by event, the map's, and the animation's.

They run in the page too. The animation's small port illustrates the queue of the last packet; it
is no evidence.
"""

import math

from tunables.base.arguments import (
    choice,
    floats,
    integer,
    number,
    numbers,
    run_seed,
    same_length,
)
from tunables.base.portable import memoize
from tunables.chapters.flow_priority.experiment import experiment, trace
from tunables.chapters.flow_priority.predictor import (
    ALONE_S,
    CLASSES,
    HEADER_BYTES,
    SIZE_BYTES,
    TRANSACTIONS,
    effective_priority,
    latencies,
    predict,
)
from tunables.theory.last_packet import last_packet_times
from tunables.theory.shared_port import calibrate_delay

RUNS = 3
MOST_USERS = 9000  # in each class; they carry out 10^9 transactions
SPREAD = 0.5  # of the delays, to either side

# The map.
MAP_USERS = 48  # in all runs of a cell together, because runs with few users are noisy
MAP_FEWEST_RUNS, MAP_MOST_RUNS = 3, 12
MAP_SHARE = 40  # one transaction in 40 is simulated, and its time scaled up
MAP_CLASS = "large_1"

# The animation.
PACKET_ROWS, TRANSACTION_ROWS = 30_000, 5_000  # 1.8 MB of the 2 MB allowed to an animation
SMALL_BYTES = SIZE_BYTES[:3]
MOST_PORT_USERS = 1_000

# The run that the page replays.
SEED, SECONDS, ROWS = 1, 3.0, 10_000
USERS, LARGE_USERS, WINDOW_PACKETS = (2, 2, 2), 4, 16
PORT_BPS, MTU_BYTES, THINK_S = 2e8, 9000, 0.1
OWNER = tuple(size for size, count in enumerate(USERS) for _ in range(count))  # size, by user
PACKETS = tuple(math.ceil(size / (MTU_BYTES - HEADER_BYTES)) for size in SMALL_BYTES)
# How long a flow must pause to count as new. The large flows' queue takes 23 ms, so with the
# shorter gap they count as new again and again, which no closed form here describes.
GAPS_S = {"45 ms": 0.045, "15 ms": 0.015}
LONG = "45 ms"


def _delays_of(table_1_users, table_1_port_rate_gbps) -> list:
    """Return the delay of each class, in seconds, that gives Table 1's time alone."""
    alone = [int(table_1_users)] * len(CLASSES)
    return calibrate_delay(alone, SIZE_BYTES, TRANSACTIONS, ALONE_S, 1e9 * table_1_port_rate_gbps)


delays_of = memoize(_delays_of)  # the same for all runs of a setting


def ahead_bytes(settings) -> float:
    """Return how many bytes of each transaction go ahead with DPP."""
    return int(settings["max_packets"]) * (settings["mtu_bytes"] - HEADER_BYTES)


def end_times(seed, settings, column, ahead, transactions=TRANSACTIONS, spread=SPREAD) -> list:
    """Return when each class is done, in seconds; column: "without" DPP or "with" it.

    settings: the parameters of `predict`; ahead: bytes of each transaction that go ahead with
    DPP; transactions: how many each user of a class carries out.
    """
    residuals = [settings[f"{name}_residual_s"] for name in CLASSES[:3]]
    extra = latencies(
        settings["structure"],
        SIZE_BYTES,
        ahead,
        settings["queueing_delay_s"],
        residuals,
        settings["medium_excess_s"],
    )
    delays = delays_of(settings["table_1_users"], settings["table_1_port_rate_gbps"])
    # Without DPP all bytes are on one level, as if all went ahead.
    all_bytes = [max(SIZE_BYTES)] * len(SIZE_BYTES)
    first = effective_priority(SIZE_BYTES, ahead) if column == "with" else all_bytes
    classes = (
        [float(size) for size in SIZE_BYTES]
        + [int(count) for count in transactions]
        + [float(delay + more) for delay, more in zip(delays, extra)]
        + [float(priority) for priority in first]
    )
    users = integer("users", settings["users"], at_least=1, at_most=MOST_USERS)
    rate_bps = 1e9 * number("port_rate_gbps", settings["port_rate_gbps"], above=0)
    return list(experiment(run_seed(seed), users, rate_bps, float(spread), *classes))


def run(seed, **settings) -> dict:
    """Return the ten times of Table 2, each column from its own run with the same random draws.

    Raises ValueError for settings that `predict` refuses.
    """
    predict(**settings)
    settings = floats(settings)
    columns = {
        "without": end_times(seed, settings, "without", 0.0),
        "with": end_times(seed, settings, "with", ahead_bytes(settings)),
    }
    return {
        f"{name}_{column}_s": end_s
        for column, ends_s in columns.items()
        for name, end_s in zip(CLASSES, ends_s)
    }


def map_runs_needed(*, users, **_) -> int:
    """Return how many runs of the map are needed: more for few users, whose runs are noisy."""
    return min(max(MAP_USERS // int(users), MAP_FEWEST_RUNS), MAP_MOST_RUNS)


def run_of_map(seed, *, spread, **settings) -> dict:
    """Return the seconds that large 1 takes with DPP, from a shortened test of all classes.

    Raises ValueError for settings that `predict` refuses, or a spread outside [0, 1].
    """
    predict(**settings)
    settings = floats(settings)
    spread = number("spread", spread, at_least=0, at_most=1)
    transactions = [round(count / MAP_SHARE) for count in TRANSACTIONS]
    ends_s = end_times(seed, settings, "with", ahead_bytes(settings), transactions, spread)
    k = CLASSES.index(MAP_CLASS)
    return {f"{MAP_CLASS}_with_s": ends_s[k] * TRANSACTIONS[k] / transactions[k]}


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
    """Return the columns of `tunables.simulators.packets_kernel.PortTrace`, in order of time.

    users: how many send transactions of 18, 64 and 128 KB; large_users send without a pause, with
    at most window_packets under way each. They are numbered in that order, from 0. The columns
    end when their rows are full, or when all that began within `seconds` has been sent.
    Raises ValueError for settings outside their range, by their names.

    >>> columns = events(1, max_packets=15, seconds=1.0)
    >>> offered_s, on_wire_s, left_s, user, transaction, number, lane = columns[:7]
    >>> [int(n) for n, whose in zip(number, user) if whose == 0][:6]
    [0, 1, 2, 0, 1, 2]
    """
    rate_bps = 1e9 * number("port_rate_gbps", port_rate_gbps, above=0, at_most=100)
    end_s = number("seconds", seconds, above=0, at_most=1000)
    least_s = number("think_s", think_s, above=0) * (1 - number("spread", spread, at_least=0))
    each = integer("transactions", end_s / number("least think time", least_s, above=1e-4) // 1) + 1
    small = [integer("users", n, at_most=MOST_PORT_USERS) for n in numbers("users", users)]
    same_length(users=small, sizes=SMALL_BYTES)
    large = integer("large_users", large_users, at_least=1, at_most=MOST_PORT_USERS)
    segment = integer("mtu_bytes", mtu_bytes, at_least=HEADER_BYTES + 1) - HEADER_BYTES
    whose = [run_seed(seed)] + small + [float(size) for size in SMALL_BYTES]
    rest = (
        large,
        2 * rate_bps * end_s / 8 / large,  # more than the port can carry in that time
        each,
        float(think_s),
        float(spread),
        rate_bps,
        integer("max_packets", max_packets, at_most=10**9),
        number("gap_s", gap_s, above=0),
        float(segment),
        integer("window_packets", window_packets, at_least=1, at_most=10**5),
        number("buffer_bytes", buffer_bytes, at_least=segment),
        integer("packet_rows", packet_rows, at_most=10**6),
        integer("transaction_rows", transaction_rows, at_most=10**6),
    )
    return trace(*(whose + list(rest)))


def _increments(values) -> list:
    """Return each value less the one before it: shorter numbers for the page."""
    return [after - before for before, after in zip([0] + values, values)]


def _formula_ms(max_packets, size) -> float:
    """Return after how many ms per transaction's last packet has left, by the closed form."""
    backlog_s = LARGE_USERS * WINDOW_PACKETS * 8 * (MTU_BYTES - HEADER_BYTES) / PORT_BPS
    work_s = [8 * each / PORT_BPS for each in SMALL_BYTES]
    times_s = last_packet_times(USERS, work_s, PACKETS, THINK_S, backlog_s, max_packets)
    return 1e3 * times_s[size]


def play(*, max_packets, user, gap) -> dict:
    """Return what the animation replays: some seconds of a port of 200 Mb/s, watching one user.

    user: "1" to "6"; gap: a key of `GAPS_S`. The columns have one row per packet, in order:
    "offered", microseconds after the packet before; "waits", microseconds until it is on the wire;
    "takes", microseconds on the wire; "user", from 0; "number", of the packet in its transaction
    (0 for large flows, which have no end); and "lane" as in `tunables.simulators.packets_kernel`.
    "packets" is the number of packets in a transaction of the watched user, and "formula" the
    milliseconds until its last one has left by the closed form, or None where that does not hold.
    Raises ValueError for settings that the animation does not have.
    """
    watched = int(choice("user", user, [str(n + 1) for n in range(len(OWNER))])) - 1
    max_packets = integer("max_packets", max_packets, at_most=10**9)
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
        "offered": _increments(offered),
        "waits": [begun - came for came, begun in zip(offered, on_wire)],
        "takes": [gone - begun for begun, gone in zip(on_wire, left)],
        "user": of_user,
        "number": [int(n) if u < len(OWNER) else 0 for n, u in zip(columns[5], of_user)],
        "lane": [int(lane) for lane in columns[6][:count]],
    }
