"""The packet simulation in plain Python, as its definition reads: the reference for the kernel."""

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field

from tunables.simulators.packets_kernel import AHEAD, COUNTS, DROPPED, ORDINARY, PortSettings


@dataclass
class Connection:
    """The connection of one user; see `packets_kernel.CONNECTION`."""

    packet_s: float
    packet_bytes: float
    packets: int
    pool: int
    window: float
    threshold: float = float("inf")
    unsent: int = 0
    unacked: int = 0
    flight: int = 0
    lost: int = 0
    ahead: int = 0
    duplicates: int = 0
    recovery: int = 0
    in_flow: int = 0
    seen_s: float = float("-inf")
    transaction: int = 0


def halve(connection):
    """Set the threshold of slow start to half of the window."""
    connection.threshold = max(connection.window / 2, 2.0)


def acknowledge(connection, port):
    """Handle one acknowledgement: window growth, loss, fast retransmit."""
    connection.flight -= 1
    connection.unacked -= 1
    beyond_loss = connection.lost > 0 and connection.ahead == 0
    if connection.recovery > 0:
        connection.recovery -= 1
    elif not beyond_loss:
        slow_start = connection.window < connection.threshold
        grown = connection.window + (1.0 if slow_start else 1 / connection.window)
        connection.window = min(grown, port.settings.max_window)
    if connection.lost > 0 and connection.ahead > 0:
        connection.ahead -= 1
    elif beyond_loss:
        connection.duplicates += 1
        if connection.duplicates == 3:
            port.counts["fast_retransmits"] += 1
            if connection.recovery == 0:
                halve(connection)
                connection.window = connection.threshold
                connection.recovery = connection.flight + connection.lost
            connection.unsent += connection.lost
            connection.lost = 0


_NEVER = float("inf")
_ACK, _SENT, _WAKE = range(3)  # in this order at one time


@dataclass
class _Packet:
    user: int
    transaction: int
    number: int
    lane: int
    offered_s: float
    on_wire_s: float = _NEVER
    left_s: float = _NEVER


@dataclass
class _Transaction:
    asker: int
    begun_s: float
    answered_s: float = _NEVER


@dataclass
class _Port:
    """Two queues, the packet on the wire, and the events to come."""

    settings: PortSettings
    priority: deque = field(default_factory=deque)
    drop_tail: deque = field(default_factory=deque)
    buffered_bytes: float = 0.0
    busy: bool = False
    events: list = field(default_factory=list)
    order: itertools.count = field(default_factory=itertools.count)
    counts: dict = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    packets: list = field(default_factory=list)
    transactions: list = field(default_factory=list)

    def at(self, time_s, kind, user, packet=None):
        heapq.heappush(self.events, (time_s, kind, next(self.order), user, packet))

    def fits(self, packet_bytes):
        return self.buffered_bytes + packet_bytes <= self.settings.buffer_bytes

    def offer(self, user, connection, now):
        """Put one packet of the user into a queue, or drop it."""
        new_flow = now - connection.seen_s >= self.settings.gap_s
        connection.in_flow = 1 if new_flow else connection.in_flow + 1
        connection.seen_s = now
        number = connection.packets - connection.unsent
        packet = _Packet(user, connection.transaction, number, ORDINARY, now)
        self.packets.append(packet)
        connection.unsent -= 1
        self.counts["packets"] += 1
        if connection.in_flow <= self.settings.max_packets:
            packet.lane = AHEAD
            self.counts["priority_packets"] += 1
            self.priority.append(packet)
        elif not self.busy or self.fits(connection.packet_bytes):
            self.drop_tail.append(packet)
            self.buffered_bytes += connection.packet_bytes
        else:
            packet.lane = DROPPED
            self.counts["drops"] += 1
            if connection.lost == 0:
                connection.ahead, connection.duplicates = connection.flight, 0
            connection.lost += 1
            return
        connection.flight += 1

    def transmit(self, connections, now):
        """Put the next packet on an idle wire."""
        if self.busy or not (self.priority or self.drop_tail):
            return
        if self.priority:
            packet = self.priority.popleft()
        else:
            packet = self.drop_tail.popleft()
            self.buffered_bytes -= connections[packet.user].packet_bytes
        self.busy = True
        packet.on_wire_s = now
        self.at(now + connections[packet.user].packet_s, _SENT, packet.user, packet)


def _wake(user, connection, port, now):
    """End a think time, or give up waiting for the acknowledgement of what is lost."""
    if connection.unacked == 0:
        if now - connection.seen_s > port.settings.timeout_s:
            connection.window = min(connection.window, port.settings.initial_window)
        connection.unsent = connection.unacked = connection.packets
        connection.transaction = len(port.transactions)
        port.transactions.append(_Transaction(user, now))
    else:
        port.counts["timeouts"] += 1
        halve(connection)
        connection.window = 1.0
        connection.unsent += connection.lost
        connection.lost = 0
    connection.recovery = 0


def _send(user, connections, port, now):
    """Offer the port all packets that the user's window allows."""
    connection = connections[user]
    while connection.unsent > 0 and connection.flight + connection.lost < int(connection.window):
        port.offer(user, connection, now)
        port.transmit(connections, now)
    if connection.flight == 0 and connection.lost > 0:  # no acknowledgement will come
        port.at(now + port.settings.timeout_s, _WAKE, user)


def _write(table, rows):
    """Fill a table of the trace with the recorded rows, as far as it has room."""
    for record, row in zip(table, rows, strict=False):
        for name in table.dtype.names:
            record[name] = getattr(row, name)


def run_port(think_s, pools, connections, port_record, settings, packets, transactions):
    """Do what `packets_kernel.run_port` does."""
    names = ("packet_s", "packet_bytes", "packets", "pool", "window")
    connections = [Connection(*(c[name].item() for name in names)) for c in connections]
    port = _Port(settings)

    def think(user, now):
        pool = pools[connections[user].pool]
        if pool.upcoming < pool.stop:
            port.at(now + think_s[pool.upcoming], _WAKE, user)
            pool.upcoming += 1

    for user in range(len(connections)):
        think(user, 0.0)
    while port.events:
        now, kind, _, user, packet = heapq.heappop(port.events)
        connection = connections[user]
        if kind == _ACK:
            acknowledge(connection, port)
            if connection.unacked == 0:
                port.transactions[connection.transaction].answered_s = now
                pools[connection.pool].finished_s = now
                think(user, now)
        elif kind == _SENT:
            port.busy = False
            packet.left_s = now
            port.at(now + settings.round_trip_s, _ACK, user)
            port.transmit(connections, now)
        else:
            _wake(user, connection, port, now)
        _send(user, connections, port, now)
    for name, count in port.counts.items():
        port_record[name] = count
    _write(packets, port.packets)
    _write(transactions, port.transactions)
