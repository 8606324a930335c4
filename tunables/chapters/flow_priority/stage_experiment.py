"""What chapter 4's stage draws, compiled: a small port, packet by packet."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cycles import draw_cycles, new_pools
from tunables.simulators.draws import seeded
from tunables.simulators.packets_kernel import PortSettings, new_port, run_port
from tunables.simulators.packets_trace import PACKET, TRANSACTION
from tunables.simulators.records import records
from tunables.simulators.tcp_sender import new_connections

ROUND_TRIP_S = 1e-4
TIMEOUT_S = 0.2


@compiled
def _column(values, rows):
    """Return the first rows of a field of records as an array by itself."""
    column = np.empty(rows, values.dtype)
    for row in range(rows):
        column[row] = values[row]
    return column


@compiled
def trace(
    seed, users_1, users_2, users_3, size_1, size_2, size_3, large_users, large_bytes,
    transactions, think_s, spread, port_bps, max_packets, gap_s, segment_bytes, window_packets,
    buffer_bytes, packet_rows, transaction_rows,
):  # fmt: skip
    """Return the columns of `packets_trace.PortTrace` for so many packets and transactions.

    Users of three sizes think and send so many transactions each, while each of large_users
    sends large_bytes without a pause. Each has draws of its own: the i-th think time of a user
    is the same under all settings of the port. A window starts as wide as it may grow.
    """
    population = np.array((users_1, users_2, users_3, large_users))
    sizes = np.array((size_1, size_2, size_3, large_bytes))
    counts = np.array((transactions, transactions, transactions, 1))
    delays_s = np.array((think_s, think_s, think_s, 0.0))
    cycles, class_of_pool = draw_cycles(population, counts, delays_s, seeded(seed), spread, False)
    pools, port, window = new_pools(cycles), new_port(), float(window_packets)
    settings = PortSettings(
        max_packets, gap_s, buffer_bytes, ROUND_TRIP_S, TIMEOUT_S, window, window
    )
    connections = new_connections(cycles[3], sizes[class_of_pool], segment_bytes, port_bps, window)
    packets, begun = records(packet_rows, PACKET), records(transaction_rows, TRANSACTION)
    run_port(cycles[0], pools, connections, port, settings, packets, begun)
    sent, asked = min(packet_rows, port[0].packets), min(transaction_rows, port[0].transactions)
    return (
        _column(packets.offered_s, sent),
        _column(packets.on_wire_s, sent),
        _column(packets.left_s, sent),
        _column(packets.user, sent),
        _column(packets.transaction, sent),
        _column(packets.number, sent),
        _column(packets.lane, sent),
        _column(begun.asker, asked),
        _column(begun.begun_s, asked),
        _column(begun.answered_s, asked),
    )
