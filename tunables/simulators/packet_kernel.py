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
        ("packets", "i8"),  # of a transaction
        ("pool", "i8"),
    ],
    align=True,
)
COUNTS = ("packets", "priority_packets", "drops", "fast_retransmits", "timeouts")
PORT = np.dtype(
    [
        ("buffered_bytes", "f8"),  # in the drop-tail queue
        ("sent_s", "f8"),  # when the packet on the wire will have left
        ("on_wire", "i8"),  # whose packet that is, -1 for nobody's
        *((name, "i8") for name in COUNTS),
    ],
    align=True,
)
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
def _offer(user, c, port, now, settings, rings, heads, sizes):
    """Offer the port one packet of connection c; an idle port takes it on the wire at once.

    The first max_packets of a flow join the priority queue, which drops nothing.
    """
    c.in_flow = 1 if now - c.seen_s >= settings.gap_s else c.in_flow + 1
    c.seen_s = now
    c.unsent -= 1
    c.flight += 1
    port.packets += 1
    first = c.in_flow <= settings.max_packets
    if first:
        port.priority_packets += 1
    if port.on_wire < 0:
        port.on_wire, port.sent_s = user, now + c.packet_s
    elif first:
        _append(rings, heads, sizes, _AHEAD, user)
    elif port.buffered_bytes + c.packet_bytes <= settings.buffer_bytes:
        _append(rings, heads, sizes, _BEHIND, user)
        port.buffered_bytes += c.packet_bytes
    else:
        port.drops += 1
        c.flight -= 1
        if c.lost == 0:
            c.ahead, c.duplicates = c.flight, 0
        c.lost += 1


@compiled
def _acknowledged(c, port, settings):
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
def _timed_out(c, port):
    port.timeouts += 1
    c.threshold = max(c.window / 2, 2.0)
    c.window = 1.0
    c.unsent += c.lost
    c.lost, c.recovery = 0, 0


@compiled
def _begin(c, now, settings):
    """Start a transaction; a window that has idled for a time-out is no longer trusted."""
    if now - c.seen_s > settings.timeout_s:
        c.window = min(c.window, settings.initial_window)
    c.unsent = c.unacked = c.packets
    c.recovery = 0


@compiled
def _new_rings(packets_at_most):
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
def run_port(think_s, pools, connections, port, settings):
    """Leave the end of each pool's last transaction in its record, and the COUNTS in port[0]."""
    wake_s, sleepers, waiting = start_thinking(think_s, pools, connections.pool)
    rings, heads, sizes, ack_s = _new_rings(connections.size * settings.max_window)
    p = port[0]
    while waiting + sizes[_ACKS] > 0 or p.on_wire >= 0:
        wake = wake_s[0]
        ack = ack_s[heads[_ACKS]] if sizes[_ACKS] else np.inf
        now = min(ack, p.sent_s, wake)
        if now == ack:
            user = _take(rings, heads, sizes, _ACKS)
            c = connections[user]
            _acknowledged(c, p, settings)
            if c.unacked == 0:
                pools[c.pool].finished_s = now
                waiting = think(user, pools[c.pool], now, think_s, wake_s, sleepers, waiting)
        elif now == p.sent_s:
            user = p.on_wire
            c = connections[user]
            ack_s[(heads[_ACKS] + sizes[_ACKS]) & (ack_s.size - 1)] = now + settings.round_trip_s
            _append(rings, heads, sizes, _ACKS, user)
            p.on_wire, p.sent_s = -1, np.inf
            if sizes[_AHEAD] > 0:
                p.on_wire = _take(rings, heads, sizes, _AHEAD)
                p.sent_s = now + connections[p.on_wire].packet_s
            elif sizes[_BEHIND] > 0:
                p.on_wire = _take(rings, heads, sizes, _BEHIND)
                p.sent_s = now + connections[p.on_wire].packet_s
                p.buffered_bytes -= connections[p.on_wire].packet_bytes
        else:
            user, waiting = pop(wake_s, sleepers, waiting)
            c = connections[user]
            if c.unacked > 0:
                _timed_out(c, p)
            else:
                _begin(c, now, settings)
        while c.unsent > 0 and c.flight + c.lost < int(c.window):
            _offer(user, c, p, now, settings, rings, heads, sizes)
        if c.flight == 0 and c.lost > 0:  # no acknowledgement will tell the sender
            waiting = push(wake_s, sleepers, waiting, now + settings.timeout_s, user)
