"""The event loop of `simulate_batches`, compiled.

All state stands in arrays that are handed from function to function one by one: a tuple of them
would cost numba a reference count for each array at each use. Only the heap of events is one.
"""

from typing import NamedTuple

import numpy as np

from tunables.simulators.batches_rows import (
    ANSWERED,
    ASKS,
    FLUSHED,
    HELD,
    QUERIES,
    WAITS,
    WORKS,
    record,
    room,
)  # fmt: skip
from tunables.simulators.compiled import compiled
from tunables.simulators.event_heap import new_heap, pop, push
from tunables.simulators.thread_pool import enter, leave, new_pools

# Columns of `state`, a row a client: what it does next, its transaction, its batch, whether the
# flusher holds its commit, and the flush that freed it last.
_PHASE, _STAGE, _BATCH, _HELD, _FLUSH = range(5)
_ASK, _WORKED, _COMMITTED, _BEGIN, _ENTER, _WORK = range(6)  # phases
_ON, _PARKED = -1.0, -2.0  # instead of a time: go on at once, or when somebody wakes the client
# `count`: events, batches begun and done, commits held, transactions that the flusher expects to
# commit, those among them that have aborted, flushes, and rows written.
_EVENTS, _BEGUN, _DONE, _HOLDING, _ACTIVE, _ABORTED, _FLUSHES, _ROWS = range(8)
_NOW, _DEADLINE, _RESPONSE = range(3)  # `clock`: time, when a flush is due, sum of responses
_BATCHES, _COMMITS = range(2)  # `pools`


class Rules(NamedTuple):
    """What is the same for all batches."""

    clients: int
    commits: int
    lease_stage: int
    max_delay_s: float
    adaptive: bool
    long_transactions: int
    batch_threads: int
    commit_threads: int


@compiled
def _ask(batches, mine, asked, pools, count, now, client, time_s, facts):
    """Begin the next batch, if there is one; return whether a thread takes it at once."""
    if count[_BEGUN] == batches:
        return False
    mine[_PHASE], mine[_STAGE], mine[_BATCH] = _BEGIN, 0, count[_BEGUN]
    asked[client] = now
    count[_BEGUN] += 1
    _note(time_s, facts, count, now, ASKS, client, mine, 0)
    if enter(pools[_BATCHES], client):
        return True
    _note(time_s, facts, count, now, WAITS, client, mine, _BATCHES)
    return False


@compiled
def _note(time_s, facts, count, now, kind, client, mine, detail):
    count[_ROWS] = record(time_s, facts, count[_ROWS], now, kind, client, mine[_BATCH], detail)


@compiled
def _worked(rules, aborts, mine, count, clock, client, time_s, facts):
    """Abort and go on, or wait for the flusher."""
    mine[_PHASE] = _COMMITTED
    if aborts[mine[_BATCH], mine[_STAGE]]:
        count[_ABORTED] += 1
        mine[_STAGE] = aborts.shape[1]
        return _ON
    count[_ACTIVE] -= 1
    if rules.commits == 0:
        return _ON
    _note(time_s, facts, count, clock[_NOW], HELD, client, mine, mine[_STAGE])
    if not rules.adaptive:
        return clock[_NOW] + rules.max_delay_s
    if count[_HOLDING] == 0:
        clock[_DEADLINE] = clock[_NOW] + rules.max_delay_s
    mine[_HELD] = 1
    count[_HOLDING] += 1
    return _PARKED


@compiled
def _flushed(rules, mine, count, now, client, time_s, facts):
    """Write down by which flush a client was freed."""
    if not rules.adaptive:
        mine[_FLUSH] = count[_FLUSHES]
        count[_FLUSHES] += 1
    _note(time_s, facts, count, now, FLUSHED, client, mine, mine[_FLUSH])


@compiled
def _committed(
    rules, think_s, transactions, events, mine, asked, pools, count, clock, client, time_s, facts
):
    """Begin the next transaction, or answer the client, who thinks and asks again."""
    if rules.commits > 0 and mine[_STAGE] < transactions:  # it has not aborted
        _flushed(rules, mine, count, clock[_NOW], client, time_s, facts)
    count[_EVENTS] = leave(pools[_COMMITS], events, count[_EVENTS], clock[_NOW])
    mine[_STAGE] += 1
    mine[_PHASE] = _BEGIN
    if mine[_STAGE] < transactions:
        return _ON
    count[_EVENTS] = leave(pools[_BATCHES], events, count[_EVENTS], clock[_NOW])
    count[_DONE] += 1
    clock[_RESPONSE] += clock[_NOW] - asked[client]
    _note(time_s, facts, count, clock[_NOW], ANSWERED, client, mine, 0)
    mine[_PHASE] = _ASK
    return clock[_NOW] + think_s[mine[_BATCH]]


@compiled
def _advance(
    rules, think_s, lease_s, work_s, aborts, events, state, asked, pools, count, clock,
    client, time_s, facts,
):  # fmt: skip
    """Take a client as far as it comes; return the time at which it goes on, or _PARKED."""
    mine, now, transactions = state[client], clock[_NOW], work_s.shape[1]
    if mine[_PHASE] == _ASK and not _ask(
        len(think_s), mine, asked, pools, count, now, client, time_s, facts
    ):
        return _PARKED
    if mine[_PHASE] == _WORKED:
        time = _worked(rules, aborts, mine, count, clock, client, time_s, facts)
        if time != _ON:
            return time
    if mine[_PHASE] == _COMMITTED:
        time = _committed(
            rules, think_s, transactions, events, mine, asked, pools, count, clock, client,
            time_s, facts,
        )  # fmt: skip
        if time != _ON:
            return time
    if mine[_PHASE] == _BEGIN:
        count[_ACTIVE] += 1
        mine[_PHASE] = _ENTER
        if mine[_STAGE] == rules.lease_stage:
            _note(time_s, facts, count, now, QUERIES, client, mine, mine[_STAGE])
            return now + lease_s[mine[_BATCH]]
    if mine[_PHASE] == _ENTER:
        mine[_PHASE] = _WORK
        if not enter(pools[_COMMITS], client):
            _note(time_s, facts, count, now, WAITS, client, mine, _COMMITS)
            return _PARKED
    mine[_PHASE] = _WORKED
    _note(time_s, facts, count, now, WORKS, client, mine, mine[_STAGE])
    return now + work_s[mine[_BATCH], mine[_STAGE]]


@compiled
def _flush_if_due(events, state, count, clock):
    """Release all held commits when nobody else is expected, or at the deadline."""
    if count[_ACTIVE] > 0:
        if count[_EVENTS] > 0 and events[0][0] < clock[_DEADLINE]:
            return
        clock[_NOW] = clock[_DEADLINE]
    for client in range(len(state)):
        if state[client, _HELD]:
            state[client, _HELD], state[client, _FLUSH] = 0, count[_FLUSHES]
            count[_EVENTS] = push(*events, count[_EVENTS], clock[_NOW], client)
    count[_ACTIVE] -= count[_ABORTED]  # each is waited for once
    count[_HOLDING] = count[_ABORTED] = 0
    count[_FLUSHES] += 1


@compiled
def batches_kernel(rules, think_s, lease_s, work_s, aborts, time_s, facts):
    """Return when the last batch is done, the mean response time, and the number of rows.

    time_s and facts take as many rows as they have room for: see `BatchEvents`.
    """
    clients = rules.clients
    events = new_heap(clients)
    state, asked = np.zeros((clients, 5), np.int64), np.zeros(clients)
    pools = new_pools(rules.batch_threads, rules.commit_threads, clients)
    count, clock = np.zeros(8, np.int64), np.zeros(3)
    count[_ACTIVE] = rules.long_transactions
    for client in range(clients):  # all ask at time 0
        count[_EVENTS] = push(*events, count[_EVENTS], 0.0, client)
    while count[_DONE] < len(think_s):
        if count[_HOLDING] > 0:
            _flush_if_due(events, state, count, clock)
        clock[_NOW] = events[0][0]
        client, count[_EVENTS] = pop(*events, count[_EVENTS])
        time = _advance(
            rules, think_s, lease_s, work_s, aborts, events, state, asked, pools, count,
            clock, client, time_s, facts,
        )  # fmt: skip
        if time != _PARKED:
            count[_EVENTS] = push(*events, count[_EVENTS], time, client)
    return clock[_NOW], clock[_RESPONSE] / len(think_s), count[_ROWS]


def run_batches(draws, rules):
    """Return the time at which the last batch is done, and the mean response time."""
    return batches_kernel(rules, *draws, *room(0))[:2]
