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
from tunables.simulators.packets_trace import (
    AHEAD,
    DROPPED,
    ORDINARY,
    note_answered,
    note_begun,
    note_left,
    note_offered,
)
from tunables.simulators.records import records
from tunables.simulators.tcp_sender import acknowledged, begin, timed_out

PortSettings = namedtuple(
    "PortSettings",
    "max_packets gap_s buffer_bytes round_trip_s timeout_s initial_window max_window",
)

COUNTS = ("packets", "priority_packets", "drops", "fast_retransmits", "timeouts")
PORT = np.dtype(
    [
        ("buffered_bytes", "f8"),  # in the drop-tail queue
        ("sent_s", "f8"),  # when the packet on the wire will have left
        ("on_wire", "i8"),  # whose packet that is, -1 for nobody's
        *((name, "i8") for name in COUNTS),
        ("transactions", "i8"),  # begun
        ("wire_row", "i8"),  # of the trace: see `packets_trace`
        ("next_ahead", "i8"),
        ("next_ordinary", "i8"),
    ],
    align=True,
)
_ACKS = 2  # the rings of users: AHEAD, ORDINARY, and those whose acknowledgements are under way


@compiled
def new_port():
    """Return the record of an idle port."""
    port = records(1, PORT)
    port[0].on_wire, port[0].sent_s = -1, np.inf
    return port


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
    """Offer the port one packet of connection c, and return its lane.

    An idle port takes it on the wire at once. The first max_packets of a flow join the priority
    queue, which drops nothing.
    """
    c.in_flow = 1 if now - c.seen_s >= settings.gap_s else c.in_flow + 1
    c.seen_s = now
    c.unsent -= 1
    c.flight += 1
    port.packets += 1
    lane = AHEAD if c.in_flow <= settings.max_packets else ORDINARY
    if lane == AHEAD:
        port.priority_packets += 1
    if port.on_wire < 0:
        port.on_wire, port.sent_s = user, now + c.packet_s
    elif lane == AHEAD:
        _append(rings, heads, sizes, AHEAD, user)
    elif port.buffered_bytes + c.packet_bytes <= settings.buffer_bytes:
        _append(rings, heads, sizes, ORDINARY, user)
        port.buffered_bytes += c.packet_bytes
    else:
        lane = DROPPED
        port.drops += 1
        c.flight -= 1
        if c.lost == 0:
            c.ahead, c.duplicates = c.flight, 0
        c.lost += 1
    return lane


@compiled
def _wake(user, c, port, now, settings, transactions):
    """End the user's think time, or its patience with what is lost."""
    if c.unacked > 0:
        timed_out(c, port)
    else:
        begin(c, now, settings)
        note_begun(transactions, port, c, user, now)


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
def run_port(think_s, pools, connections, port, settings, packets, transactions):
    """Leave the end of each pool's last transaction in its record, and the COUNTS in port[0].

    What happened goes into packets and transactions, as far as those reach: see `packets_trace`.
    """
    wake_s, sleepers, waiting = start_thinking(think_s, pools, connections.pool)
    noting = len(packets) > 0
    rings, heads, sizes, ack_s = _new_rings(connections.size * settings.max_window)
    p = port[0]
    while waiting + sizes[_ACKS] > 0 or p.on_wire >= 0:
        wake = wake_s[0]
        ack = ack_s[heads[_ACKS]] if sizes[_ACKS] else np.inf
        now = min(ack, p.sent_s, wake)
        if now == ack:
            user = _take(rings, heads, sizes, _ACKS)
            c = connections[user]
            acknowledged(c, p, settings)
            if c.unacked == 0:
                note_answered(transactions, c, now)
                pools[c.pool].finished_s = now
                waiting = think(user, pools[c.pool], now, think_s, wake_s, sleepers, waiting)
        elif now == p.sent_s:
            user = p.on_wire
            c = connections[user]
            ack_s[(heads[_ACKS] + sizes[_ACKS]) & (ack_s.size - 1)] = now + settings.round_trip_s
            _append(rings, heads, sizes, _ACKS, user)
            lane = AHEAD if sizes[AHEAD] > 0 else ORDINARY
            if sizes[lane] > 0:
                p.on_wire = _take(rings, heads, sizes, lane)
                p.sent_s = now + connections[p.on_wire].packet_s
                left_bytes = connections[p.on_wire].packet_bytes
                p.buffered_bytes -= left_bytes if lane == ORDINARY else 0.0
            else:
                p.on_wire, p.sent_s = -1, np.inf
            if noting:
                note_left(packets, p, lane, now)
        else:
            user, waiting = pop(wake_s, sleepers, waiting)
            c = connections[user]
            _wake(user, c, p, now, settings, transactions)
        while c.unsent > 0 and c.flight + c.lost < int(c.window):
            idle = p.on_wire < 0
            lane = _offer(user, c, p, now, settings, rings, heads, sizes)
            if noting:
                note_offered(packets, p, c, user, lane, idle, now)
        if c.flight == 0 and c.lost > 0:  # no acknowledgement will tell the sender
            waiting = push(wake_s, sleepers, waiting, now + settings.timeout_s, user)
