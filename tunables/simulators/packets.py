"""One switch port, packet by packet: drop-tail buffer, simplified TCP, priority of first packets.

It is an illustration, not evidence. Its results depend strongly on the buffer, the retransmission
timeout and the packet size, none of which follows from a report of completion times.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tunables.base.arguments import integer, number
from tunables.base.kinds import Numbers
from tunables.simulators.cycles import closed_cycles, last_of_class, new_pools, workload
from tunables.simulators.flows_kernel import NOBODY
from tunables.simulators.keywords import check_keywords
from tunables.simulators.limits import MOST_ENTRIES, check_size
from tunables.simulators.packets_kernel import (
    COLUMNS,
    COUNTS,
    PACKET,
    TRANSACTION,
    PortSettings,
    PortTrace,
    new_connections,
    new_port,
    run_port,
)


@dataclass(frozen=True)
class PacketRun:
    """Seconds after which each class was finished, and numbers of packets and events.

    finished_s: one entry for each class
    packets: sent in all, priority_packets of them ahead of the others
    drops: packets that found the buffer full
    fast_retransmits, timeouts: losses that the third acknowledgement showed, or none at all
    """

    finished_s: np.ndarray
    packets: int
    priority_packets: int
    drops: int
    fast_retransmits: int
    timeouts: int


def _check_length(jobs, sizes_bytes, users, capacity_bps, segment_bytes, settings):
    """Refuse settings with more packets sent, under way or repeated than can be simulated.

    A timeout passes while the port works, so its work divided by the timeout bounds their number.
    """
    packets = float((jobs * np.ceil(sizes_bytes / segment_bytes)).sum())
    check_size("packets (population * transactions * size_bytes / segment_bytes)", packets)
    work_s = 8 * float((jobs * sizes_bytes).sum()) / capacity_bps
    check_size(
        "timeouts while the port is busy (8 * bytes / capacity_bps / timeout_s)",
        work_s / settings.timeout_s,
    )
    check_size(
        "packets in flight (population * window_bytes / segment_bytes)",
        float(users.sum() * settings.max_window),
    )


def simulate_packets(
    population: Numbers,
    size_bytes: Numbers,
    transactions: Numbers,
    delay_s: Numbers,
    capacity_bps: float,
    max_packets: int = 0,
    gap_s: float = 0.005,
    segment_bytes: float = 8948,
    buffer_bytes: float = 5e6,
    round_trip_s: float = 1e-4,
    timeout_s: float = 0.2,
    window_bytes: float = 4e6,
    initial_window: int = 10,
    seed: int = 0,
    spread: float = 0.5,
    pooled: bool = True,
    run=None,
    trace=None,
) -> PacketRun:
    """Run the users of `simulate_flows` over one port packet by packet; return a PacketRun.

    A transaction is split into the fewest equal packets of at most segment_bytes. The port
    sends them at capacity_bps; at most buffer_bytes wait in its drop-tail queue. The first
    max_packets of a flow, which ends with a gap of gap_s, wait in a separate queue that goes
    first and drops nothing. An acknowledgement reaches the sender round_trip_s after the
    packet has left the port. The sender's window starts with initial_window packets, grows by
    slow start and congestion avoidance up to window_bytes, is halved at the third
    acknowledgement from beyond a loss, and falls to one packet after timeout_s without any.
    Raises ValueError for what `simulate_flows` refuses, other numbers not above 0 (gap_s and
    timeout_s included), max_packets that is not a whole number, or a window or a buffer that
    cannot hold one packet.
    run: `packets_reference.run_port`, for tests; trace: tables to write into, see `trace_packets`.
    Source: RFC 5681 for the window; Bai et al. (2015) for the priority.

    >>> run = simulate_packets([1], [1250], [1], [1.0], 1e4, segment_bytes=1250, spread=0)
    >>> run.finished_s.tolist(), run.packets
    ([2.0001], 1)
    >>> users = {"population": [2, 1], "size_bytes": [18e3, 8e5], "transactions": [40, 5]}
    >>> users |= {"delay_s": [0.007, 0.5], "timeout_s": 0.05, "window_bytes": 4e5, "seed": 1}
    >>> port = {"capacity_bps": 9.5e9, "max_packets": 3, "buffer_bytes": 5e5}
    >>> both = [simulate_packets(**users, **port, pooled=pooled) for pooled in (True, False)]
    >>> [run.finished_s.round(3).tolist() for run in both]
    [[0.298, 2.613], [0.306, 2.613]]
    """
    users, sizes, counts, delays = workload(population, size_bytes, transactions, delay_s)
    capacity = number("capacity_bps", capacity_bps, above=0)
    segment = number("segment_bytes", segment_bytes, above=0)
    window = number("window_bytes", window_bytes, at_least=segment) // segment
    settings = PortSettings(
        max_packets=min(integer("max_packets", max_packets), MOST_ENTRIES),
        gap_s=number("gap_s", gap_s, above=0),
        buffer_bytes=number("buffer_bytes", buffer_bytes, at_least=segment),
        round_trip_s=number("round_trip_s", round_trip_s, above=0),
        timeout_s=number("timeout_s", timeout_s, above=0),
        initial_window=float(integer("initial_window", initial_window, at_least=1)),
        max_window=window,
    )
    _check_length(users * counts, sizes, users, capacity, segment, settings)
    spread = number("spread", spread, at_least=0, at_most=1)
    cycles, class_of_pool = closed_cycles(
        users, counts, delays, integer("seed", seed), spread, pooled
    )
    size_of_pool, first_window = sizes[class_of_pool], min(window, settings.initial_window)
    connections, pools, port = (
        table.view(np.recarray)
        for table in (
            new_connections(cycles[3], size_of_pool, segment, capacity, first_window),
            new_pools(cycles),
            new_port(),
        )
    )
    (run or run_port)(cycles[0], pools, connections, port, settings, *(trace or _tables(0, 0)))
    counts = {name: int(port[name][0]) for name in COUNTS}
    return PacketRun(last_of_class(pools.finished_s, class_of_pool), **counts)


def _tables(packets, transactions):
    kinds = (packets, PACKET), (transactions, TRANSACTION)
    return tuple(np.zeros(rows, kind).view(np.recarray) for rows, kind in kinds)


def trace_packets(
    population: Numbers,
    size_bytes: Numbers,
    transactions: Numbers,
    delay_s: Numbers,
    capacity_bps: float,
    packet_rows: int = 30_000,
    transaction_rows: int = 3_000,
    **options: Any,
) -> tuple[PacketRun, PortTrace]:
    """Return the PacketRun of `simulate_packets` with these arguments, and what happened.

    The latter is a `packets_kernel.PortTrace` of at most packet_rows packets and transaction_rows
    transactions; the time of an event that never happened is infinity.
    Raises ValueError for what `simulate_packets` refuses, and for rows that are no whole number.

    >>> run, trace = trace_packets([1], [2500], [1], [1.0], 1e4, segment_bytes=1250, spread=0)
    >>> trace.begun_s.tolist(), trace.left_s.tolist(), trace.number.tolist()
    ([1.0], [2.0, 3.0], [0, 1])
    """
    check_keywords(trace_packets, options, simulate_packets)
    tables = _tables(
        integer("packet_rows", packet_rows, at_most=MOST_ENTRIES),
        integer("transaction_rows", transaction_rows, at_most=MOST_ENTRIES),
    )
    tables[1].asker = NOBODY
    workload = population, size_bytes, transactions, delay_s, capacity_bps
    run = simulate_packets(*workload, trace=tables, **options)
    begun = tables[1][tables[1].asker != NOBODY]
    packets = tables[0][: run.packets]
    return run, PortTrace(
        *(packets[name].copy() for name in PortTrace._fields[:COLUMNS]),
        *(begun[name].copy() for name in PortTrace._fields[COLUMNS:]),
    )
