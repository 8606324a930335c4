"""The packet simulation as its definition reads: slow, plain Python, for tests to compare with."""

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field

from tunables.simulators.packet_kernel import COUNTS, PortSettings

_ACK, _SENT, _WAKE = range(3)  # in this order at one time


@dataclass
class _Connection:
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

    def at(self, time_s, kind, user):
        heapq.heappush(self.events, (time_s, kind, next(self.order), user))

    def fits(self, packet_bytes):
        return self.buffered_bytes + packet_bytes <= self.settings.buffer_bytes

    def offer(self, user, connection, now):
        """Take one packet of the user's into a queue, or drop it."""
        new_flow = now - connection.seen_s >= self.settings.gap_s
        connection.in_flow = 1 if new_flow else connection.in_flow + 1
        connection.seen_s = now
        connection.unsent -= 1
        self.counts["packets"] += 1
        if connection.in_flow <= self.settings.max_packets:
            self.counts["priority_packets"] += 1
            self.priority.append(user)
        elif not self.busy or self.fits(connection.packet_bytes):
            self.drop_tail.append(user)
            self.buffered_bytes += connection.packet_bytes
        else:
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
            user = self.priority.popleft()
        else:
            user = self.drop_tail.popleft()
            self.buffered_bytes -= connections[user].packet_bytes
        self.busy = True
        self.at(now + connections[user].packet_s, _SENT, user)


def _halve(connection):
    connection.threshold = max(connection.window / 2, 2.0)


def _acknowledge(connection, port):
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
                _halve(connection)
                connection.window = connection.threshold
                connection.recovery = connection.flight + connection.lost
            connection.unsent += connection.lost
            connection.lost = 0


def _wake(connection, port, now):
    """End a think time, or give up waiting for the acknowledgement of what is lost."""
    if connection.unacked == 0:
        if now - connection.seen_s > port.settings.timeout_s:
            connection.window = min(connection.window, port.settings.initial_window)
        connection.unsent = connection.unacked = connection.packets
    else:
        port.counts["timeouts"] += 1
        _halve(connection)
        connection.window = 1.0
        connection.unsent += connection.lost
        connection.lost = 0
    connection.recovery = 0


def _send(user, connections, port, now):
    """Offer the port all that the user's window allows."""
    connection = connections[user]
    while connection.unsent > 0 and connection.flight + connection.lost < int(connection.window):
        port.offer(user, connection, now)
        port.transmit(connections, now)
    if connection.flight == 0 and connection.lost > 0:  # no acknowledgement will come
        port.at(now + port.settings.timeout_s, _WAKE, user)


def run_port(think_s, pools, connections, port_record, settings):
    """Do what `packet_kernel.run_port` does."""
    names = ("packet_s", "packet_bytes", "packets", "pool", "window")
    connections = [_Connection(*(c[name].item() for name in names)) for c in connections]
    port = _Port(settings)

    def think(user, now):
        pool = pools[connections[user].pool]
        if pool.upcoming < pool.stop:
            port.at(now + think_s[pool.upcoming], _WAKE, user)
            pool.upcoming += 1

    for user in range(len(connections)):
        think(user, 0.0)
    while port.events:
        now, kind, _, user = heapq.heappop(port.events)
        connection = connections[user]
        if kind == _ACK:
            _acknowledge(connection, port)
            if connection.unacked == 0:
                pools[connection.pool].finished_s = now
                think(user, now)
        elif kind == _SENT:
            port.busy = False
            port.at(now + settings.round_trip_s, _ACK, user)
            port.transmit(connections, now)
        else:
            _wake(connection, port, now)
        _send(user, connections, port, now)
    for name, count in port.counts.items():
        port_record[name] = count
