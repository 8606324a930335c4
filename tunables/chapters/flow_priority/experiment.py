"""Chapter 4's compiled functions: the times of five workloads, and the packets of a small port.

The page calls them as WebAssembly.
"""

import numpy as np

from tunables.simulators.compiled import compiled, records
from tunables.simulators.cycles import draw_cycles, last_of_class, new_pools
from tunables.simulators.draws import new_state
from tunables.simulators.flows_kernel import serve_levels
from tunables.simulators.packets_kernel import (
    PACKET,
    TRANSACTION,
    PortSettings,
    new_connections,
    new_port,
    run_port,
)

# The small port of the animation.
ROUND_TRIP_S = 1e-4
TIMEOUT_S = 0.2


@compiled
def _seconds(size_bytes, capacity_bps):
    """Return how long the port takes for each size.

    It is a loop because a compiled array expression would contain the name of its file.
    """
    seconds = np.empty(len(size_bytes))
    for i in range(len(size_bytes)):
        seconds[i] = 8 * size_bytes[i] / capacity_bps
    return seconds


@compiled
def experiment(
    seed, users, capacity_bps, spread,
    size_1, size_2, size_3, size_4, size_5, count_1, count_2, count_3, count_4, count_5,
    delay_1, delay_2, delay_3, delay_4, delay_5, ahead_1, ahead_2, ahead_3, ahead_4, ahead_5,
):  # fmt: skip
    """Return when each of five classes is done, in seconds.

    In each class every user sends `count` transactions of `size` bytes. The first `ahead` bytes
    of each go ahead; if that is all of them in every class, all have equal shares. The rest is
    as in `simulate_flows`.
    """
    sizes = np.array((size_1, size_2, size_3, size_4, size_5))
    counts = np.array((count_1, count_2, count_3, count_4, count_5))
    delays_s = np.array((delay_1, delay_2, delay_3, delay_4, delay_5))
    ahead = np.array((ahead_1, ahead_2, ahead_3, ahead_4, ahead_5))
    population = np.full(len(sizes), users)
    cycles, class_of_pool = draw_cycles(population, counts, delays_s, new_state(seed), spread, True)
    pools = serve_levels(cycles, _seconds(sizes, capacity_bps), _seconds(ahead, capacity_bps))
    done_s = last_of_class(pools.finished_s, class_of_pool)
    return done_s[0], done_s[1], done_s[2], done_s[3], done_s[4]


@compiled
def _column(values, rows):
    """Return the first rows of a field of records as an array of its own."""
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
    """Return the columns of `packets_trace.PortTrace`, up to these numbers of rows.

    Users of three sizes alternate between thinking and sending, `transactions` times each, while
    each of large_users sends large_bytes without a pause. Each draws its own random numbers, so
    the i-th think time of a user is the same under all settings of the port. A window starts at
    its largest size.
    """
    population = np.array((users_1, users_2, users_3, large_users))
    sizes = np.array((size_1, size_2, size_3, large_bytes))
    counts = np.array((transactions, transactions, transactions, 1))
    delays_s = np.array((think_s, think_s, think_s, 0.0))
    cycles, class_of_pool = draw_cycles(
        population, counts, delays_s, new_state(seed), spread, False
    )
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
