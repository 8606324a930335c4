"""The event loop of `simulate_batches`, with its draws and its rows, compiled.

All state is in arrays that are passed from function to function one by one: a tuple of them
would cost numba one reference count per array and use. Only the heap of events is a tuple.
A pool of threads is an array: free threads, waiting clients, and then their numbers in order.
"""

from typing import NamedTuple

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import geometric, random, standard_exponential
from tunables.simulators.event_heap import new_heap, pop, push

# Kinds of rows
ASKS, WAITS, QUERIES, WORKS, HELD, FLUSHED, ANSWERED = range(7)


class BatchEvents(NamedTuple):
    """Events in order of time, one array per column; rows: the number of all events.

    kind: 0 a client asks for its next batch, 1 waits for a thread, 2 begins its lease query,
    3 has a commit thread and works, 4 has finished its work and is held for a flush, 5 is flushed,
    6 is answered. detail: for a wait, the pool (0 batches, 1 commits); for a flush, its number
    from 0, shared by all clients that it frees; otherwise the transaction's number in its batch.
    """

    rows: int
    time_s: np.ndarray
    kind: np.ndarray
    client: np.ndarray
    batch: np.ndarray
    detail: np.ndarray


@compiled
def room(rows):
    """Return empty arrays time_s and facts (kind, client, batch, detail) for a number of rows."""
    return np.empty(rows), np.empty((4, rows), np.int64)


@compiled
def record(time_s, facts, row, now, kind, client, batch, detail):
    """Write a row if there is room for it; return the number of the next row."""
    if row < len(time_s):
        time_s[row] = now
        facts[0, row] = kind
        facts[1, row] = client
        facts[2, row] = batch
        facts[3, row] = detail
    return row + 1


@compiled
def columns(rows, time_s, facts):
    """Return the fields of `BatchEvents` for the rows written, as a tuple."""
    kept = min(rows, len(time_s))
    return rows, time_s[:kept], facts[0, :kept], facts[1, :kept], facts[2, :kept], facts[3, :kept]


class BatchDraws(NamedTuple):
    """Random quantities by batch; work_s and aborts by batch and transaction."""

    think_s: np.ndarray
    lease_s: np.ndarray
    work_s: np.ndarray
    aborts: np.ndarray


@compiled
def _lease_time(state, failure_probability, timeout_s, retries, reply_s):
    """Return the duration of a lease query: r + 1 attempts, or fewer and a reply."""
    failures = retries + 1
    if failure_probability < 1:
        failures = min(geometric(state, 1 - failure_probability) - 1, failures)
    return timeout_s * failures + (reply_s if failures <= retries else 0.0)


@compiled
def draw_batches(
    state, batches, transactions, think_time_s, base_s, abort_probability, failure_probability,
    timeout_s, retries, reply_s,
):  # fmt: skip
    """Return the fields of `BatchDraws` for a number of batches."""
    think_s, lease_s = np.empty(batches), np.empty(batches)
    work_s = np.empty((batches, transactions))
    aborts = np.empty((batches, transactions), np.bool_)
    for batch in range(batches):
        think_s[batch] = think_time_s * standard_exponential(state)
    for batch in range(batches):
        for stage in range(transactions):
            work_s[batch, stage] = base_s / transactions * standard_exponential(state)
    for batch in range(batches):
        for stage in range(transactions):
            aborts[batch, stage] = random(state) < abort_probability
    for batch in range(batches):
        lease_s[batch] = _lease_time(state, failure_probability, timeout_s, retries, reply_s)
    return think_s, lease_s, work_s, aborts


_FREE, _WAITING, _QUEUE = range(3)


@compiled
def new_pools(first, second, clients):
    """Return two pools with first and second threads, for a number of clients."""
    pools = np.zeros((2, _QUEUE + clients), np.int64)
    pools[0, _FREE], pools[1, _FREE] = first, second
    return pools


@compiled
def enter(pool, client):
    """Take a thread of the pool, or join its queue and return False."""
    if pool[_FREE] > 0:
        pool[_FREE] -= 1
        return True
    pool[_QUEUE + pool[_WAITING]] = client
    pool[_WAITING] += 1
    return False


@compiled
def leave(pool, events, size, now):
    """Return the thread to the pool, or give it to the first client in the queue.

    Returns the new size of the heap of events, to which that client is added.
    """
    if pool[_WAITING] == 0:
        pool[_FREE] += 1
        return size
    size = push(*events, size, now, pool[_QUEUE])
    pool[_WAITING] -= 1
    for place in range(_QUEUE, _QUEUE + pool[_WAITING]):
        pool[place] = pool[place + 1]
    return size


# Columns of `state`, one row per client: what it does next, its transaction, its batch, whether the
# flusher holds its commit, and the flush that freed it last.
_PHASE, _STAGE, _BATCH, _HELD, _FLUSH = range(5)
_ASK, _WORKED, _COMMITTED, _BEGIN, _ENTER, _WORK = range(6)  # phases
_ON, _PARKED = -1.0, -2.0  # in place of a time: continue at once, or when the client is woken
# `count`: events, batches begun and done, commits held, transactions that the flusher expects to
# commit, how many of those have aborted, flushes, and rows written.
_EVENTS, _BEGUN, _DONE, _HOLDING, _ACTIVE, _ABORTED, _FLUSHES, _ROWS = range(8)
_NOW, _DEADLINE, _RESPONSE = range(3)  # `clock`: time, when a flush is due, sum of responses
_BATCHES, _COMMITS = range(2)  # `pools`


class Rules(NamedTuple):
    """The settings, which are the same for all batches."""

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
    """Begin the next batch, if there is one; return whether it gets a thread at once."""
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
def _end_work(rules, aborts, mine, count, clock, client, time_s, facts):
    """Abort and continue, or wait for the flusher."""
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
def _note_flush(rules, mine, count, now, client, time_s, facts):
    """Record which flush freed a client."""
    if not rules.adaptive:
        mine[_FLUSH] = count[_FLUSHES]
        count[_FLUSHES] += 1
    _note(time_s, facts, count, now, FLUSHED, client, mine, mine[_FLUSH])


@compiled
def _end_commit(
    rules, think_s, transactions, events, mine, asked, pools, count, clock, client, time_s, facts
):
    """Begin the next transaction, or answer the client, which thinks and asks again."""
    if rules.commits > 0 and mine[_STAGE] < transactions:  # it has not aborted
        _note_flush(rules, mine, count, clock[_NOW], client, time_s, facts)
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
    """Advance a client as far as possible; return when it continues, or _PARKED."""
    mine, now, transactions = state[client], clock[_NOW], work_s.shape[1]
    if mine[_PHASE] == _ASK and not _ask(
        len(think_s), mine, asked, pools, count, now, client, time_s, facts
    ):
        return _PARKED
    if mine[_PHASE] == _WORKED:
        time = _end_work(rules, aborts, mine, count, clock, client, time_s, facts)
        if time != _ON:
            return time
    if mine[_PHASE] == _COMMITTED:
        time = _end_commit(
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
    """Release all held commits if no other is expected, or at the deadline."""
    if count[_ACTIVE] > 0:
        if count[_EVENTS] > 0 and events[0][0] < clock[_DEADLINE]:
            return
        clock[_NOW] = clock[_DEADLINE]
    for client in range(len(state)):
        if state[client, _HELD]:
            state[client, _HELD], state[client, _FLUSH] = 0, count[_FLUSHES]
            count[_EVENTS] = push(*events, count[_EVENTS], clock[_NOW], client)
    count[_ACTIVE] -= count[_ABORTED]  # the flusher waits for each once
    count[_HOLDING] = count[_ABORTED] = 0
    count[_FLUSHES] += 1


@compiled
def batches_kernel(rules, think_s, lease_s, work_s, aborts, time_s, facts):
    """Return the end of the last batch, the mean response time, and the number of rows.

    time_s and facts record as many rows as they have room for: see `BatchEvents`.
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
    """Return the end of the last batch and the mean response time."""
    return batches_kernel(rules, *draws, *room(0))[:2]
