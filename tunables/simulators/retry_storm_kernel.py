"""The retry storm in one pass over the attempts, compiled."""

from typing import NamedTuple

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.event_heap import new_heap, pop, push
from tunables.simulators.retry_deeds import (
    DEEDS,
    DROP_LINE,
    QUEUE_LIMIT,
    RETRIES,
    RETRY_BUDGET,
    SERVER,
    SKIP,
    TURN_AWAY,
)
from tunables.simulators.retry_rows import ANSWERED, DROPPED, LATE, REFUSED, SKIPPED, count, record

# Rules in force stand in an array, at the numbers of the deeds that change them; behind them what
# the retry budget may save up, and has.
_BURST, _TOKENS, _RULES = len(DEEDS), len(DEEDS) + 1, len(DEEDS) + 2


class Draws(NamedTuple):
    """Random quantities: fresh_s and chances by request, the others by attempt.

    pauses_s are the bounds of the pauses before the retries; their number is that of the most
    retries that are ever allowed. With think_s the requests are callers, who ask anew after each
    end.
    """

    fresh_s: np.ndarray
    service_s: np.ndarray
    pauses_s: np.ndarray
    jitter: np.ndarray
    think_s: np.ndarray
    chances: np.ndarray


class Clients(NamedTuple):
    """What stays the same: time-out, end, retries at first, and the rules' margin and burst."""

    timeout_s: float
    horizon_s: float
    retries: float
    margin_s: float
    budget_burst: float


@compiled
def _heed(now, place, deeds, budget_burst, rules):
    """Change the rules by the deeds up to now; return the place of the first that is to come."""
    while place < len(deeds.time_s) and deeds.time_s[place] <= now:
        rules[deeds.deed[place]] = deeds.value[place]
        if deeds.deed[place] == RETRY_BUDGET:
            rules[_BURST] = budget_burst
            rules[_TOKENS] = min(rules[_TOKENS], budget_burst)
        place += 1
    return place


@compiled
def _sends(tried, chance, rules):
    """Return whether an attempt is sent at all, and pay for it."""
    if tried == 0:
        if rules[RETRY_BUDGET] > 0:
            rules[_TOKENS] = min(rules[_TOKENS] + rules[RETRY_BUDGET], rules[_BURST])
        return chance >= rules[TURN_AWAY]
    if tried > rules[RETRIES] or rules[_TOKENS] < 1:
        return False
    rules[_TOKENS] -= 1
    return True


@compiled
def _turn(start, place, deeds, rules):
    """Return when a server that is free at start takes the next; change its rules until then.

    Returns the place of the first deed that is to come, too.
    """
    while place < len(deeds.time_s) and (rules[SERVER] == 0 or deeds.time_s[place] <= start):
        deed, value = deeds.deed[place], deeds.value[place]
        if deed == SERVER and rules[SERVER] == 0 and value != 0:
            start = max(start, deeds.time_s[place])
        rules[deed] = value
        place += 1
    return (np.inf if rules[SERVER] == 0 else start), place


@compiled
def _is_worth_it(left_s, service_s, skip, margin_s):
    """Say whether the server begins an attempt that has so much time left at its turn."""
    if skip == 0:
        return True
    return left_s >= (margin_s if skip == 1 else service_s)


@compiled
def _dropped(start, place, deeds):
    """Return when the line is dropped, from a place in the deeds until start; else inf."""
    while place < len(deeds.time_s) and deeds.time_s[place] <= start:
        if deeds.deed[place] == DROP_LINE:
            return deeds.time_s[place]
        place += 1
    return np.inf


@compiled
def _end_of_service(start, service_s, place, deeds):
    """Return when a service ends, during which the deeds from a place on may stop the server."""
    end, down = start + service_s, np.inf
    while place < len(deeds.time_s) and (down < np.inf or deeds.time_s[place] < end):
        if deeds.deed[place] == SERVER:
            if deeds.value[place] == 0:
                down = min(down, deeds.time_s[place])
            elif down < np.inf:
                end += deeds.time_s[place] - down
                down = np.inf
        place += 1
    return end if down == np.inf else np.inf


@compiled
def _fate(give_up, start, service_s, sent, served, deeds, skip, margin_s):
    """Return the fate of an attempt in the line, and when it leaves line and server.

    sent and served are the places of the deeds to come when it is sent, and at its turn.
    """
    # Mostly no deed is to come, and these loops are calls that cost as much as all the rest.
    dropped = _dropped(start, sent, deeds) if sent < len(deeds.time_s) else np.inf
    if dropped < np.inf:
        return DROPPED, dropped, dropped
    if not _is_worth_it(give_up - start, service_s, skip, margin_s):
        return SKIPPED, start, start
    end = start + service_s
    if served < len(deeds.time_s):
        end = _end_of_service(start, service_s, served, deeds)
    return ANSWERED if end <= give_up else LATE, start, end


@compiled
def retry_storm_kernel(draws, clients, deeds, counts, times, facts):
    """Return the number of attempts; fill counts by the second, and rows as there is room.

    The server takes attempts first come, first served, so that each starts when it has come
    and the one before has left: one pass is enough, and only retries need a calendar. Deeds are
    gone through twice: by the times at which attempts are sent, and by those of their turns.
    """
    fresh_s, service_s, pauses_s, jitter, think_s, chances = draws
    tries = np.zeros(len(fresh_s), np.int64)
    keys, names = new_heap(len(fresh_s))
    turns = np.empty(len(service_s))  # when each attempt leaves the queue
    asking, serving = np.zeros(_RULES), np.zeros(_RULES)
    asking[RETRIES], serving[SERVER] = clients.retries, 1.0
    asking[QUEUE_LIMIT] = asking[_BURST] = asking[_TOKENS] = np.inf
    size = fresh = attempts = first = queued = sent = served = 0
    free = 0.0  # when the server has done all that came so far
    while attempts < len(service_s) and (fresh < len(fresh_s) or size > 0):
        if size == 0 or (fresh < len(fresh_s) and fresh_s[fresh] <= keys[0]):
            now, request = fresh_s[fresh], fresh
            fresh += 1
        else:
            now = keys[0]
            request, size = pop(keys, names, size)
        if now >= clients.horizon_s:
            break
        sent = _heed(now, sent, deeds, clients.budget_burst, asking)
        tried = tries[request]
        if not _sends(tried, chances[request], asking):
            continue
        give_up = now + clients.timeout_s
        free, served = _turn(max(now, free), served, deeds, serving)
        fate, turn, left = REFUSED, now, now
        while first < queued and turns[first] <= now:
            first += 1
        if queued - first < asking[QUEUE_LIMIT]:
            fate, turn, left = _fate(
                give_up, free, service_s[attempts], sent, served, deeds, serving[SKIP],
                clients.margin_s,
            )  # fmt: skip
            free = left if fate <= LATE else free
            turns[queued] = turn
            queued += 1
        if fate != ANSWERED and tried < len(pauses_s):
            tries[request] += 1
            pause = pauses_s[tried] * jitter[attempts]
            size = push(keys, names, size, give_up + pause, request)
        elif len(think_s) > 0:
            tries[request] = 0
            end = left if fate == ANSWERED else give_up
            size = push(keys, names, size, end + think_s[attempts], request)
        count(counts, now, fate)
        record(times, facts, attempts, now, turn, left, request, tried, fate)
        attempts += 1
    return attempts
