"""A BGP speaker just large enough to feed a router a table of made-up routes."""

import socket
import struct
import threading
from collections.abc import Iterator

from tunables.plain.arguments import whole

OPEN, UPDATE, _NOTIFICATION, KEEPALIVE = 1, 2, 3, 4
_HEADER = struct.Struct("!16sHB")
_MARKER = b"\xff" * 16
_PREFIXES_IN_UPDATE = 800  # of 4 bytes each; a message holds at most 4096


def message(kind: int, body: bytes = b"") -> bytes:
    """Return a BGP message. Source: RFC 4271, section 4.1."""
    return _HEADER.pack(_MARKER, _HEADER.size + len(body), kind) + body


def open_message(local_as: int, hold_s: int, identifier: str) -> bytes:
    """Return OPEN without options. Source: RFC 4271, section 4.2."""
    fields = struct.pack("!BHH4sB", 4, local_as, hold_s, socket.inet_aton(identifier), 0)
    return message(OPEN, fields)


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("!BBB", 0x40, kind, len(value)) + value  # 0x40: well-known, transitive


def updates(local_as: int, next_hop: str, prefixes: int) -> Iterator[bytes]:
    """Yield UPDATE messages that announce so many /24 prefixes, from 20.0.0.0 up.

    Source: RFC 4271, section 4.3. Raises ValueError for more prefixes than fit below 224/8.
    """
    count = whole("prefixes", prefixes, at_most=(224 - 20) << 16)
    attributes = (
        _attribute(1, b"\0")  # ORIGIN: IGP
        + _attribute(2, struct.pack("!BBH", 2, 1, local_as))  # AS_PATH: a sequence of one
        + _attribute(3, socket.inet_aton(next_hop))
    )
    head = struct.pack("!HH", 0, len(attributes)) + attributes
    for first in range(0, count, _PREFIXES_IN_UPDATE):
        last = min(first + _PREFIXES_IN_UPDATE, count)
        routes = b"".join(
            b"\x18" + ((20 << 24) + (n << 8)).to_bytes(4, "big")[:3] for n in range(first, last)
        )
        yield message(UPDATE, head + routes)


class Speaker:
    """One established session that reads and forgets what the router sends.

    `close` ends it; the speaker does not come back, as a neighbour would.
    """

    def __init__(self, router: str, address: str, local_as: int, timeout_s: float = 10.0) -> None:
        self.address, self.local_as = address, local_as
        self.socket = socket.create_connection((router, 179), timeout_s, (address, 0))
        self.socket.sendall(open_message(local_as, 180, address) + message(KEEPALIVE))
        self._reader = threading.Thread(target=self._discard, daemon=True)
        self._reader.start()

    def _discard(self) -> None:
        try:
            while self.socket.recv(1 << 16):
                pass
        except OSError:  # closed, by either side
            pass

    def announce(self, prefixes: int) -> None:
        """Send the routes; returns when the router's socket has taken them."""
        self.socket.settimeout(60)
        for update in updates(self.local_as, self.address, prefixes):
            self.socket.sendall(update)

    def close(self) -> None:
        """End the session."""
        self.socket.close()
        self._reader.join(1)
