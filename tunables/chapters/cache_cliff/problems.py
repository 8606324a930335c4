"""Problems of chapter 3: how much fits into a cache, and what a scan makes of the rest."""

import math

from tunables.chapters.cache_cliff.predictor import capacity_graphs, scheme_hit_ratio
from tunables.page.worksheet import milliseconds, sheet, show
from tunables.theory.caching import cycle_time, random_capacity, slowdown

ORDERS = {
    "lru": "in the same order in every scan",
    "lru, zigzag": "in reverse order in every second scan",
    "lru, shuffled": "in a new random order in each scan",
}


def _overfull(draw):
    """Draw a scan of n objects and a cache that holds a part of them."""
    n = draw.between(10_000, 60_000, 500)
    return {"graphs": n, "capacity": n * draw.between(50, 97) // 100}


def _scan_words(given):
    return (
        f"A collector updates {show(given['graphs'])} files in each scan. The cache has room for "
        f"{show(given['capacity'])} of them. "
    )


def _capacity(draw):
    given = {
        "memory_gib": draw.between(2, 64) / 4,
        "usage_maximum_percent": draw.between(60, 98),
        "bytes_per_graph": draw.between(40_000, 200_000, 500),
    }
    gib, u, size = given["memory_gib"], given["usage_maximum_percent"], given["bytes_per_graph"]
    answer = capacity_graphs(**given)
    return sheet(
        f"At a PoolUsageMaximum of 98%, a graph takes {show(size, 'B')} of the cache. The capacity "
        f"is proportional to the setting. How many graphs fit in {show(gib, 'GiB')} at {u}%?",
        given,
        "graphs",
        answer,
        [
            "C = floor(memory × u / (98 × bytes per graph)), 1 GiB = 2^30 B",
            f"memory = {show(gib * 2**30, 'B')}",
            f"C = {show(gib * 2**30, 'B')} × {u} / (98 × {show(size, 'B')}) = {show(answer)}",
        ],
        tolerance=0.001,
    )


def _slowdown(draw, scheme, words, formula, remark):
    given = _overfull(draw)
    given["cost_ratio"] = draw.between(5, 50)
    n, c, r = given["graphs"], given["capacity"], given["cost_ratio"]
    hit_ratio = scheme_hit_ratio(n, c, scheme)
    answer = slowdown(hit_ratio, r)
    return sheet(
        _scan_words(given) + f"A miss costs {r} times as much as a hit. The cache is LRU, and "
        f"{words}. By what factor is a scan slower than it would be with room for all the files?",
        given,
        "",
        answer,
        [
            formula + "; S = h + R (1 - h)",
            f"c = {show(c)} / {show(n)} = {show(c / n)}, h = {show(hit_ratio)}",
            f"S = {show(hit_ratio)} + {r} × {show(1 - hit_ratio)} = {show(answer)}",
        ],
        remark=remark,
    )


def _zigzag(draw):
    return _slowdown(
        draw,
        "lru, zigzag",
        "every second scan runs backwards",
        "h = C/n",
        "Even the best policy, which knows the future, does no better. If the order were always "
        "the same, LRU would get no hits.",
    )


def _shuffled_scans(draw):
    return _slowdown(
        draw,
        "lru, shuffled",
        "each scan has a new random order",
        "h = c + (1 - c) ln(1 - c) with c = C/n",
        "Chance alone removes the cliff: the files and the cache are the same, and only the order "
        "differs.",
    )


def _random_eviction(draw):
    given = _overfull(draw)
    n, c = given["graphs"], given["capacity"]
    hit_ratio = scheme_hit_ratio(n, c, "random")
    answer = 100 * hit_ratio
    tries, h = [], 0.0
    for _ in range(4):
        h = math.exp(-n / c * (1 - h))
        tries.append(show(h))
    return sheet(
        _scan_words(given) + "The order is always the same, and the cache evicts a file at "
        "random. What is the hit ratio after many scans?",
        given,
        "%",
        answer,
        [
            "h = exp(-r (1 - h)) with r = n/C; find the solution below 1 by iteration from h = 0",
            f"r = {show(n)} / {show(c)} = {show(n / c)}",
            f"h = {', '.join(tries)}, ... = {show(answer, '%')}",
        ],
        remark="LRU would get no hits here.",
    )


def _memory_for_chance(draw):
    given = {
        "graphs": draw.between(10_000, 90_000, 500),
        "hit_ratio": draw.between(300, 980, 5) / 1000,
    }
    n, h = given["graphs"], given["hit_ratio"]
    answer = random_capacity(n, h)
    return sheet(
        f"A collector updates {show(n)} files in each scan, always in the same order. The cache "
        f"evicts at random. How many files must it have room for if {show(100 * h)}% of the "
        "requests are to hit?",
        given,
        "files",
        answer,
        [
            "h = exp(-r (1 - h)), so r = -ln(h) / (1 - h) and C = n/r",
            f"r = {show(-math.log(h))} / {show(1 - h)} = {show(-math.log(h) / (1 - h))}",
            f"C = {show(n)} / {show(n / answer)} = {show(answer)}",
        ],
        tolerance=0.005,
        remark="With the same memory, LRU would get no hits.",
    )


def _late(draw):
    given = _overfull(draw)
    given["scheme"] = draw.pick(tuple(sorted(ORDERS)))
    given["hit_s"] = draw.between(10, 50, 5) / 100_000
    given["miss_s"] = draw.between(20, 100, 5) / 10_000
    given["interval_s"] = draw.pick((60, 120, 300))
    n, hit_s, miss_s = given["graphs"], given["hit_s"], given["miss_s"]
    hit_ratio = scheme_hit_ratio(n, given["capacity"], given["scheme"])
    answer = cycle_time(n, hit_ratio, hit_s, miss_s)
    late = "late" if answer > given["interval_s"] else "in time"
    return sheet(
        _scan_words(given) + f"The cache is LRU, and the files are updated "
        f"{ORDERS[given['scheme']]}. A hit takes {milliseconds(hit_s)}, a miss "
        f"{milliseconds(miss_s)}, and a scan starts every {given['interval_s']} s. "
        "How long does a scan take? Is the collector late?",
        given,
        "s",
        answer,
        [
            "T = n (h t_hit + (1 - h) t_miss)",
            f"h = {show(hit_ratio)} for LRU, {ORDERS[given['scheme']]}",
            f"T = {show(n)} × ({show(hit_ratio)} × {milliseconds(hit_s)}"
            + f" + {show(1 - hit_ratio)} × {milliseconds(miss_s)}) = {show(answer, 's')}: {late}",
        ],
    )


KINDS = {
    "capacity": ("How many graphs fit?", _capacity, 1),
    "zigzag": ("Reverse every second scan", _zigzag, 1),
    "shuffled": ("Shuffle every scan", _shuffled_scans, 1),
    "random-eviction": ("Evict at random", _random_eviction, 3),
    "memory-for-chance": ("How much memory does random eviction need?", _memory_for_chance, 2),
    "late": ("Is a slow scan late?", _late, 2),
}
