"""Replication of change records over a long path into SQLite: window, compression, batching.

A source streams frames of records through a `credit_relay`; the replica applies them to a
temporary SQLite database (a nameless file, gone with the process, whose commits wait for no
disk). Records are about 250 B of text as a trail might hold.
"""

import itertools
import random
import socket
import sqlite3
import struct
import threading
import zlib
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager, suppress
from time import perf_counter
from typing import NamedTuple

from tunables.base.arguments import choice, integer, number, numbers, sequence
from tunables.lab.cleanup import hold_back_signals, tidy
from tunables.lab.credit_relay import credit_relay
from tunables.lab.machine import LONGEST_S, MOST_BYTES

Codec = Callable[[bytes], bytes]
CODECS: dict[str, tuple[Codec, Codec]] = {
    "raw": (bytes, bytes),
    "zlib-1": (lambda block: zlib.compress(block, 1), zlib.decompress),
}
APPLIES = ("row by row", "executemany")

_RECORDS_PER_FRAME = 32  # 8 KB raw: a window holds several frames
_HEADER = struct.Struct("!I")  # bytes of the frame that follows
_PATIENCE_S = 10.0
_FIELDS = 6


class ReplicationMeasurement(NamedTuple):
    """One stream, from its first frame to the last that began a window."""

    rtt_s: float
    window_bytes: int | None
    codec: str
    apply: str
    records: int
    seconds: float
    records_per_s: float
    bytes_per_record: float
    """On the wire: after compression, with the frames' headers."""


def change_records(count, seed=0) -> list[str]:
    """Return change records of about 250 B: key, operation, table, old and new row, time.

    >>> record = change_records(1, seed=1)[0]
    >>> record.count("|"), 200 < len(record) < 300
    (5, True)
    """
    draw = random.Random(seed)
    states = ("QUEUED", "STAGED", "TRANSFERRING", "DONE", "FAILED")

    def row():
        file, size = draw.randrange(16**12), draw.randrange(10**10)
        state = draw.choice(states)
        return f"file=/grid/atlas/disk/data{file:012x}.root;bytes={size};state={state}"

    return [
        f"{key:010d}|UPDATE|REPLICA_CATALOGUE.FILES|{row()}|{row()}"
        f"|2016-05-{draw.randint(1, 28):02d}T12:00:{draw.uniform(0, 60):09.6f}"
        for key in range(count)
    ]


def _blocks(seed):
    """Return distinct frames' worth of records, to be sent again and again."""
    records = change_records(64 * _RECORDS_PER_FRAME, seed)
    return [
        "\n".join(records[first : first + _RECORDS_PER_FRAME]).encode()
        for first in range(0, len(records), _RECORDS_PER_FRAME)
    ]


@contextmanager
def _source(blocks, encode):
    """Yield the address of a thread that sends the blocks, over and over, to one client."""

    def send():
        with suppress(OSError), listener.accept()[0] as client:  # ends when the client is gone
            for block in itertools.cycle(blocks):
                frame = encode(block)
                client.sendall(_HEADER.pack(len(frame)) + frame)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(_PATIENCE_S)
        thread = threading.Thread(target=send, name="source", daemon=True)
        try:
            with hold_back_signals():
                thread.start()
            yield listener.getsockname()
        finally:
            with hold_back_signals():
                with suppress(OSError):  # wakes the thread if it still waits for its client
                    listener.shutdown(socket.SHUT_RDWR)
                if thread.ident is not None:
                    thread.join(_PATIENCE_S)


def _frames(address, decode):
    """Yield (bytes on the wire, rows) of each frame that comes from the address."""
    with socket.create_connection(address, timeout=_PATIENCE_S) as connection:
        stream = connection.makefile("rb")
        with stream:
            while header := stream.read(_HEADER.size):
                (length,) = _HEADER.unpack(header)
                text = decode(stream.read(length)).decode()
                yield len(header) + length, [line.split("|") for line in text.split("\n")]


def _apply_row_by_row(database, statement, rows):
    for row in rows:
        database.execute(statement, row)
        database.commit()


def _apply_executemany(database, statement, rows):
    database.executemany(statement, rows)
    database.commit()


_APPLY = dict(zip(APPLIES, (_apply_row_by_row, _apply_executemany), strict=True))


def _replicate(address, decode, apply, seconds):
    """Return (time, bytes, records) after each frame applied, for this long and one frame more."""
    arrivals = []
    received = applied = 0
    with closing(sqlite3.connect("")) as database, closing(_frames(address, decode)) as frames:
        database.execute(
            "CREATE TABLE replica (key TEXT PRIMARY KEY, operation, table_name, old, new, at)"
        )
        statement = f"INSERT OR REPLACE INTO replica VALUES ({', '.join('?' * _FIELDS)})"
        for wire_bytes, rows in frames:
            apply(database, statement, rows)
            received += wire_bytes
            applied += len(rows)
            arrivals.append((perf_counter(), received, applied))
            if arrivals[-1][0] > arrivals[0][0] + seconds:
                break
    return arrivals


def _whole_windows(arrivals, window_bytes):
    """Return the first arrival, and the last that is the first of its window.

    A stream limited by its window comes in bursts, one a round trip. Between the two lie whole
    round trips, so that a burst more or less at the end does not matter.
    """
    starts = [
        arrival
        for before, arrival in itertools.pairwise(arrivals)
        if window_bytes is None or arrival[1] // window_bytes > before[1] // window_bytes
    ]
    if not starts:
        raise RuntimeError("Fewer than two windows arrived: let the stream run for longer.")
    return arrivals[0], starts[-1]


def _measure(rtt_s, window_bytes, codec, apply, seconds, blocks) -> ReplicationMeasurement:
    encode, decode = CODECS[codec]
    with tidy() as stack:
        source = stack.enter_context(_source(blocks, encode))
        relay = stack.enter_context(credit_relay(source, rtt_s, window_bytes))
        arrivals = _replicate(relay.address, decode, _APPLY[apply], seconds)
    first, last = _whole_windows(arrivals, window_bytes)
    elapsed, wire_bytes, records = (b - a for a, b in zip(first, last, strict=True))
    return ReplicationMeasurement(
        rtt_s, window_bytes, codec, apply, records, elapsed, records / elapsed, wire_bytes / records
    )


def sweep(
    rtts_s: Iterable[float],
    window_bytes=65_536,
    codecs=tuple(CODECS),
    applies=APPLIES,
    seconds=1.5,
    seed=0,
) -> Generator[ReplicationMeasurement, None, None]:
    """Measure every round trip, codec and way to apply, each for about `seconds`.

    window_bytes: the credit of the path; None for a proxy that only delays. "row by row"
    commits every record, "executemany" a frame of 32. Both run in this process: source, relay
    and replica share its processors.
    Raises ValueError for a round trip that is negative, a window that is not a whole number at
    least 8192 (a frame of records), an unknown codec or way to apply, or seconds outside
    (0, 60]; RuntimeError if less than two windows arrive.
    """
    if window_bytes is not None:
        window_bytes = integer("window_bytes", window_bytes, at_least=8192, at_most=MOST_BYTES)
    seconds = number("seconds", seconds, above=0, at_most=60)
    cases = [
        (rtt_s, window_bytes, codec, apply)
        for rtt_s in numbers("rtts_s", rtts_s, at_least=0, at_most=LONGEST_S)
        for codec in [choice("codecs", name, list(CODECS)) for name in sequence("codecs", codecs)]
        for apply in [choice("applies", name, APPLIES) for name in sequence("applies", applies)]
    ]
    blocks = _blocks(integer("seed", seed))
    return (_measure(*case, seconds, blocks) for case in cases)
