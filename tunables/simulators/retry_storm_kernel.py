"""The retry storm in one pass over the attempts, with its draws and its rows, compiled."""

from typing import NamedTuple

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import poisson, random, standard_exponential
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
from tunables.simulators.token_bucket import earn, spend

ANSWERED, LATE, SKIPPED, DROPPED, REFUSED = range(5)  # fates


class Attempts(NamedTuple):
    """Attempts in the order in which they were sent, one array per column; rows: their number.

    asked_s: when it was sent; turn_s: when it left the queue; left_s: when it left the server.
    tried: which attempt of its request it was, from 0. fate: 0 answered while its client waited,
    1 served when its client no longer waited, 2 skipped at its turn, 3 dropped with the queue,
    4 refused by a full queue. An attempt that is not served leaves queue and server at once; the
    times are inf for one that a stopped server never takes.
    """

    rows: int
    asked_s: np.ndarray
    turn_s: np.ndarray
    left_s: np.ndarray
    request: np.ndarray
    tried: np.ndarray
    fate: np.ndarray


@compiled
def room(rows):
    """Return empty arrays times (asked, turn, left) and facts (request, tried, fate)."""
    return np.empty((3, rows)), np.empty((3, rows), np.int64)


@compiled
def record(times, facts, row, asked_s, turn_s, left_s, request, tried, fate):
    """Write a row if there is room for it."""
    if row < times.shape[1]:
        times[0, row], times[1, row], times[2, row] = asked_s, turn_s, left_s
        facts[0, row], facts[1, row], facts[2, row] = request, tried, fate


@compiled
def columns(rows, times, facts):
    """Return the fields of `Attempts` for the rows written, as a tuple."""
    kept = min(rows, times.shape[1])
    return (
        rows, times[0, :kept], times[1, :kept], times[2, :kept],
        facts[0, :kept], facts[1, :kept], facts[2, :kept],
    )  # fmt: skip


@compiled
def count_attempt(counts, now, fate):
    """Count an attempt, and whether it is answered, in its second; the last includes its end."""
    seconds = counts.shape[1]
    if now <= seconds:
        second = min(int(now), seconds - 1)
        counts[0, second] += 1
        counts[1, second] += fate == ANSWERED


@compiled
def mark_answered(counts, facts, row, asked_s):
    """Mark an attempt sent earlier, at asked_s, as answered, and count it."""
    if row < facts.shape[1]:
        facts[2, row] = ANSWERED
    seconds = counts.shape[1]
    if asked_s <= seconds:
        counts[1, min(int(asked_s), seconds - 1)] += 1


@compiled
def pause_bounds(most, base_s, cap_s):
    """Return the bounds of the pauses before `most` retries: doubled each time, up to the cap."""
    bounds_s = np.empty(most)
    for k in range(most):
        bounds_s[k] = base_s = min(base_s, cap_s)
        base_s *= 2
    return bounds_s


@compiled
def _draw_services(state, service_s, start, stop, service_rate):
    for attempt in range(start, stop):
        service_s[attempt] = standard_exponential(state) / service_rate


@compiled
def _draw_think_times(state, thought_s, think_time_s):
    for i in range(len(thought_s)):
        thought_s[i] = think_time_s * standard_exponential(state)


@compiled
def _draw_uniforms(state, drawn, start, stop):
    for i in range(start, stop):
        drawn[i] = random(state)


@compiled
def draw_storm(state, arrival_rate, service_rate, retries, most, horizon_s, base_s, cap_s):
    """Return the fields of `StormDraws` for requests with Poisson arrivals.

    Each has `retries` at first and never more than `most`. A seed gives the same requests for any
    number of retries, and the same draws for all attempts whatever is allowed later.
    """
    fresh_s = np.empty(poisson(state, arrival_rate * horizon_s))
    for request in range(len(fresh_s)):
        fresh_s[request] = horizon_s * random(state)
    fresh_s.sort()
    attempts, all_attempts = len(fresh_s) * (retries + 1), len(fresh_s) * (most + 1)
    service_s, jitter = np.empty(all_attempts), np.empty(all_attempts)
    chances = np.empty(len(fresh_s))
    _draw_services(state, service_s, 0, attempts, service_rate)
    _draw_uniforms(state, jitter, 0, attempts)
    _draw_uniforms(state, chances, 0, len(chances))
    _draw_services(state, service_s, attempts, all_attempts, service_rate)
    _draw_uniforms(state, jitter, attempts, all_attempts)
    return fresh_s, service_s, pause_bounds(most, base_s, cap_s), jitter, np.empty(0), chances


@compiled
def draw_callers(state, callers, attempts, service_rate, think_time_s, retries):
    """Return the fields of `StormDraws` for callers, who think before each request."""
    fresh_s, service_s, think_s = np.empty(callers), np.empty(attempts), np.empty(attempts)
    _draw_think_times(state, fresh_s, think_time_s)
    fresh_s.sort()
    _draw_services(state, service_s, 0, attempts, service_rate)
    _draw_think_times(state, think_s, think_time_s)
    pauses_s = pause_bounds(retries, 0.0, 0.0)
    return fresh_s, service_s, pauses_s, np.zeros(attempts), think_s, np.zeros(callers)


# The current rules are an array, indexed by the interventions that change them; after them come the
# burst that the retry budget may save up, and its tokens.
_BURST, _TOKENS, _RULES = len(DEEDS), len(DEEDS) + 1, len(DEEDS) + 2


class StormDraws(NamedTuple):
    """Random quantities: fresh_s and chances by request, the others by attempt.

    pauses_s are the bounds of the pauses before the retries, as many as retries are ever allowed.
    If think_s isn't empty, the requests are callers, who ask again after each request ends.
    """

    fresh_s: np.ndarray
    service_s: np.ndarray
    pauses_s: np.ndarray
    jitter: np.ndarray
    think_s: np.ndarray
    chances: np.ndarray


class Clients(NamedTuple):
    """Constants of a run: timeout, end, initial retries, and the rules' margin and burst.

    any_answer: 0 if a client takes an answer to its latest attempt only; 1 if it takes an answer
    to any attempt of its request while it waits or pauses.
    """

    timeout_s: float
    horizon_s: float
    retries: float
    margin_s: float
    budget_burst: float
    any_answer: float


@compiled
def _apply_due(now, place, interventions, budget_burst, rules):
    """Apply the interventions up to now to the rules; return the index of the next one."""
    while place < len(interventions.time_s) and interventions.time_s[place] <= now:
        rules[interventions.kind[place]] = interventions.value[place]
        if interventions.kind[place] == RETRY_BUDGET:
            rules[_BURST] = budget_burst
            rules[_TOKENS] = min(rules[_TOKENS], budget_burst)
        place += 1
    return place


@compiled
def _may_send(tried, chance, rules):
    """Return whether an attempt is sent at all, and pay for it from the budget."""
    if tried == 0:
        if rules[RETRY_BUDGET] > 0:
            rules[_TOKENS] = earn(rules[_TOKENS], rules[RETRY_BUDGET], rules[_BURST])
        return chance >= rules[TURN_AWAY]
    if tried > rules[RETRIES]:
        return False
    rules[_TOKENS], is_sent = spend(rules[_TOKENS])
    return is_sent


@compiled
def _turn(start, place, interventions, rules):
    """Return when a server that is free at start takes the next attempt; update the rules.

    Also returns the index of the next intervention.
    """
    while place < len(interventions.time_s) and (
        rules[SERVER] == 0 or interventions.time_s[place] <= start
    ):
        kind, value = interventions.kind[place], interventions.value[place]
        if kind == SERVER and rules[SERVER] == 0 and value != 0:
            start = max(start, interventions.time_s[place])
        rules[kind] = value
        place += 1
    return (np.inf if rules[SERVER] == 0 else start), place


@compiled
def _is_worth_it(left_s, service_s, skip, margin_s):
    """Return whether the server begins an attempt that has left_s left at its turn."""
    if skip == 0:
        return True
    return left_s >= (margin_s if skip == 1 else service_s)


@compiled
def _drop_time(start, place, interventions):
    """Return when the queue is dropped, by an intervention from `place` until start; else inf."""
    while place < len(interventions.time_s) and interventions.time_s[place] <= start:
        if interventions.kind[place] == DROP_LINE:
            return interventions.time_s[place]
        place += 1
    return np.inf


@compiled
def _end_of_service(start, service_s, place, interventions):
    """Return the end of a service; interventions from `place` on may stop the server."""
    end, down = start + service_s, np.inf
    while place < len(interventions.time_s) and (
        down < np.inf or interventions.time_s[place] < end
    ):
        if interventions.kind[place] == SERVER:
            if interventions.value[place] == 0:
                down = min(down, interventions.time_s[place])
            elif down < np.inf:
                end += interventions.time_s[place] - down
                down = np.inf
        place += 1
    return end if down == np.inf else np.inf


@compiled
def _fate(give_up, start, service_s, sent, served, interventions, skip, margin_s):
    """Return the fate of a queued attempt, and when it leaves queue and server.

    sent and served are the indices of the next intervention when it is sent, and at its turn.
    """
    # Usually no intervention is left, and these calls would cost as much as all the rest.
    dropped = _drop_time(start, sent, interventions) if sent < len(interventions.time_s) else np.inf
    if dropped < np.inf:
        return DROPPED, dropped, dropped
    if not _is_worth_it(give_up - start, service_s, skip, margin_s):
        return SKIPPED, start, start
    end = start + service_s
    if served < len(interventions.time_s):
        end = _end_of_service(start, service_s, served, interventions)
    return ANSWERED if end <= give_up else LATE, start, end


@compiled
def _no_replies(requests):
    """Return per request: when its first answer comes, to which attempt, sent when."""
    return np.full(requests, np.inf), np.zeros(requests, np.int64), np.zeros(requests)


@compiled
def _first_answer(replies, request, attempt, now, left, fate, until, last, counts, facts):
    """Return the fate of an attempt of a client that takes any answer, and when it takes one.

    until: when the client asks again, or gives up if this attempt is the last. The time is inf if
    no answer comes by then. An answer to an earlier attempt is counted here.
    """
    reply_s, reply_to, sent_s = replies
    if fate <= LATE and left < reply_s[request]:
        reply_s[request], reply_to[request], sent_s[request] = left, attempt, now
    answer_s = reply_s[request] if reply_s[request] <= until else np.inf
    own = answer_s < np.inf and reply_to[request] == attempt
    if answer_s < np.inf and not own:
        mark_answered(counts, facts, reply_to[request], sent_s[request])
    if answer_s < np.inf or last:
        reply_s[request] = np.inf  # a caller's next request waits for its own answers
    if fate <= LATE:
        fate = ANSWERED if own else LATE
    return fate, answer_s


@compiled
def retry_storm_kernel(draws, clients, interventions, counts, times, facts):
    """Return the number of attempts; fill counts by second, and rows while there is room.

    The server takes attempts first come, first served, so each starts once it has arrived and
    its predecessor has left: one pass is enough, and only retries need a calendar. Interventions
    are applied twice: at the times at which attempts are sent, and at the times of their turns.
    """
    fresh_s, service_s, pauses_s, jitter, think_s, chances = draws
    tries = np.zeros(len(fresh_s), np.int64)
    replies = _no_replies(len(fresh_s) if clients.any_answer > 0 else 0)
    keys, names = new_heap(len(fresh_s))
    turns = np.empty(len(service_s))  # when each attempt leaves the queue
    asking, serving = np.zeros(_RULES), np.zeros(_RULES)
    asking[RETRIES], serving[SERVER] = clients.retries, 1.0
    asking[QUEUE_LIMIT] = asking[_BURST] = asking[_TOKENS] = np.inf
    size = fresh = attempts = first = queued = sent = served = 0
    free = 0.0  # when the server has finished all attempts so far
    while attempts < len(service_s) and (fresh < len(fresh_s) or size > 0):
        if size == 0 or (fresh < len(fresh_s) and fresh_s[fresh] <= keys[0]):
            now, request = fresh_s[fresh], fresh
            fresh += 1
        else:
            now = keys[0]
            request, size = pop(keys, names, size)
        if now >= clients.horizon_s:
            break
        sent = _apply_due(now, sent, interventions, clients.budget_burst, asking)
        tried = tries[request]
        if not _may_send(tried, chances[request], asking):
            continue
        give_up = now + clients.timeout_s
        free, served = _turn(max(now, free), served, interventions, serving)
        fate, turn, left = REFUSED, now, now
        while first < queued and turns[first] <= now:
            first += 1
        if queued - first < asking[QUEUE_LIMIT]:
            fate, turn, left = _fate(
                give_up, free, service_s[attempts], sent, served, interventions, serving[SKIP],
                clients.margin_s,
            )  # fmt: skip
            free = left if fate <= LATE else free
            turns[queued] = turn
            queued += 1
        last = tried == len(pauses_s)
        until = give_up if last else give_up + pauses_s[tried] * jitter[attempts]
        answer_s = left if fate == ANSWERED else np.inf
        if clients.any_answer > 0:
            fate, answer_s = _first_answer(
                replies, request, attempts, now, left, fate, until, last, counts, facts
            )
        if answer_s == np.inf and not last:
            tries[request] += 1
            size = push(keys, names, size, until, request)
        elif len(think_s) > 0:
            tries[request] = 0
            end = answer_s if answer_s < np.inf else give_up
            size = push(keys, names, size, end + think_s[attempts], request)
        count_attempt(counts, now, fate)
        record(times, facts, attempts, now, turn, left, request, tried, fate)
        attempts += 1
    return attempts
