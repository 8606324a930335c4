"""What happened to each packet at a port, and to each transaction; compiled.

A trace is two tables to write into, a row a packet and a row a transaction in order of time. What
is beyond their ends is not kept; without rows they record nothing.
"""

from collections import namedtuple

import numpy as np

from tunables.simulators.compiled import compiled

AHEAD, ORDINARY, DROPPED = range(3)  # the lanes of packets

PACKET = np.dtype(
    [
        ("offered_s", "f8"),
        ("on_wire_s", "f8"),  # infinity until it is
        ("left_s", "f8"),  # the wire; infinity until it has
        ("user", "i8"),
        ("transaction", "i8"),  # its row
        ("number", "i8"),  # which packet of the transaction it is, from 0
        ("lane", "i8"),
    ],
    align=True,
)
TRANSACTION = np.dtype([("asker", "i8"), ("begun_s", "f8"), ("answered_s", "f8")], align=True)
PortTrace = namedtuple(  # a column each
    "PortTrace", "offered_s on_wire_s left_s user transaction number lane asker begun_s answered_s"
)
COLUMNS = len(PortTrace._fields) - 3  # that stand in the table of packets


@compiled
def note_begun(transactions, port, c, user, now):
    """Begin a transaction of the user's, whose connection is c."""
    c.transaction = port.transactions
    port.transactions += 1
    if c.transaction < len(transactions):
        row = transactions[c.transaction]
        row.asker, row.begun_s, row.answered_s = user, now, np.inf


@compiled
def note_answered(transactions, c, now):
    """End the transaction of connection c: all of it has been acknowledged."""
    if c.transaction < len(transactions):
        transactions[c.transaction].answered_s = now


@compiled
def note_offered(packets, port, c, user, lane, idle, now):
    """Offer the packet of connection c that the port has just counted; an idle port sends it."""
    if port.packets <= len(packets):
        row = packets[port.packets - 1]
        row.offered_s, row.on_wire_s, row.left_s = now, np.inf, np.inf
        row.user, row.transaction, row.lane = user, c.transaction, lane
        row.number = c.packets - c.unsent - 1
    if idle:
        _note_on_wire(packets, port, lane, now)


@compiled
def note_left(packets, port, lane, now):
    """Take the packet off the wire, and put on it the next of that lane, if one waits."""
    if port.wire_row >= 0:
        packets[port.wire_row].left_s = now
    _note_on_wire(packets, port, lane, now)


@compiled
def _note_on_wire(packets, port, lane, now):
    """Put on the wire the first packet of the lane that was not on it yet."""
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
