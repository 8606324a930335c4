"""Names for the expressions in the text of chapter 3 and its lesson."""

from functools import cache

import numpy as np

from tests.chapters.words import words
from tunables.chapters.cache_cliff.case import (
    bytes_per_graph,
    miss_cost_of_a_slope,
    production_percent,
)
from tunables.chapters.cache_cliff.predictor import GIB_BYTES, SCHEMES, capacity_graphs
from tunables.core.ledger import freedom
from tunables.core.registry import cards, find_case
from tunables.evidence.published import published
from tunables.page.formats import with_commas
from tunables.simulators.caches import (
    cyclic_trace,
    grown_trace,
    mixed_trace,
    simulate_policy,
    stack_distances,
)
from tunables.simulators.caches_reference import lru
from tunables.theory.cache_memory import clock_rounds, grown_hit_ratio
from tunables.theory.caching import (
    cliff_capacity,
    cyclic_hit_ratio,
    shuffled_hit_ratio,
    slowdown,
    zigzag_hit_ratio,
)

RECORDS = published("rrd-system-cache")
DATA = {row_id: record.value for row_id, record in RECORDS.items()}
N, R = int(DATA["graphs-in-production"]), DATA["slowdown-after-overflow"]
C80, C98 = DATA["graphs-at-80-percent"], DATA["graphs-at-98-percent"]
[HALF_DIGIT] = {
    (record.resolution or 0) / 2
    for record in RECORDS.values()
    if record.unit == "graphs" and record.resolution
}
BYTES = bytes_per_graph()
USABLE_GIB = DATA["usable-memory-new-server"]
PERCENT = production_percent()
CAPACITY = capacity_graphs(USABLE_GIB, PERCENT, BYTES)
CARD = cards()["cache_cliff"].model.predict(**cards()["cache_cliff"].model.settings())
POOL_BYTES = 343e6  # the paged pool of Microsoft's example
ENTRIES = {"end": CAPACITY, "middle": CAPACITY // 2, "quarter": CAPACITY // 4, "even": "spread"}
THERE_AND_BACK = [1, 2, 3, 4, 4, 3, 2, 1]


def room(memory_gib, percent=PERCENT):
    """Return how many graphs fit."""
    return capacity_graphs(memory_gib, percent, BYTES)


def least_percent(memory_gib):
    """Return the least percentage at which all graphs of production fit."""
    return next(percent for percent in range(1, 101) if room(memory_gib, percent) >= N)


def capacity_of(graphs):
    """Return how many graphs fit if the server with 8 GB held so many at 98%."""
    return CAPACITY * graphs / C98


def s(hit_ratio):
    """Return how many times as long a round takes at a hit ratio."""
    return slowdown(hit_ratio, R)


def x(at_80=C80, at_98=C98):
    """Return the x of the line C = k (u - x) through the two points."""
    return (98 * at_80 - 80 * at_98) / (at_80 - at_98)


FREEDOM = freedom(find_case("rrd"))
SEEN = [number for number in find_case("rrd").numbers if number.status == "consistent"]
LEAST_X = x(C80 + HALF_DIGIT, C98 - HALF_DIGIT)
MOST_X = x(C80 - HALF_DIGIT, C98 + HALF_DIGIT)
# What the two servers alone allow a graph to take. The load was a little over 40,000: at least
# that, and less than what would round to more.
MOST_BYTES = DATA["memory-old-server"] * GIB_BYTES / N
LEAST_BYTES = USABLE_GIB * GIB_BYTES / (N + HALF_DIGIT)
# The M0 of C = (M - M0)/b for which C(8) is 90,000 and C(4) is 40,000.
MOST_OTHER_GIB = (4 * C98 - 8 * N) / (C98 - N)


@cache
def after_growth(policy, graphs, entry, settle=12, measured=48):
    """Return the hit ratio after new graphs entered a warm scan of all that fit."""
    trace = grown_trace(CAPACITY, graphs, ENTRIES[entry], settle + measured)
    hits = simulate_policy(trace, CAPACITY, policy, len(trace) - measured * graphs)
    return hits / (measured * graphs)


@cache
def from_empty(policy, graphs, settle=12, measured=48):
    """Return the hit ratio of a cache that started empty."""
    trace = cyclic_trace(graphs, settle + measured)
    hits = simulate_policy(trace, CAPACITY, policy, warmup=settle * graphs)
    return hits / (measured * graphs)


def fifo_keeps_half():
    """Return after how many of 1,000 old files 200 new ones may enter so that half still hit."""
    return [p for p in range(1001) if grown_hit_ratio(1200, 1000, p, "fifo") == 0.5]


def hits(calls):
    """Return how many calls of a list find their file in a cache of three that started empty."""
    return sum(lru(calls, 3))


def zipf(files):
    """Return the popularity of other files that the chapter's example has."""
    return [1 / rank**0.8 for rank in range(1, files + 1)]


@cache
def depths(files, popularity):
    """Return the stack distances of a scan's own requests beside 30% of other traffic."""
    trace = mixed_trace(files, 120_000 // files, list(popularity), 0.3, seed=1)
    return stack_distances(trace)[trace < files][files:]


def rise(files, popularity):
    """Return the sizes at which a tenth and nine tenths of the scan hit."""
    return np.quantile(depths(files, tuple(popularity)), [0.1, 0.9])


def width_percent(files, popularity):
    """Return the share of the cliff's size within which the hit ratio rises from 10 to 90%."""
    low, high = rise(files, popularity)
    return 100 * (high - low) / cliff_capacity(files, popularity, 0.3)


def first_of_two(own=3_000, share=0.9):
    """Return the cliff of a collector that makes this share of all requests."""
    return own + own * (1 - share) / share
