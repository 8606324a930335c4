"""The moments that the chapter's stage stops at, read off the traces of seed 20."""

from collections import Counter
from functools import cache

import pytest

from tunables.chapters.group_commit.case import rival
from tunables.chapters.group_commit.simulation import run
from tunables.chapters.group_commit.stage_simulation import commits, events
from tunables.simulators.batches_rows import (
    ANSWERED,
    ASKS,
    FLUSHED,
    HELD,
    QUERIES,
    WAITS,
    BatchEvents,
)
from tunables.simulators.group_commits import Commits, trace_group_commits

SEED = 20  # of the ledger's first run
FEWER_ATTEMPTS = (("retries", 1), ("timeout_s", 0.5))
STUCK = "adaptive flusher with a stuck transaction"


@cache
def happened(hypothesis, row="original", changes=()):
    return BatchEvents(*events(SEED, **rival(hypothesis, row, **dict(changes))))


def clients_at(time_s, trace):
    """Return {kind: clients} of the last that has happened to each client by a time."""
    count = int(trace.time_s.searchsorted(time_s, side="right"))
    latest = dict(zip(trace.client[:count].tolist(), trace.kind[:count].tolist(), strict=True))
    return Counter(latest.values())


def responses_ms(trace, until_s=float("inf")):
    """Return the response times of the batches answered by a time, in their order."""
    asked, found = {}, []
    for time_s, kind, client in zip(trace.time_s, trace.kind, trace.client, strict=True):
        if kind == ASKS:
            asked[client] = time_s
        elif kind == ANSWERED and time_s <= until_s:
            found.append(1000 * (time_s - asked[client]))
    return found


def mean_ms(values):
    return round(sum(values) / len(values))


@pytest.mark.parametrize(
    ("hypothesis", "row", "changes", "expected_ms"),
    [
        ("two caps", "original", (), 8077),
        ("two caps", "both", (), 1127),
        ("commit stage", "original", (), 8073),
        ("two caps", "original", FEWER_ATTEMPTS, 5077),
        ("commit stage", "original", FEWER_ATTEMPTS, 8023),
        ("two caps", "original", (("clients", 25),), 8077),
        ("commit stage", "original", (("clients", 25),), 6114),
        (STUCK, "original", (), 7976),
        ("ideal adaptive flusher", "original", (), 4440),
    ],
)
def test_mean_response_after_all_batches(hypothesis, row, changes, expected_ms):
    """All rows fit on the stage, and what follows from them is the run to the last bit."""
    trace = happened(hypothesis, row, changes)
    assert trace.rows == len(trace.time_s)
    assert sum(column.nbytes for column in trace[1:]) < 2e6
    responses = responses_ms(trace)
    assert (len(responses), mean_ms(responses)) == (3000, expected_ms)
    found = run(SEED, **rival(hypothesis, row, **dict(changes)))
    assert found["throughput_per_s"] == 3000 / trace.time_s[-1]
    assert round(1000 * found["response_s"]) == expected_ms


@pytest.mark.parametrize(
    ("hypothesis", "row", "changes", "time_s", "clients", "answers", "expected_ms"),
    [
        ("two caps", "original", (), 2, {QUERIES: 50}, 0, None),
        ("two caps", "original", (), 4.5, {HELD: 50}, 0, None),
        ("two caps", "original", (), 10, {QUERIES: 50}, 50, 8072),
        ("two caps", "flush", (), 4.5, {QUERIES: 50}, 50, 4122),
        ("commit stage", "original", (), 20, {QUERIES: 26, WAITS: 11, HELD: 13}, 91, 8572),
        ("two caps", "original", FEWER_ATTEMPTS, 60, {HELD: 50}, 550, 5075),
        ("commit stage", "original", FEWER_ATTEMPTS, 60,
         {QUERIES: 9, WAITS: 28, HELD: 13}, 361, 7759),
    ],
)  # fmt: skip
def test_beats(hypothesis, row, changes, time_s, clients, answers, expected_ms):
    trace = happened(hypothesis, row, changes)
    assert clients_at(time_s, trace) == clients
    responses = responses_ms(trace, time_s)
    assert len(responses) == answers
    assert answers == 0 or mean_ms(responses) == expected_ms


def test_client_1_of_the_commit_stage_has_been_held_for_1100_ms():
    """The first client; its latest row is the one in which it is held."""
    trace = happened("commit stage")
    times = [
        (time_s, kind)
        for time_s, kind, client in zip(trace.time_s, trace.kind, trace.client, strict=True)
        if client == 0 and time_s <= 20
    ]
    held_s, kind = times[-1]
    assert (kind, round(20 - held_s, 1)) == (HELD, 1.1)


@pytest.mark.parametrize(
    ("changes", "expected_ms"),
    [((), [8935, 8158, 8081, 8089, 8005]), (FEWER_ATTEMPTS, [5995])],
)
def test_rounds_of_the_commit_stage(changes, expected_ms):
    responses = responses_ms(happened("commit stage", "original", changes))
    rounds = [mean_ms(responses[first : first + 50]) for first in range(0, 250, 50)]
    assert rounds[: len(expected_ms)] == expected_ms


def flushes(hypothesis):
    """Return (time, clients freed) of each flush."""
    trace = happened(hypothesis)
    of = trace.kind == FLUSHED
    sizes = Counter(trace.detail[of].tolist())
    times = dict(zip(trace.detail[of].tolist(), trace.time_s[of].tolist(), strict=True))
    return [(round(times[flush], 2), sizes[flush]) for flush in sorted(sizes)]


def test_nobody_shares_a_flush_but_where_the_flusher_waits_for_a_stuck_transaction():
    assert {size for _, size in flushes("two caps")} == {1}
    assert flushes(STUCK)[:3] == [(6.0, 50), (8.0, 50), (14.02, 50)]
    assert flushes("ideal adaptive flusher")[0][1] == 50


@pytest.mark.parametrize(
    ("delay_s", "sizes", "expected"),
    [(0.0, [1, 15, 1, 15], 1600), (0.001, [16] * 4, 2667), (0.005, [16] * 4, 1600),
     (0.025, [16] * 4, 533)],
)  # fmt: skip
def test_sixteen_committers(delay_s, sizes, expected):
    settings = {"customers": 16, "flush_time_s": 0.005, "max_delay_s": delay_s}
    trace = Commits(*commits(SEED, **settings, think_time_s=0, spread=0, count=3200))
    assert [trace.flush.tolist().count(flush) for flush in range(4)] == sizes
    assert round(trace.rows / trace.ended_s[-1]) == expected
    public = trace_group_commits(16, 0.005, delay_s, commits=3200, seed=SEED)
    for column, same in zip(trace[1:], public[1:], strict=True):
        assert column.tolist() == same.tolist()
