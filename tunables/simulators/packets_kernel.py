"""The event loop of one switch port and the simplified TCP senders behind it, compiled.

Three sources of events, each in order of time: the packet on the wire, the acknowledgements
under way (a constant delay keeps them in order), and a heap of wake-ups, which are the end of
a user's think time or, while the user has packets outstanding, a retransmission timeout.

A trace is two tables, one row per packet and one per transaction, in order of time. Rows beyond
their ends are not recorded; tables without rows record nothing.
"""

from collections import namedtuple

import numpy as np

from tunables.simulators.compiled import compiled, records
from tunables.simulators.cycles import start_thinking, think
from tunables.simulators.event_heap import pop, push

AHEAD, ORDINARY, DROPPED = range(3)  # the lanes of packets

PACKET = np.dtype(
    [
        ("offered_s", "f8"),
        ("on_wire_s", "f8"),  # infinity until then
        ("left_s", "f8"),  # when it left the wire; infinity until then
        ("user", "i8"),
        ("transaction", "i8"),  # its row
        ("number", "i8"),  # which packet of the transaction it is, from 0
        ("lane", "i8"),
    ],
    align=True,
)
TRANSACTION = np.dtype([("asker", "i8"), ("begun_s", "f8"), ("answered_s", "f8")], align=True)
PortTrace = namedtuple(  # one array per column
    "PortTrace", "offered_s on_wire_s left_s user transaction number lane asker begun_s answered_s"
)
COLUMNS = len(PortTrace._fields) - 3  # those in the table of packets


@compiled
def note_begun(transactions, port, c, user, now):
    """Record the beginning of a transaction of user, whose connection is c."""
    c.transaction = port.transactions
    port.transactions += 1
    if c.transaction < len(transactions):
        row = transactions[c.transaction]
        row.asker, row.begun_s, row.answered_s = user, now, np.inf


@compiled
def note_answered(transactions, c, now):
    """Record the end of the transaction of connection c: all of it has been acknowledged."""
    if c.transaction < len(transactions):
        transactions[c.transaction].answered_s = now


@compiled
def note_offered(packets, port, c, user, lane, idle, now):
    """Record the offer of the packet that the port has just counted; an idle port sends it."""
    if port.packets <= len(packets):
        row = packets[port.packets - 1]
        row.offered_s, row.on_wire_s, row.left_s = now, np.inf, np.inf
        row.user, row.transaction, row.lane = user, c.transaction, lane
        row.number = c.packets - c.unsent - 1
    if idle:
        _note_on_wire(packets, port, lane, now)


@compiled
def note_left(packets, port, lane, now):
    """Record that the packet has left the wire, and the next of the lane, if any, is on it."""
    if port.wire_row >= 0:
        packets[port.wire_row].left_s = now
    _note_on_wire(packets, port, lane, now)


@compiled
def _note_on_wire(packets, port, lane, now):
    """Record that the first packet of the lane that was not on the wire yet is on it now."""
    rows = min(port.packets, len(packets))
    row = port.next_ahead if lane == AHEAD else port.next_ordinary
    while row < rows and (packets[row].lane != lane or packets[row].on_wire_s < np.inf):
        row += 1
    if lane == AHEAD:
        port.next_ahead = row
    else:
        port.next_ordinary = row
    port.wire_row = row if row < rows else -1
    if row < rows:
        packets[row].on_wire_s = now


# One connection per user. Counts are in packets; `window` and `threshold` are TCP's, fractional.
CONNECTION = np.dtype(
    [
        ("window", "f8"),
        ("threshold", "f8"),
        ("unsent", "i8"),
        ("unacked", "i8"),
        ("flight", "i8"),  # sent, not lost, not acknowledged
        ("lost", "i8"),  # dropped, not yet noticed by the sender
        ("ahead", "i8"),  # acknowledgements to come from before the first lost packet
        ("duplicates", "i8"),  # acknowledgements that came after those
        ("recovery", "i8"),  # acknowledgements until the window may be halved again
        ("in_flow", "i8"),  # packets of the current flow seen by the port
        ("seen_s", "f8"),  # when the port saw the last of them
        ("packet_bytes", "f8"),
        ("packet_s", "f8"),
        ("packets", "i8"),  # per transaction
        ("pool", "i8"),
        ("transaction", "i8"),  # number of earlier transactions of all users
    ],
    align=True,
)


@compiled
def new_connections(pool_of, size_bytes, segment_bytes, capacity_bps, window):
    """Return an idle connection for each user; size_bytes: size of a transaction, by pool.

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
def acknowledge(c, port, settings):
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
def time_out(c, port):
    """Update connection c for a retransmission timeout: all lost packets are sent again."""
    port.timeouts += 1
    c.threshold = max(c.window / 2, 2.0)
    c.window = 1.0
    c.unsent += c.lost
    c.lost, c.recovery = 0, 0


@compiled
def begin_transaction(c, now, settings):
    """Start a transaction; the window is reset if it was idle for longer than a timeout."""
    if now - c.seen_s > settings.timeout_s:
        c.window = min(c.window, settings.initial_window)
    c.unsent = c.unacked = c.packets
    c.recovery = 0


PortSettings = namedtuple(
    "PortSettings",
    "max_packets gap_s buffer_bytes round_trip_s timeout_s initial_window max_window",
)

COUNTS = ("packets", "priority_packets", "drops", "fast_retransmits", "timeouts")
PORT = np.dtype(
    [
        ("buffered_bytes", "f8"),  # in the drop-tail queue
        ("sent_s", "f8"),  # when the packet on the wire will have left
        ("on_wire", "i8"),  # its user, or -1
        *((name, "i8") for name in COUNTS),
        ("transactions", "i8"),  # begun
        ("wire_row", "i8"),  # its row in the trace
        ("next_ahead", "i8"),
        ("next_ordinary", "i8"),
    ],
    align=True,
)
_ACKS = 2  # rings of users: AHEAD, ORDINARY, and users with acknowledgements under way


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

    An idle port puts it on the wire at once. The first max_packets of a flow join the priority
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
    """End the user's think time, or time out for its lost packets."""
    if c.unacked > 0:
        time_out(c, port)
    else:
        begin_transaction(c, now, settings)
        note_begun(transactions, port, c, user, now)


@compiled
def _new_rings(packets_at_most):
    """Return empty rings for packets_at_most packets, and one for times of acknowledgements."""
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
    """Write the end of each pool's last transaction to its record, and the COUNTS to port[0].

    What happened is recorded in packets and transactions, as far as these have room.
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
            acknowledge(c, p, settings)
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
        if c.flight == 0 and c.lost > 0:  # no acknowledgement will reach the sender
            waiting = push(wake_s, sleepers, waiting, now + settings.timeout_s, user)
