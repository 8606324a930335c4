"""One switch port, packet by packet: drop-tail buffer, simplified TCP, priority of first packets.

It illustrates; it is not evidence. Its results swing with the buffer, the retransmission
time-out and the size of a packet, none of which a report of completion times pins down.
"""

import math
from dataclasses import dataclass

import numpy as np

from tunables.arguments import number, whole
from tunables.simulators.cycles import closed_cycles, last_of_class, new_pools, workload
from tunables.simulators.packet_kernel import CONNECTION, COUNTS, PORT, PortSettings, run_port


@dataclass(frozen=True)
class PacketRun:
    """Seconds after which each class was done, and what happened to how many packets."""

    finished_s: np.ndarray
    packets: int
    priority_packets: int
    drops: int
    fast_retransmits: int
    timeouts: int


def _connections(pool_of, sizes_bytes, segment_bytes, capacity_bps, initial_window):
    """Return an idle connection for each user, given the size of each pool's transactions."""
    packets = np.ceil(sizes_bytes / segment_bytes)
    packet_bytes = (sizes_bytes / packets)[pool_of]
    connections = np.zeros(len(pool_of), CONNECTION).view(np.recarray)
    connections.pool, connections.packets = pool_of, packets[pool_of]
    connections.window = initial_window
    connections.threshold = math.inf
    connections.seen_s = -math.inf
    connections.packet_bytes = packet_bytes
    connections.packet_s = 8 * packet_bytes / capacity_bps
    return connections


def simulate_packets(
    population,
    size_bytes,
    transactions,
    delay_s,
    capacity_bps,
    max_packets=0,
    gap_s=0.005,
    segment_bytes=8948,
    buffer_bytes=5e6,
    round_trip_s=1e-4,
    timeout_s=0.2,
    window_bytes=4e6,
    initial_window=10,
    seed=0,
    spread=0.5,
    pooled=True,
    run=run_port,
):
    """Run the users of `simulate_flows` over one port packet by packet; return a PacketRun.

    A transaction is split into the fewest equal packets of at most segment_bytes. The port
    sends them at capacity_bps; at most buffer_bytes wait in its drop-tail queue. The first
    max_packets of a flow, which ends with a gap of gap_s, wait in a queue of their own that
    goes first and drops nothing. An acknowledgement reaches the sender round_trip_s after the
    packet has left the port. The sender's window starts with initial_window packets, grows by
    slow start and congestion avoidance up to window_bytes, is halved at the third
    acknowledgement from beyond a loss, and falls to one packet after timeout_s without any.
    Raises ValueError for what `simulate_flows` refuses, other numbers not above 0 (gap_s and
    timeout_s included), max_packets that is not a whole number, or a window or a buffer that
    cannot hold one packet.
    Source: RFC 5681 for the window; Bai et al. (2015) for the priority.

    >>> run = simulate_packets([1], [1250], [1], [1.0], 1e4, segment_bytes=1250, spread=0)
    >>> run.finished_s.tolist(), run.packets
    ([2.0001], 1)
    """
    users, sizes, counts, delays = workload(population, size_bytes, transactions, delay_s)
    capacity = number("capacity_bps", capacity_bps, above=0)
    segment = number("segment_bytes", segment_bytes, above=0)
    window = number("window_bytes", window_bytes, at_least=segment) // segment
    settings = PortSettings(
        max_packets=whole("max_packets", max_packets),
        gap_s=number("gap_s", gap_s, above=0),
        buffer_bytes=number("buffer_bytes", buffer_bytes, at_least=segment),
        round_trip_s=number("round_trip_s", round_trip_s, above=0),
        timeout_s=number("timeout_s", timeout_s, above=0),
        initial_window=float(whole("initial_window", initial_window, at_least=1)),
        max_window=window,
    )
    spread = number("spread", spread, at_least=0, at_most=1)
    cycles, class_of_pool = closed_cycles(
        users, counts, delays, whole("seed", seed), spread, pooled
    )
    connections = _connections(
        cycles[3], sizes[class_of_pool], segment, capacity, min(window, settings.initial_window)
    )
    pools = new_pools(cycles)
    port = np.zeros(1, PORT).view(np.recarray)
    port.on_wire, port.sent_s = -1, math.inf
    run(cycles[0], pools, connections, port, settings)
    counts = {name: int(port[name][0]) for name in COUNTS}
    return PacketRun(last_of_class(pools.finished_s, class_of_pool), **counts)
