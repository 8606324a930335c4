"""PostgreSQL over a long path: logical replication, and SQL sent row by row or in batches.

Two private servers, a publisher and a subscriber, reach each other through a
`credit_relay` only. Rows are about as long as a change record; commits wait for no disk, so
what is measured is the path.
"""

import os
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import NamedTuple

from tunables.base.arguments import integer, number, numbers, sequence
from tunables.lab.credit_relay import Relay, credit_relay
from tunables.lab.machine import MOST_BYTES, check_clock
from tunables.lab.postgres_server import Server, find_programs, running_server

_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "max_wal_size": "4GB",  # no checkpoint during a run
    "shared_buffers": "32MB",
    "dynamic_shared_memory_type": "mmap",  # within the temporary directory
}
_PUBLISHER = _SETTINGS | {"wal_level": "logical"}
# A worker that loses its connection starts again after this, and not after 5 s.
_SUBSCRIBER = _SETTINGS | {"wal_retrieve_retry_interval": "100ms"}
_RELAY_PORT = 5433  # names the relay's socket, next to the server's 5432
_ROWS_PER_TRANSACTION = 100
_ROW_BYTES = 180  # on the wire, roughly: only to choose how many rows to send
_VALUE = "repeat(md5(({})::text), 4)"  # 128 characters
_PATIENCE_S = 30


class ReplicationRun(NamedTuple):
    """Rows that came to the subscriber, from the first seen there to the last."""

    rtt_s: float
    window_bytes: int
    rows: int
    seconds: float
    rows_per_s: float
    bytes_per_row: float
    """Bytes that the relay delivered to the subscriber, per row."""


class InsertRun(NamedTuple):
    """Rows sent as SQL, from the start of the first statement to the start of the last."""

    rtt_s: float
    window_bytes: int
    rows_per_statement: int
    rows: int
    seconds: float
    rows_per_s: float


@contextmanager
def _path_to(server: Server, rtt_s, window_bytes) -> Generator[Relay, None, None]:
    """Yield a relay whose socket is in the server's folder, which no other user may enter."""
    target, listen = (str(server.folder / f".s.PGSQL.{port}") for port in (5432, _RELAY_PORT))
    with credit_relay(target, rtt_s, window_bytes, listen) as relay:
        os.chmod(listen, 0o777)  # as root this process is another user than the server
        yield relay


def _wait_for(server, query, wanted):
    """Ask again and again, until the query gives the wanted row."""
    give_up = time.monotonic() + _PATIENCE_S
    while (row := server.query(query)) != wanted:
        if time.monotonic() > give_up:
            raise RuntimeError(f"after {_PATIENCE_S} s, {query!r} still gives {row}, not {wanted}")
        time.sleep(0.02)


def _publish(publisher, rows):
    """Insert the rows in transactions of _ROWS_PER_TRANSACTION."""
    publisher.query(
        f"DO $$ BEGIN FOR i IN 1..{rows // _ROWS_PER_TRANSACTION} LOOP "
        f"INSERT INTO changes (value) SELECT {_VALUE.format('n + i')} "
        f"FROM generate_series(1, {_ROWS_PER_TRANSACTION}) AS n; COMMIT; END LOOP; END $$"
    )


class _Seen(NamedTuple):
    """Rows seen at a time of the server's clock, between two times of this process's clock."""

    server_s: float
    rows: int
    before_s: float
    after_s: float


def _look(subscriber) -> _Seen:
    before_s = time.perf_counter()
    now, count = subscriber.query("SELECT extract(epoch FROM now()), count(*) FROM changes")
    return _Seen(float(now), int(count), before_s, time.perf_counter())


def _watch(subscriber, rows) -> tuple[int, float]:
    """Return how many rows came after the first seen, and in what time by the server's clock."""
    first = None
    give_up = time.monotonic() + _PATIENCE_S
    while time.monotonic() < give_up:
        seen = _look(subscriber)
        first = first or (seen if seen.rows else None)
        if first:
            bounds_s = seen.before_s - first.after_s, seen.after_s - first.before_s
            elapsed_s = check_clock(seen.server_s - first.server_s, *bounds_s)
            if seen.rows == rows:
                return rows - first.rows, elapsed_s
    raise RuntimeError(
        f"only {seen.rows} of {rows} rows arrived within {_PATIENCE_S} s: run the cell again"
    )


def connection(folder, port, user) -> str:
    r"""Return where a subscriber finds its publisher, as SQL writes a text.

    libpq reads \' within quotes as a quote, and SQL reads '' so.

    >>> print(connection("/tmp/it's", 5432, "ada"))
    'host=''/tmp/it\''s'' port=5432 user=''ada'' dbname=postgres'
    """

    def quote_value(value):
        escaped = str(value).replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"

    words = f"host={quote_value(folder)} port={port} user={quote_value(user)} dbname=postgres"
    return "'" + words.replace("'", "''") + "'"


def _replicate(publisher, subscriber, rtt_s, window_bytes, seconds) -> ReplicationRun:
    transactions = seconds * window_bytes / rtt_s / _ROW_BYTES / _ROWS_PER_TRANSACTION
    rows = _ROWS_PER_TRANSACTION * max(2, round(transactions))
    (user,) = publisher.query("SELECT current_user")
    publisher.query("TRUNCATE changes")
    subscriber.query("TRUNCATE changes")
    with _path_to(publisher, rtt_s, window_bytes) as relay:
        subscriber.query(
            f"CREATE SUBSCRIPTION far CONNECTION {connection(publisher.folder, _RELAY_PORT, user)} "
            "PUBLICATION all_changes WITH (copy_data = false)"
        )
        _wait_for(publisher, "SELECT state FROM pg_stat_replication", ["streaming"])
        before = relay.bytes_from_target
        _publish(publisher, rows)
        moved, elapsed = _watch(subscriber, rows)
        wire_bytes = relay.bytes_from_target - before
        subscriber.query("DROP SUBSCRIPTION far")
    return ReplicationRun(rtt_s, window_bytes, moved, elapsed, moved / elapsed, wire_bytes / rows)


def _sweep(rtts_s, window_bytes, seconds):
    with running_server(**_PUBLISHER) as publisher, running_server(**_SUBSCRIBER) as subscriber:
        for server in (publisher, subscriber):
            server.query("CREATE TABLE changes (key bigserial PRIMARY KEY, value text)")
        publisher.query("CREATE PUBLICATION all_changes FOR TABLE changes")
        for rtt_s in rtts_s:
            yield _replicate(publisher, subscriber, rtt_s, window_bytes, seconds)


def _rtts(rtts_s):
    return numbers("rtts_s", rtts_s, at_least=0.001, at_most=1)


def sweep(
    rtts_s: Iterable[float], window_bytes=65_536, seconds=3
) -> Generator[ReplicationRun, None, None]:
    """Yield how fast logical replication runs at each round trip, each about `seconds`.

    The subscriber streams before the rows are inserted; they are sent in transactions of 100.
    However the generator is left, servers, sockets and their folders are gone.

    Raises ValueError for a round trip outside 1 ms to 1 s, a window that is not a whole number
    at least 8192, or seconds outside (0, 15]; NotInstalled where PostgreSQL is missing;
    RuntimeError where it does not start or the rows do not come.
    """
    rtts = _rtts(rtts_s)
    window_bytes = integer("window_bytes", window_bytes, at_least=8192, at_most=MOST_BYTES)
    seconds = number("seconds", seconds, above=0, at_most=15)
    find_programs()
    return _sweep(rtts, window_bytes, seconds)


def _insert(server, rtt_s, window_bytes, rows_per_statement, statements) -> InsertRun:
    script = server.folder / "inserts.sql"
    rows = ", ".join([f"('{'x' * 128}')"] * rows_per_statement)
    statement = f"INSERT INTO inserts (value) VALUES {rows};\n"
    script.write_text("TRUNCATE inserts;\n" + statement * statements)
    began_s = time.perf_counter()
    with _path_to(server, rtt_s, window_bytes):
        server.run(
            "psql", *server.where, "-p", _RELAY_PORT, "-Xq", "-v", "ON_ERROR_STOP=1",
            "-f", script, "postgres",
        )  # fmt: skip
    (elapsed,) = server.query("SELECT extract(epoch FROM max(at) - min(at)) FROM inserts")
    elapsed_s = check_clock(float(elapsed), at_most_s=time.perf_counter() - began_s)
    count = rows_per_statement * (statements - 1)
    return InsertRun(rtt_s, window_bytes, rows_per_statement, count, elapsed_s, count / elapsed_s)


def _remote(cases, window_bytes):
    with running_server(**_SETTINGS) as server:
        server.query(
            "CREATE TABLE inserts (value text, at timestamptz DEFAULT statement_timestamp())"
        )
        for rtt_s, rows_per_statement, statements in cases:
            yield _insert(server, rtt_s, window_bytes, rows_per_statement, statements)


def remote(
    rtts_s: Iterable[float], rows_per_statement=(1, 1000), window_bytes=65_536, statements=11
) -> Generator[InsertRun, None, None]:
    """Yield how fast SQL from far away fills a table: a statement waits for the one before.

    For every round trip and number of rows in an INSERT, `statements` statements.

    Raises ValueError for a round trip outside 1 ms to 1 s, rows outside 1 to 10,000, a window
    that is not a whole number at least 8192, or statements outside 2 to 1000; NotInstalled
    where PostgreSQL is missing; RuntimeError where it does not start.
    """
    statements = integer("statements", statements, at_least=2, at_most=1000)
    window_bytes = integer("window_bytes", window_bytes, at_least=8192, at_most=MOST_BYTES)
    sizes = [
        integer(f"rows_per_statement[{i}]", rows, at_least=1, at_most=10_000)
        for i, rows in enumerate(sequence("rows_per_statement", rows_per_statement))
    ]
    cases = [(rtt_s, rows, statements) for rtt_s in _rtts(rtts_s) for rows in sizes]
    find_programs()
    return _remote(cases, window_bytes)
