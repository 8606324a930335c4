"""A usual call of what starts a measurement; nothing is started here.

Whoever lets a lab begin has checked all that it was given: a process, a thread, a connection or a
file is the end of the call. A number that no lab can have must have been refused by then.
"""

import asyncio
import inspect
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest import mock

from tests.hostile.calls import WORDS, Call
from tunables.lab import (
    black_hole,
    blob_store,
    credit_relay,
    event_loop,
    logical_replication,
    machine,
    pointer_chase,
    postgres,
    progress,
    sqlite_cache,
    sqlite_replica,
    user_port,
    write_ahead_log,
)

STARTS: tuple[tuple[Any, str], ...] = (
    (subprocess, "Popen"),
    (threading.Thread, "start"),
    (asyncio, "run"),
    (sqlite3, "connect"),
    (tempfile, "mkdtemp"),
    (postgres, "missing"),
    (sqlite_replica, "missing"),
    (logical_replication, "find_programs"),
)
LARGEST = 2.0**40  # of bytes, rows and seconds that a lab may be asked for
_SETTING = black_hole.BatchSetting(0.1, 0.1, 3, 10)


class Started(BaseException):
    """A measurement would begin."""


def _begins(function: Callable) -> Callable:
    """Return a function that calls it until it begins, and returns inf if it should not have."""

    def call(**arguments):
        with ExitStack() as stack:
            for owner, name in STARTS:
                if hasattr(owner, name):
                    stack.enter_context(mock.patch.object(owner, name, side_effect=Started))
            try:
                result = function(**arguments)
                if inspect.isgeneratorfunction(function):
                    next(result)
            except Started:
                pass
        return float("inf") if any(map(_beyond, arguments.items())) else 0.0

    return call


def _beyond(argument: tuple[str, Any]) -> bool:
    name, value = argument
    values = value if isinstance(value, (list, tuple)) else [value]
    numbers = [each for each in values if isinstance(each, (int, float))]
    return name != "seed" and not all(abs(each) <= LARGEST for each in numbers)


def calls() -> list[Call]:
    """Return the usual call of each."""
    rtts = {"rtts_s": [0.005, 0.01], "window_bytes": 65_536}
    long = {"duration_s": 1.0, "warmup_s": 0.5, "seed": 1}
    users = [user_port.Users(2, 18_000)]
    observe, port = event_loop.observe, user_port.Port()
    one = event_loop.LoopSetting("one piece", None)
    found: list[tuple[str, Callable, dict]] = [
        (
            "black_hole.run",
            lambda **given: black_hole.run([_SETTING], **given),
            {
                "clients": 50,
                "threads": 2,
                "commits": 2,
                "emulated_work_s": 0.1,
                "emulated_think_s": 0.1,
                "seed": 1,
            },
        ),
        (
            "black_hole.check_settings",
            lambda **given: black_hole.check_settings([black_hole.BatchSetting(**given)]),
            {"max_delay_s": 0.1, "timeout_s": 0.1, "retries": 3, "batches": 10},
        ),
        ("machine.too_coarse", machine.too_coarse, {"needed_s": 0.001}),
        (
            "credit_relay.credit_relay",
            lambda **given: credit_relay.credit_relay(("127.0.0.1", 9), **given).__enter__(),
            {"rtt_s": 0.01, "window_bytes": 65_536},
        ),
        (
            "event_loop.observe",
            lambda **given: observe(one, **given),
            {"items": 10, "timers": 2, "span_s": 0.01, "seed": 1},
        ),
        (
            "event_loop.measure_event_loop",
            lambda **given: next(event_loop.measure_event_loop([one], **given)),
            {"items": 10, "timers": 2, "repeats": 1, "seed": 1},
        ),
        ("write_ahead_log.bracket", write_ahead_log.bracket, {"delays_s": [0.001, 0.005]}),
        ("logical_replication.sweep", logical_replication.sweep, rtts | {"seconds": 3}),
        (
            "logical_replication.remote",
            logical_replication.remote,
            rtts | {"rows_per_statement": [1, 1000], "statements": 11},
        ),
        (
            "pointer_chase.sweep",
            pointer_chase.sweep,
            {"working_sets_bytes": [4096, 8192], "accesses": 10, "repeats": 2, "seed": 1},
        ),
        ("pointer_chase.cycle", pointer_chase.cycle, {"working_set_bytes": 4096, "seed": 1}),
        (
            "user_port.Port",
            user_port.Port,
            {
                "rate_bps": 2e8,
                "max_packets": 2,
                "gap_s": 0.01,
                "packet_bytes": 9000,
                "window_packets": 16,
            },
        ),
        ("user_port.Users", user_port.Users, {"count": 2, "size_bytes": 18_000, "think_s": 0.1}),
        (
            "postgres.sweep",
            postgres.sweep,
            {"delays_s": [0.001, 0.005], "committers": 16, "seconds": 2},
        ),
        (
            "progress.progress",
            lambda **given: progress.progress([], label="x", **given),
            {"total": 2},
        ),
        (
            "sqlite_replica.sweep",
            sqlite_replica.sweep,
            rtts | {"codecs": ["raw"], "applies": ["executemany"], "seconds": 1.5, "seed": 1},
        ),
        (
            "blob_store.sweep",
            blob_store.sweep,
            {
                "page_bytes": [4096],
                "blob_bytes": [1000, 2000],
                "content_bytes": 100_000,
                "repeats": 1,
                "cold": False,
                "seed": 1,
            },
        ),
        ("sqlite_cache.survey", sqlite_cache.survey, {"rows": 10}),
        (
            "sqlite_cache.sweep",
            sqlite_cache.sweep,
            {"cache_pages": [5, 9], "orders": ["cyclic"], "rows": 10, "scans": 3, "seed": 1},
        ),
        (
            "sqlite_cache.replay",
            sqlite_cache.replay,
            {"cache_pages": 5, "scans": [[1, 2]], "rows": 10},
        ),
        (
            "user_port.measure",
            lambda **given: user_port.measure(port, users, **given),
            long,
        ),
        (
            "user_port.sweep",
            lambda **given: user_port.sweep([(port, users)], **given),
            long,
        ),
        (
            "write_ahead_log.sweep",
            write_ahead_log.sweep,
            {"delays_s": [0.001], "committers": 16, "seconds": 1.0, "emulated_flush_s": 0.0},
        ),
    ]
    return [Call(name, _begins(function), arguments, WORDS) for name, function, arguments in found]
