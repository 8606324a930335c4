"""Second ways to the answers of chapter 3: simulated caches, Lambert's function, fractions."""

import math
from fractions import Fraction

from scipy.optimize import brentq
from scipy.special import lambertw

from tunables.simulators.caches import (
    cyclic_trace,
    shuffled_trace,
    simulate_policy,
    zigzag_trace,
)
from tunables.theory.caching import cyclic_hit_ratio

ROUNDS = 20  # after two that fill the cache


def _hit_ratio(given, order):
    n = given["graphs"]
    traces = {
        "lru": cyclic_trace,
        "lru, zigzag": zigzag_trace,
        "lru, shuffled": lambda objects, rounds: shuffled_trace(objects, rounds, seed=1),
    }
    trace = traces[order](n, ROUNDS + 2)
    return simulate_policy(trace, given["capacity"], "lru", warmup=2 * n) / (ROUNDS * n)


def capacity(given):
    memory_bytes = Fraction(str(given["memory_gib"])) * 2**30
    share = Fraction(given["usage_maximum_percent"], 98)
    return math.floor(memory_bytes * share / given["bytes_per_graph"])


def _simulated_slowdown(given, order):
    hit_ratio = _hit_ratio(given, order)
    return hit_ratio + given["cost_ratio"] * (1 - hit_ratio)


def zigzag(given):
    return _simulated_slowdown(given, "lru, zigzag")


def shuffled(given):
    return _simulated_slowdown(given, "lru, shuffled")


def random_eviction(given):
    r = given["graphs"] / given["capacity"]
    return 100 * float(-lambertw(-r * math.exp(-r)).real / r)


def memory_for_chance(given):
    """Search for the capacity that gives the hit ratio."""
    n, h = given["graphs"], given["hit_ratio"]
    return brentq(lambda c: cyclic_hit_ratio(n, c, "random") - h, 2, n * (1 - 1e-9))


def late(given):
    hit_ratio = _hit_ratio(given, given["scheme"])
    mean_s = hit_ratio * given["hit_s"] + (1 - hit_ratio) * given["miss_s"]
    return given["graphs"] * mean_s


PATHS = {
    "capacity": capacity,
    "zigzag": zigzag,
    "shuffled": shuffled,
    "random-eviction": random_eviction,
    "memory-for-chance": memory_for_chance,
    "late": late,
}
