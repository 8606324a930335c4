"""The simplified TCP sender as its definition reads, in plain Python: see `packets_reference`."""

from dataclasses import dataclass


@dataclass
class Connection:
    """One user's; see `tcp_sender.CONNECTION`."""

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
    """Take half of the window for the threshold of slow start."""
    connection.threshold = max(connection.window / 2, 2.0)


def acknowledge(connection, port):
    """Take in one acknowledgement: window growth, loss, fast retransmit."""
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
