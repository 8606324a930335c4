"""Group commit on a real PostgreSQL: committers, commit_delay, and commits per flush."""

import re
import subprocess
import sys
import time
from collections.abc import Generator, Iterable

from tunables.base.arguments import integer, number
from tunables.lab.child import child, reason
from tunables.lab.cleanup import guarded_folder, tidy
from tunables.lab.machine import LONGEST_S
from tunables.lab.postgres_server import (
    NotInstalled,
    Server,
    find_programs,
    running_server,
)
from tunables.lab.write_ahead_log import Point, bracket, point

MAX_DELAY_S = 0.1  # PostgreSQL's limit on commit_delay
# Linux's default; the server counts the flushes of this method and of fsync only.
_METHOD = "fdatasync" if sys.platform == "linux" else "fsync"
_SETTINGS = {
    "wal_sync_method": _METHOD,
    "fsync": "on",
    "synchronous_commit": "on",
    "commit_siblings": 1,
    "track_wal_io_timing": "on",  # the server times its own flushes
    "autovacuum": "off",
    "max_wal_size": "4GB",  # no checkpoint during a point
    "wal_writer_delay": "10s",  # nor flushes that no commit asked for
    "shared_buffers": "32MB",
    "dynamic_shared_memory_type": "mmap",  # within the temporary directory
}
_PATIENCE_S = 30.0
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
)
_FLUSHES = {  # counted since version 18 where all input and output is
    True: "SELECT sum(fsyncs), sum(fsync_time) FROM pg_stat_io WHERE object = 'wal'",
    False: "SELECT wal_sync, wal_sync_time FROM pg_stat_wal",
}


def missing() -> str:
    """Return a sentence that says what to install, or nothing if PostgreSQL can run here."""
    try:
        find_programs()
    except NotInstalled as reason:
        return str(reason)
    return ""


def flush_time_s() -> float:
    """Return the time of one flush by pg_test_fsync, which takes two or three seconds.

    It writes 8 kB to a file in the temporary directory, again and again, with one method after
    the other; the line of the server's method is read and the rest left off.
    Raises NotInstalled where PostgreSQL is missing, RuntimeError if the line does not come.
    """
    program = find_programs() / "pg_test_fsync"
    with tidy() as stack:
        folder = stack.enter_context(guarded_folder("tunables-pg-"))
        command = [program, "-s", "1", "-f", folder.path / "file"]
        process = stack.enter_context(
            child(command, folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        )
        lines = []
        for line in process.stdout or ():
            lines.append(line)
            found = re.match(rf"\s*{_METHOD}\s.*\s([\d.]+) usecs/op", line)
            if found:
                return float(found[1]) * 1e-6
    raise RuntimeError(f"pg_test_fsync did not time {_METHOD}: {reason(''.join(lines))}")


def _read_report(pattern, output):
    """Return the number that pgbench's report gives there."""
    found = re.search(pattern, output)
    if found is None:
        raise RuntimeError(
            f"pgbench's report has no line that matches {pattern!r}: {output.strip()}"
        )
    return float(found[1])


def _flushes(server):
    """Return how many flushes of the log there were, and the seconds that they took.

    A backend adds its counts when it ends, which may be a moment after its client does.
    """
    give_up = time.monotonic() + _PATIENCE_S
    while server.query(_OTHERS) != ["0"]:
        if time.monotonic() > give_up:
            raise RuntimeError(f"a client of PostgreSQL is still connected after {_PATIENCE_S:g} s")
        time.sleep(0.01)
    modern = int(server.query("SHOW server_version_num")[0]) >= 180_000
    count, milliseconds = server.query(_FLUSHES[modern])
    return int(count), float(milliseconds) / 1000


def _measure(server: Server, delay_s, committers, seconds) -> Point:
    count, flushing_s = _flushes(server)
    output = server.run(
        "pgbench", *server.where, "-n", "-c", committers, "-j", 2, "-T", seconds,
        "-f", server.folder / "commit.sql", "postgres",
        options=f"-c commit_delay={round(delay_s * 1e6)}",
    )  # fmt: skip
    commits = int(_read_report(r"actually processed: (\d+)", output))
    rate = _read_report(r"tps = ([\d.]+) \(without", output)
    count_after, flushing_after_s = _flushes(server)
    return point(
        delay_s,
        committers,
        commits,
        commits / rate,
        count_after - count,
        flushing_after_s - flushing_s,
    )


def _sweep(order, committers, seconds):
    with running_server(**_SETTINGS) as server:
        server.query("CREATE TABLE commits (at timestamptz)")
        (server.folder / "commit.sql").write_text("INSERT INTO commits VALUES (now());\n")
        for delay_s in order:
            yield _measure(server, delay_s, committers, seconds)


def sweep(delays_s: Iterable[float], committers=16, seconds=2) -> Generator[Point, None, None]:
    """Yield a Point of PostgreSQL for each commit_delay, with one at 0 before and after it.

    These are 2 n + 1 points for n delays, of `seconds` (whole ones) each. pgbench's clients
    insert a row and commit, again and again; the server counts and times its flushes.

    Raises ValueError for no delays, or one outside 0 to 0.1 s, fewer than one or more than 90
    committers, or seconds that are not whole; NotInstalled where PostgreSQL is missing;
    RuntimeError where it does not start or a point is too short.
    """
    order = bracket(delays_s)
    for index, delay_s in enumerate(order):
        number(f"delays_s[{index // 2}]", delay_s, at_most=MAX_DELAY_S)
    committers = integer("committers", committers, at_least=1, at_most=90)
    seconds = integer("seconds", seconds, at_least=1, at_most=LONGEST_S)
    find_programs()
    return _sweep(order, committers, seconds)
