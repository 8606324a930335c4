"""The event loop of `simulate_batches`, compiled.

All state stands in arrays that are handed from function to function one by one: a tuple of them
would cost numba a reference count for each array at each use. Only the heap of events is one.
"""

from typing import NamedTuple

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.tied_heap import new_heap, pop, push

# Columns of `state`, a row a client: what it does next, its transaction, its batch, and whether
# the flusher holds its commit.
_PHASE, _STAGE, _BATCH, _HELD = range(4)
_ASK, _WORKED, _COMMITTED, _BEGIN, _ENTER, _WORK = range(6)  # phases
_ON, _PARKED = -1.0, -2.0  # instead of a time: go on at once, or when somebody wakes the client
# `count`: events, batches begun and done, commits held, transactions that the flusher expects to
# commit, and those among them that have aborted.
_EVENTS, _BEGUN, _DONE, _HOLDING, _ACTIVE, _ABORTED = range(6)
_NOW, _DEADLINE, _RESPONSE = range(3)  # `clock`: time, when a flush is due, sum of responses
_BATCHES, _COMMITS = range(2)  # rows of `pools`: two counts, then the clients who wait
_FREE, _WAITING, _QUEUE = range(3)


class Draws(NamedTuple):
    """Random quantities by number of the batch; work_s and aborts also by transaction."""

    think_s: np.ndarray
    lease_s: np.ndarray
    work_s: np.ndarray
    aborts: np.ndarray


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
def _enter(pool, client):
    """Take a thread of the pool, or stand in its queue and return False."""
    if pool[_FREE] > 0:
        pool[_FREE] -= 1
        return True
    pool[_QUEUE + pool[_WAITING]] = client
    pool[_WAITING] += 1
    return False


@compiled
def _leave(pool, events, count, now):
    """Give the thread back, or to the first in the queue, who goes on now."""
    if pool[_WAITING] == 0:
        pool[_FREE] += 1
        return
    count[_EVENTS] = push(events, count[_EVENTS], now, pool[_QUEUE], pool[_QUEUE])
    pool[_WAITING] -= 1
    for place in range(_QUEUE, _QUEUE + pool[_WAITING]):
        pool[place] = pool[place + 1]


@compiled
def _ask(batches, mine, asked, pools, count, now, client):
    """Begin the next batch, if there is one; return whether a thread takes it at once."""
    if count[_BEGUN] == batches:
        return False
    mine[_PHASE], mine[_STAGE], mine[_BATCH] = _BEGIN, 0, count[_BEGUN]
    asked[client] = now
    count[_BEGUN] += 1
    return _enter(pools[_BATCHES], client)


@compiled
def _worked(rules, aborts, mine, count, clock):
    """Abort and go on, or wait for the flusher."""
    mine[_PHASE] = _COMMITTED
    if aborts[mine[_BATCH], mine[_STAGE]]:
        count[_ABORTED] += 1
        mine[_STAGE] = aborts.shape[1]
        return _ON
    count[_ACTIVE] -= 1
    if rules.commits == 0:
        return _ON
    if not rules.adaptive:
        return clock[_NOW] + rules.max_delay_s
    if count[_HOLDING] == 0:
        clock[_DEADLINE] = clock[_NOW] + rules.max_delay_s
    mine[_HELD] = 1
    count[_HOLDING] += 1
    return _PARKED


@compiled
def _committed(think_s, transactions, events, mine, asked, pools, count, clock, client):
    """Begin the next transaction, or answer the client, who thinks and asks again."""
    _leave(pools[_COMMITS], events, count, clock[_NOW])
    mine[_STAGE] += 1
    mine[_PHASE] = _BEGIN
    if mine[_STAGE] < transactions:
        return _ON
    _leave(pools[_BATCHES], events, count, clock[_NOW])
    count[_DONE] += 1
    clock[_RESPONSE] += clock[_NOW] - asked[client]
    mine[_PHASE] = _ASK
    return clock[_NOW] + think_s[mine[_BATCH]]


@compiled
def _advance(
    rules, think_s, lease_s, work_s, aborts, events, state, asked, pools, count, clock,
    client,
):  # fmt: skip
    """Take a client as far as it comes; return the time at which it goes on, or _PARKED."""
    mine, now, transactions = state[client], clock[_NOW], work_s.shape[1]
    if mine[_PHASE] == _ASK and not _ask(len(think_s), mine, asked, pools, count, now, client):
        return _PARKED
    if mine[_PHASE] == _WORKED:
        time = _worked(rules, aborts, mine, count, clock)
        if time != _ON:
            return time
    if mine[_PHASE] == _COMMITTED:
        time = _committed(think_s, transactions, events, mine, asked, pools, count, clock, client)
        if time != _ON:
            return time
    if mine[_PHASE] == _BEGIN:
        count[_ACTIVE] += 1
        mine[_PHASE] = _ENTER
        if mine[_STAGE] == rules.lease_stage:
            return now + lease_s[mine[_BATCH]]
    if mine[_PHASE] == _ENTER:
        mine[_PHASE] = _WORK
        if not _enter(pools[_COMMITS], client):
            return _PARKED
    mine[_PHASE] = _WORKED
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
            state[client, _HELD] = 0
            count[_EVENTS] = push(events, count[_EVENTS], clock[_NOW], client, client)
    count[_ACTIVE] -= count[_ABORTED]  # each is waited for once
    count[_HOLDING] = count[_ABORTED] = 0


@compiled
def _run(rules, think_s, lease_s, work_s, aborts):
    clients = rules.clients
    events = new_heap(clients)
    state, asked = np.zeros((clients, 4), np.int64), np.zeros(clients)
    pools = np.zeros((2, _QUEUE + clients), np.int64)
    pools[_BATCHES, _FREE], pools[_COMMITS, _FREE] = rules.batch_threads, rules.commit_threads
    count, clock = np.zeros(6, np.int64), np.zeros(3)
    count[_ACTIVE] = rules.long_transactions
    for client in range(clients):  # all ask at time 0
        count[_EVENTS] = push(events, count[_EVENTS], 0.0, client, client)
    while count[_DONE] < len(think_s):
        if count[_HOLDING] > 0:
            _flush_if_due(events, state, count, clock)
        clock[_NOW] = events[0][0]
        client, count[_EVENTS] = pop(events, count[_EVENTS])
        time = _advance(
            rules, think_s, lease_s, work_s, aborts, events, state, asked, pools, count,
            clock, client,
        )  # fmt: skip
        if time != _PARKED:
            count[_EVENTS] = push(events, count[_EVENTS], time, client, client)
    return clock[_NOW], clock[_RESPONSE] / len(think_s)


def run_batches(draws, rules):
    """Return the time at which the last batch is done, and the mean response time."""
    return _run(rules, *draws)
