"""Chapter 3: hit ratios of scans, exact hits of LRU, and where the cliff moves to."""

from tunables.parts.homework import factor, uniform
from tunables.plain.adding import added
from tunables.simulators.plain_caches import lru
from tunables.theory.caching import cliff_capacity, cycle_time, cyclic_hit_ratio


def _lru_scan(chance):
    """Around the edge: just above it, on it and just below are three of the cases drawn."""
    objects = chance.randint(20, 50_000)
    capacity = max(1, objects + chance.choice([-objects // 2, -2, -1, 0, 1, 100]))
    return {"objects": objects, "capacity": capacity, "policy": "lru"}


def _optimal_scan(chance):
    objects = chance.randint(20, 80)  # few, so that one object more or less shows
    return {"objects": objects, "capacity": chance.randint(5, objects - 5), "policy": "opt"}


def _random_scan(chance):
    objects = chance.randint(50_000, 200_000)
    capacity = round(objects * uniform(chance, 0.2, 0.97))
    return {"objects": objects, "capacity": capacity, "policy": "random"}


def _trace(chance):
    objects = chance.randint(8, 20)
    trace = [min(chance.randrange(objects), chance.randrange(objects)) for _ in range(150)]
    return {"trace": trace, "capacity": chance.randint(2, objects - 2)}


def _lru_hits(trace, capacity):
    return added(lru(trace, capacity))


def _cycle(chance):
    hit_s = factor(chance, 0.0001, 0.001)
    return {
        "objects": chance.randint(1_000, 90_000),
        "hit_ratio": uniform(chance, 0.05, 0.95),
        "hit_s": hit_s,
        "miss_s": float(f"{hit_s * uniform(chance, 5, 50):.3g}"),
    }


def _mixed(chance):
    exponent = uniform(chance, 0.5, 1.2)
    others = chance.randint(20, 60)
    return {
        "objects": chance.randint(50, 300),
        "popularity": [float(f"{100 / rank**exponent:.3g}") for rank in range(1, others + 1)],
        "independent_fraction": uniform(chance, 0.05, 0.5),
    }


QUESTIONS = {
    "scan, lru": (cyclic_hit_ratio, _lru_scan),
    "scan, opt": (cyclic_hit_ratio, _optimal_scan),
    "scan, random": (cyclic_hit_ratio, _random_scan),
    "hits": (_lru_hits, _trace),
    "cycle time": (cycle_time, _cycle),
    "cliff": (cliff_capacity, _mixed),
}
