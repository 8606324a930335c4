"""Chapter 8's compiled functions: reads drawn one by one, many leaves, and servers with copies.

The page calls them as WebAssembly.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import new_state, random
from tunables.simulators.elementary import exp, log
from tunables.simulators.hedged_requests_kernel import draw_requests, hedged_requests_kernel

_NEVER = 1e30


@compiled
def _time_of(share, times, shares, power_piece):
    """Return the time that a share of the latencies exceeds; pieces from power_piece on are powers.

    times, shares: the points of the tail, from (floor, 1) on.
    """
    piece = 0
    while piece < len(times) - 2 and share < shares[piece + 1]:
        piece += 1
    part = log(share / shares[piece]) / log(shares[piece + 1] / shares[piece])
    if piece < power_piece:
        return times[piece] + (times[piece + 1] - times[piece]) * part
    return times[piece] * exp(log(times[piece + 1] / times[piece]) * part)


@compiled
def _positive(state):
    """Return a number that is uniform in (0, 1]."""
    return 1.0 - random(state)


@compiled
def _hedged(state, share, times, shares, power_piece, delay, shared):
    """Return the time of one request, and whether it was sent twice.

    share: how much of the latencies of one copy exceeds that of the first copy.
    """
    first = _time_of(share, times, shares, power_piece)
    if first <= delay:
        return first, 0
    if random(state) < shared:
        return first, 1
    second = delay + _time_of(_positive(state), times, shares, power_piece)
    return min(first, second), 1


@compiled
def _exceeded(latencies, share):
    """Return the time that this share of sorted latencies exceeds."""
    n = len(latencies)
    return latencies[min(n - 1, int(n * (1.0 - share)))]


@compiled
def simulate_reads(
    seed, reads, floor_ms, p50_ms, p90_ms, p99_ms, p999_ms, delay_ms, shared
):  # fmt: skip
    """Return the 50th, 90th, 99th and 99.9th percentile, and the share of reads sent twice."""
    state = new_state(seed)
    times = np.array((floor_ms, p50_ms, p90_ms, p99_ms, p999_ms))
    shares = np.array((1.0, 0.5, 0.1, 0.01, 0.001))
    latencies, twice = np.empty(reads), 0
    for read in range(reads):
        share = _positive(state)
        latencies[read], copy = _hedged(state, share, times, shares, len(times), delay_ms, shared)
        twice += copy
    latencies.sort()
    return (
        _exceeded(latencies, 0.5), _exceeded(latencies, 0.1), _exceeded(latencies, 0.01),
        _exceeded(latencies, 0.001), twice / reads,
    )  # fmt: skip


@compiled
def _select(values, k):
    """Return the k-th smallest value, from 0, by Hoare's selection; it reorders the values."""
    low, high = 0, len(values) - 1
    while low < high:
        pivot, i, j = values[(low + high) // 2], low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i, j = i + 1, j - 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return values[k]


@compiled
def simulate_leaves(
    seed, requests, leaves, slow, leaf_p50_ms, leaf_p95_ms, leaf_p99_ms, twice, delay_ms, shared
):  # fmt: skip
    """Return what requests that wait for many leaves see.

    These are the share of slow requests, three percentiles of the time of all leaves and three of
    95% of them, and the share of leaf requests that were sent twice.
    """
    state = new_state(seed)
    times = np.array((0.0, leaf_p50_ms, leaf_p95_ms, leaf_p99_ms))
    shares = np.array((1.0, 0.5, 0.05, 0.01))
    delay = delay_ms if twice else _NEVER
    everything, most, mine = np.empty(requests), np.empty(requests), np.empty(leaves)
    waited_for = leaves - leaves // 20  # the last of 95 %
    copies = slow_requests = 0
    for request in range(requests):
        last, slowest = 0.0, 1.0
        for leaf in range(leaves):
            share = _positive(state)
            mine[leaf], copy = _hedged(state, share, times, shares, 2, delay, shared)
            copies += copy
            last, slowest = max(last, mine[leaf]), min(slowest, share)
        slow_requests += slowest <= slow
        everything[request], most[request] = last, _select(mine, waited_for - 1)
    everything.sort()
    most.sort()
    return (
        slow_requests / requests, _exceeded(everything, 0.5), _exceeded(everything, 0.05),
        _exceeded(everything, 0.01), _exceeded(most, 0.5), _exceeded(most, 0.05),
        _exceeded(most, 0.01), copies / (requests * leaves),
    )  # fmt: skip


@compiled
def _shares(
    asked_s, work_s, server, servers, delay_s, rule, budget, stop_s, deadline_s, measured
):  # fmt: skip
    """Return copies per request among the last requests, and the share of these that is late.

    All servers stand still for the first stop_s.
    """
    spells = 1 if stop_s > 0 else 0
    first_spell = np.empty(servers + 1, np.int64)
    begins_s, ends_s = np.zeros(spells * servers), np.full(spells * servers, stop_s)
    for each in range(servers + 1):
        first_spell[each] = spells * each
    sent_s, _, _, answered_s = hedged_requests_kernel(
        asked_s, work_s, server, servers, delay_s, rule, budget, first_spell, begins_s, ends_s
    )
    copies = late = 0
    for request in range(len(asked_s) - measured, len(asked_s)):
        copies += sent_s[request, 1] >= 0.0
        late += not answered_s[request] - asked_s[request] <= deadline_s
    return copies / measured, late / measured


@compiled
def simulate_duplicates(
    seed, requests, measured, servers, rate_per_s, service_s, delay_s, rule, budget, stop_s,
    deadline_s,
):  # fmt: skip
    """Return copies and late shares, from rest and after a stop, then late without copies.

    The three runs have the same requests.
    """
    drawn = draw_requests(new_state(seed), requests, servers, rate_per_s, service_s)
    asked_s, work_s, server = drawn
    rest = _shares(
        asked_s, work_s, server, servers, delay_s, rule, budget, 0.0, deadline_s, measured
    )
    after = _shares(
        asked_s, work_s, server, servers, delay_s, rule, budget, stop_s, deadline_s, measured
    )
    alone = _shares(
        asked_s, work_s, server, servers, _NEVER, rule, budget, 0.0, deadline_s, measured
    )
    return rest[0], rest[1], after[0], after[1], alone[1]


@compiled
def simulate_after_stop(
    seed, requests, measured, servers, rate_per_s, service_s, delay_s, rule, budget, stop_s
):  # fmt: skip
    """Return copies per request among the last, after a stop of all servers, for the map."""
    asked_s, work_s, server = draw_requests(
        new_state(seed), requests, servers, rate_per_s, service_s
    )
    return _shares(asked_s, work_s, server, servers, delay_s, rule, budget, stop_s, 0.0, measured)[
        0
    ]


@compiled
def trace_hedges(
    seed, requests, servers, rate_per_s, service_s, delay_s, rule, budget, first_spell, begins_s,
    ends_s,
):  # fmt: skip
    """Return asked_s, answered_s, then server, sent_s, begun_s and ended_s of both copies.

    Those of the second copies follow those of the first. first_spell, begins_s and ends_s are as
    `hedged_requests_kernel` takes them. What never happened is -1.
    """
    asked_s, work_s, server = draw_requests(
        new_state(seed), requests, servers, rate_per_s, service_s
    )
    sent_s, begun_s, ended_s, answered_s = hedged_requests_kernel(
        asked_s, work_s, server, servers, delay_s, rule, budget, first_spell, begins_s, ends_s
    )
    by_copy = np.empty(2 * requests, np.int64)
    times = np.empty((3, 2 * requests))
    for request in range(requests):
        for copy in range(2):
            place = copy * requests + request
            by_copy[place] = server[request, copy]
            times[0, place] = sent_s[request, copy] if sent_s[request, copy] >= 0.0 else -1.0
            times[1, place] = begun_s[request, copy] if begun_s[request, copy] >= 0.0 else -1.0
            times[2, place] = ended_s[request, copy] if ended_s[request, copy] >= 0.0 else -1.0
    return asked_s, answered_s, by_copy, times[0], times[1], times[2]
