"""The loop of `simulate_hedged_requests`, one event per turn, compiled."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import random, standard_exponential
from tunables.simulators.relief import USUAL_BURST
from tunables.simulators.token_bucket import earn, spend

RUN, DROP, TIE = range(3)  # rules for the other copy; see `hedged_requests.RULES`
_NONE = -1


@compiled
def draw_requests(state, requests, servers, rate_per_s, service_s):
    """Return asked_s, and work_s and server of both copies: shapes (n,), (n, 2) and (n, 2).

    Requests arrive at random, work is exponential, and the second server is another one.
    """
    asked_s, work_s = np.empty(requests), np.empty((requests, 2))
    server = np.empty((requests, 2), np.int64)
    now = 0.0
    for request in range(requests):
        now += standard_exponential(state) / rate_per_s
        asked_s[request] = now
        for copy in range(2):
            work_s[request, copy] = service_s * standard_exponential(state)
        first = int(servers * random(state))
        server[request, 0] = first
        server[request, 1] = (first + 1 + int((servers - 1) * random(state))) % servers
    return asked_s, work_s, server


@compiled
def end_of_work(start_s, work_s, begins_s, ends_s):
    """Return when work that starts then ends, if the server stands still in these spells.

    The spells are in order and do not overlap.
    """
    now, left_s = start_s, work_s
    for spell in range(len(begins_s)):
        if ends_s[spell] <= now:
            continue
        free_s = begins_s[spell] - now
        if free_s >= left_s:
            break
        left_s -= max(free_s, 0.0)
        now = ends_s[spell]
    return now + left_s


@compiled
def _first_free(free_s):
    """Return the time of the next end of a service and its server, or inf and -1."""
    now, server = np.inf, _NONE
    for each in range(len(free_s)):
        if free_s[each] < now:
            now, server = free_s[each], each
    return now, server


@compiled
def _join(queue, name, server):
    """Add a copy to the end of a server's queue."""
    head, tail, behind = queue
    if tail[server] == _NONE:
        head[server] = name
    else:
        behind[tail[server]] = name
    tail[server] = name


@compiled
def _next_in_line(queue, server):
    """Remove and return the first copy of a server's queue, or -1."""
    head, tail, behind = queue
    name = head[server]
    if name != _NONE:
        head[server] = behind[name]
        if head[server] == _NONE:
            tail[server] = _NONE
    return name


@compiled
def _is_needed(rule, now, answered_s, other_begun_s):
    """Return whether a copy is served at its turn; nan is never at or before now."""
    if rule == RUN:
        return True
    return not (answered_s <= now or (rule == TIE and other_begun_s <= now))


@compiled
def _begin(now, mine, queue, rule, work_s, begun_s, answered_s, spells):
    """Begin the next copy of a free server that is needed; return its name and its end.

    Copies that are not needed are dropped. The name is -1, and the end inf, if none is left.
    """
    first_spell, begins_s, ends_s = spells
    name = _next_in_line(queue, mine)
    while name != _NONE:
        request, copy = name // 2, name % 2
        if _is_needed(rule, now, answered_s[request], begun_s[request, 1 - copy]):
            begun_s[request, copy] = now
            low, high = first_spell[mine], first_spell[mine + 1]
            work = work_s[request, copy]
            return name, end_of_work(now, work, begins_s[low:high], ends_s[low:high])
        name = _next_in_line(queue, mine)
    return name, np.inf


@compiled
def _may_send(tokens, burst, budget, copy):
    """Return the tokens after a copy of a request, and whether it is sent: the first always is."""
    if copy == 0:
        return earn(tokens, budget, burst), True
    return spend(tokens)


@compiled
def hedged_requests_kernel(
    asked_s, work_s, server, servers, delay_s, rule, budget, first_spell, begins_s, ends_s
):  # fmt: skip
    """Return sent_s, begun_s and ended_s of both copies, and answered_s; each request's own row.

    Copy 2 of a request is sent delay_s after it was asked, if it is not answered by then and the
    budget has a token left. The budget begins empty, each request adds budget tokens, and at most
    USUAL_BURST are saved up; with budget = 1 there is no limit. nan is what never was. Server k
    stands still in the spells first_spell[k] to first_spell[k + 1]. At the same time an answer
    comes before a copy, and a copy before a request.
    """
    n = len(asked_s)
    sent_s, begun_s = np.full((n, 2), np.nan), np.full((n, 2), np.nan)
    ended_s, answered_s = np.full((n, 2), np.nan), np.full(n, np.nan)
    queue = (
        np.full(servers, _NONE, np.int64), np.full(servers, _NONE, np.int64),
        np.full(2 * n, _NONE, np.int64),
    )  # fmt: skip
    spells = first_spell, begins_s, ends_s
    serving, free_s = np.full(servers, _NONE, np.int64), np.full(servers, np.inf)
    asked = due = 0
    tokens, burst = (0.0, USUAL_BURST) if budget < 1 else (np.inf, np.inf)
    while True:
        now, mine = _first_free(free_s)
        while due < asked and answered_s[due] <= asked_s[due] + delay_s:
            due += 1  # answered in time: no copy
        request, copy = _NONE, 0
        if due < asked and asked_s[due] + delay_s < now:
            now, request, copy = asked_s[due] + delay_s, due, 1
        if asked < n and asked_s[asked] < now:
            now, request, copy = asked_s[asked], asked, 0
        if now == np.inf:
            break
        if request == _NONE:
            request, copy = serving[mine] // 2, serving[mine] % 2
            ended_s[request, copy] = now
            if not answered_s[request] <= now:
                answered_s[request] = now
            serving[mine] = _NONE
        else:
            asked, due = asked + 1 - copy, due + copy
            tokens, is_sent = _may_send(tokens, burst, budget, copy)
            if not is_sent:
                continue
            sent_s[request, copy], mine = now, server[request, copy]
            _join(queue, 2 * request + copy, mine)
        if serving[mine] == _NONE:
            serving[mine], free_s[mine] = _begin(
                now, mine, queue, rule, work_s, begun_s, answered_s, spells
            )
    return sent_s, begun_s, ended_s, answered_s
