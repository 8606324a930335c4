"""The event loop of one switch port and the simplified TCP senders behind it, compiled.

Three sources of events, each in order of time: the packet on the wire, the acknowledgements
under way (a constant delay keeps them in order), and a heap of wake-ups, which are the end of
a user's think time or, while the user has packets outstanding, a retransmission time-out.
"""

from collections import namedtuple

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cycles import start_thinking, think
from tunables.simulators.event_heap import pop, push

PortSettings = namedtuple(
    "PortSettings",
    "max_packets gap_s buffer_bytes round_trip_s timeout_s initial_window max_window",
)

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
    ],
    align=True,
)
COUNTS = ("packets", "priority_packets", "drops", "fast_retransmits", "timeouts")
_PACKETS, _PRIORITY, _DROPS, _FAST_RETRANSMITS, _TIMEOUTS = range(len(COUNTS))
_AHEAD, _BEHIND, _ACKS = range(3)  # the rings of users: two queues and acknowledgements


@compiled
def _append(rings, heads, sizes, ring, user):
    """Append user to one of the rings."""
    rings[ring, (heads[ring] + sizes[ring]) & (rings.shape[1] - 1)] = user
    sizes[ring] += 1


@compiled
def _take(rings, heads, sizes, ring):
    user = rings[ring, heads[ring]]
    heads[ring] = (heads[ring] + 1) & (rings.shape[1] - 1)
    sizes[ring] -= 1
    return user


@compiled
def _offer(user, c, now, buffered_bytes, settings, rings, heads, sizes, counts):
    """Offer the port one packet of connection c; return the bytes now in the drop-tail queue.

    The first max_packets of a flow join the priority queue, which drops nothing.
    """
    c.in_flow = 1 if now - c.seen_s >= settings.gap_s else c.in_flow + 1
    c.seen_s = now
    c.unsent -= 1
    counts[_PACKETS] += 1
    if c.in_flow <= settings.max_packets:
        counts[_PRIORITY] += 1
        _append(rings, heads, sizes, _AHEAD, user)
        c.flight += 1
    elif buffered_bytes + c.packet_bytes <= settings.buffer_bytes:
        _append(rings, heads, sizes, _BEHIND, user)
        c.flight += 1
        buffered_bytes += c.packet_bytes
    else:
        counts[_DROPS] += 1
        if c.lost == 0:
            c.ahead, c.duplicates = c.flight, 0
        c.lost += 1
    return buffered_bytes


@compiled
def _send(user, c, now, buffered_bytes, settings, rings, heads, sizes, counts):
    """Offer the port all that the window allows; return the bytes in the drop-tail queue."""
    while c.unsent > 0 and c.flight + c.lost < int(c.window):
        buffered_bytes = _offer(user, c, now, buffered_bytes, settings, rings, heads, sizes, counts)
    return buffered_bytes


@compiled
def _next_on_wire(rings, heads, sizes, connections, buffered_bytes):
    """Return the user whose packet the port sends next, -1 for none, and the bytes left waiting."""
    if sizes[_AHEAD] > 0:
        return _take(rings, heads, sizes, _AHEAD), buffered_bytes
    if sizes[_BEHIND] == 0:
        return -1, buffered_bytes
    user = _take(rings, heads, sizes, _BEHIND)
    return user, buffered_bytes - connections[user].packet_bytes


@compiled
def _acknowledged(c, settings, counts):
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
            counts[_FAST_RETRANSMITS] += 1
            if c.recovery == 0:
                c.threshold = max(c.window / 2, 2.0)
                c.window = c.threshold
                c.recovery = c.flight + c.lost
            c.unsent += c.lost
            c.lost, c.duplicates = 0, 0


@compiled
def _timed_out(c, counts):
    counts[_TIMEOUTS] += 1
    c.threshold = max(c.window / 2, 2.0)
    c.window = 1.0
    c.unsent += c.lost
    c.lost, c.recovery = 0, 0


@compiled
def _begin(c, packets, now, settings):
    """Start a transaction; a window that has idled for a time-out is no longer trusted."""
    if now - c.seen_s > settings.timeout_s:
        c.window = min(c.window, settings.initial_window)
    c.unsent = c.unacked = packets
    c.recovery = 0


@compiled
def _new_line(packets_at_most):
    """Return empty rings for that many packets, and for the times of the acknowledgements."""
    size = 1
    while size < packets_at_most:
        size *= 2
    return (
        np.empty((3, size), np.int32),
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.empty(size),
    )


@compiled
def run_port(cycles, packets, connections, settings):
    """Return the time each pool's last transaction ends, and the counts named in COUNTS.

    packets[p] is the number of packets of a transaction of pool p.
    """
    issued, wakes, waiting = start_thinking(cycles)
    pool_of = cycles[3]
    rings, heads, sizes, ack_s = _new_line(pool_of.size * settings.max_window)
    counts = np.zeros(len(COUNTS), np.int64)
    finished = np.zeros(packets.size)
    buffered_bytes = 0.0
    on_wire, sent_s = -1, np.inf
    while waiting + sizes[_ACKS] > 0 or on_wire >= 0:
        wake = wakes[0][0] if waiting else np.inf
        ack = ack_s[heads[_ACKS]] if sizes[_ACKS] else np.inf
        now = min(ack, sent_s, wake)
        if now == ack:
            user = _take(rings, heads, sizes, _ACKS)
            c = connections[user]
            _acknowledged(c, settings, counts)
            if c.unacked == 0:
                finished[pool_of[user]] = now
                waiting = think(user, now, cycles, issued, wakes, waiting)
        elif now == sent_s:
            user = on_wire
            c = connections[user]
            ack_s[(heads[_ACKS] + sizes[_ACKS]) & (ack_s.size - 1)] = now + settings.round_trip_s
            _append(rings, heads, sizes, _ACKS, user)
            on_wire, sent_s = -1, np.inf
        else:
            user, waiting = pop(wakes, waiting)
            c = connections[user]
            if c.unacked > 0:
                _timed_out(c, counts)
            else:
                _begin(c, packets[pool_of[user]], now, settings)
        buffered_bytes = _send(user, c, now, buffered_bytes, settings, rings, heads, sizes, counts)
        if c.flight == 0 and c.lost > 0:  # no acknowledgement will tell the sender
            waiting = push(wakes, waiting, now + settings.timeout_s, now, user)
        if on_wire < 0:
            on_wire, buffered_bytes = _next_on_wire(
                rings, heads, sizes, connections, buffered_bytes
            )
            if on_wire >= 0:
                sent_s = now + connections[on_wire].packet_s
    return finished, counts
