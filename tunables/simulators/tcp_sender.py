"""A simplified TCP sender, compiled: its window, and what it does about losses.

`port` counts the fast retransmits and time-outs of all, `settings` are those of the port.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.records import records

# One connection a user. Counts are in packets; `window` and `threshold` are TCP's, fractional.
CONNECTION = np.dtype(
    [
        ("window", "f8"),
        ("threshold", "f8"),
        ("unsent", "i8"),
        ("unacked", "i8"),
        ("flight", "i8"),  # sent, not lost, not acknowledged
        ("lost", "i8"),  # dropped and not yet noticed by the sender
        ("ahead", "i8"),  # acknowledgements still to come from before the first of the lost
        ("duplicates", "i8"),  # acknowledgements that came after them
        ("recovery", "i8"),  # acknowledgements until the window may be halved again
        ("in_flow", "i8"),  # packets of the current flow that the port has seen
        ("seen_s", "f8"),  # when the port saw the last one
        ("packet_bytes", "f8"),
        ("packet_s", "f8"),
        ("packets", "i8"),  # of a transaction
        ("pool", "i8"),
        ("transaction", "i8"),  # how many had begun before it, of all users
    ],
    align=True,
)


@compiled
def new_connections(pool_of, size_bytes, segment_bytes, capacity_bps, window):
    """Return an idle connection for each user; size_bytes: of a transaction of each pool.

    A transaction is split into the fewest equal packets of at most segment_bytes.
    """
    connections = records(len(pool_of), CONNECTION)
    for user in range(len(pool_of)):
        c, size = connections[user], size_bytes[pool_of[user]]
        packets = np.ceil(size / segment_bytes)
        c.pool, c.packets = pool_of[user], int(packets)
        c.window, c.threshold, c.seen_s = window, np.inf, -np.inf
        c.packet_bytes = size / packets
        c.packet_s = 8 * c.packet_bytes / capacity_bps
    return connections


@compiled
def acknowledged(c, port, settings):
    """Update connection c for one acknowledgement: window growth, loss, fast retransmit."""
    c.flight -= 1
    c.unacked -= 1
    if c.recovery > 0:
        c.recovery -= 1
    elif c.lost == 0 or c.ahead > 0:
        growth = 1.0 if c.window < c.threshold else 1 / c.window
        c.window = min(c.window + growth, settings.max_window)
    if c.lost > 0:
        if c.ahead > 0:
            c.ahead -= 1
        else:
            c.duplicates += 1
        if c.duplicates == 3:
            port.fast_retransmits += 1
            if c.recovery == 0:
                c.threshold = max(c.window / 2, 2.0)
                c.window = c.threshold
                c.recovery = c.flight + c.lost
            c.unsent += c.lost
            c.lost, c.duplicates = 0, 0


@compiled
def timed_out(c, port):
    """Update connection c for a retransmission time-out: all that was lost is sent again."""
    port.timeouts += 1
    c.threshold = max(c.window / 2, 2.0)
    c.window = 1.0
    c.unsent += c.lost
    c.lost, c.recovery = 0, 0


@compiled
def begin(c, now, settings):
    """Start a transaction; a window that has idled for a time-out is no longer trusted."""
    if now - c.seen_s > settings.timeout_s:
        c.window = min(c.window, settings.initial_window)
    c.unsent = c.unacked = c.packets
    c.recovery = 0
