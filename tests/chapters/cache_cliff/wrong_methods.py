"""Wrong ways to solve the problems of chapter 3."""

import math

GIB = 2**30


def a_gib_of_ten_to_the_ninth(given):
    return capacity_of(given, 1e9, given["usage_maximum_percent"] / 98)


def per_cent_of_a_hundred(given):
    return capacity_of(given, GIB, given["usage_maximum_percent"] / 100)


def per_cent_forgotten(given):
    return capacity_of(given, GIB, 1)


def capacity_of(given, gib, share):
    return math.floor(given["memory_gib"] * gib * share / given["bytes_per_graph"])


def _fits(given):
    return given["capacity"] / given["graphs"]


def _shuffled_hits(c):
    return c + (1 - c) * math.log(1 - c)


def _slowdown(given, h):
    return h + given["cost_ratio"] * (1 - h)


def nothing_hits(given):
    return given["cost_ratio"]


def zigzag_hits_for_nothing(given):
    return given["cost_ratio"] * (1 - _fits(given))


def zigzag_misses_pay_a_hit_too(given):
    return 1 + given["cost_ratio"] * (1 - _fits(given))


def shuffled_as_zigzag(given):
    return _slowdown(given, _fits(given))


def shuffled_twice_lucky(given):
    """Take c² for the hit ratio: in the cache in this round and in the last."""
    return _slowdown(given, _fits(given) ** 2)


def random_as_the_best(given):
    return 100 * _fits(given)


def random_after_a_whole_round_of_misses(given):
    """Survive n evictions: the first step of the iteration taken for its result."""
    return 100 * math.exp(-1 / _fits(given))


def random_as_shuffled(given):
    return 100 * _shuffled_hits(_fits(given))


def room_for_the_share(given):
    return given["graphs"] * given["hit_ratio"]


def room_for_all(given):
    return given["graphs"]


def room_that_survives_all(given):
    """Forget that only misses evict: h = exp(-n/C)."""
    return -given["graphs"] / math.log(given["hit_ratio"])


def _hits(given):
    c = _fits(given)
    return {"lru": 0.0, "lru, zigzag": c, "lru, shuffled": _shuffled_hits(c)}[given["scheme"]]


def misses_pay_a_hit_too(given):
    miss_s = (1 - _hits(given)) * given["miss_s"]
    return given["graphs"] * (given["hit_s"] + miss_s)


def hits_and_misses_swapped(given):
    h = _hits(given)
    return given["graphs"] * ((1 - h) * given["hit_s"] + h * given["miss_s"])


def a_miss_or_a_hit_alike(given):
    return given["graphs"] * (given["hit_s"] + given["miss_s"]) / 2


WRONG = {
    "capacity": (a_gib_of_ten_to_the_ninth, per_cent_of_a_hundred, per_cent_forgotten),
    "zigzag": (nothing_hits, zigzag_hits_for_nothing, zigzag_misses_pay_a_hit_too),
    "shuffled": (nothing_hits, shuffled_as_zigzag, shuffled_twice_lucky),
    "random-eviction": (
        random_as_the_best,
        random_after_a_whole_round_of_misses,
        random_as_shuffled,
    ),
    "memory-for-chance": (room_for_the_share, room_for_all, room_that_survives_all),
    "late": (misses_pay_a_hit_too, hits_and_misses_swapped, a_miss_or_a_hit_alike),
}


def hits_whatever_the_order(given):
    h = _fits(given)
    return given["graphs"] * (h * given["hit_s"] + (1 - h) * given["miss_s"])


def misses_whatever_the_order(given):
    return given["graphs"] * given["miss_s"]


BLIND = {"late": (hits_whatever_the_order, misses_whatever_the_order)}
