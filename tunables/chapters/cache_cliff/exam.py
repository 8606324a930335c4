"""Chapter 3's questions of homework and exam: scans, rounds, and a cache that serves others too."""

from tunables.base.portable import plain_sum
from tunables.core.exam import Homework, Question, factor, uniform
from tunables.simulators.caches_reference import lru
from tunables.theory.caching import (
    cliff_capacity,
    cycle_time,
    cyclic_hit_ratio,
    shuffled_hit_ratio,
)


def _lru_scan(chance):
    """Draw a scan near the cliff: room for just as many objects, or a few more or fewer."""
    objects = chance.randint(20, 50_000)
    capacity = max(1, objects + chance.choice([-objects // 2, -2, -1, 0, 1, 100]))
    return {"objects": objects, "capacity": capacity, "policy": "lru"}


def _optimal_scan(chance):
    objects = chance.randint(20, 80)  # few, so that an error of one object shows
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
    return plain_sum(lru(trace, capacity))


def _cycle(chance):
    hit_s = factor(chance, 0.0001, 0.001)
    return {
        "objects": chance.randint(1_000, 90_000),
        "hit_ratio": uniform(chance, 0.05, 0.95),
        "hit_s": hit_s,
        "miss_s": float(f"{hit_s * uniform(chance, 5, 50):.3g}"),
    }


def _mixed_scan(chance):
    exponent = uniform(chance, 0.5, 1.2)
    others = chance.randint(20, 60)
    return {
        "objects": chance.randint(50, 300),
        "popularity": [float(f"{100 / rank**exponent:.3g}") for rank in range(1, others + 1)],
        "independent_fraction": uniform(chance, 0.05, 0.5),
    }


def _times(chance):
    hit_s = factor(chance, 0.0001, 0.001)
    return {"hit_s": hit_s, "miss_s": float(f"{hit_s * uniform(chance, 5, 50):.3g}")}


def _draw_growth(chance):
    """Draw a scan that just fits, and one a little larger."""
    capacity = chance.randrange(10_000, 60_000, 100)
    return {
        "before": capacity - chance.randrange(100, 2_000, 100),
        "capacity": capacity,
        "after": capacity + chance.randrange(100, 4_000, 100),
        **_times(chance),
    }


def _growth(before, capacity, after, hit_s, miss_s):
    """Return by how much a round of LRU becomes longer, in s."""
    first, second = (
        cycle_time(n, cyclic_hit_ratio(n, capacity, "lru"), hit_s, miss_s) for n in (before, after)
    )
    return second - first


def _draw_there_and_back(chance):
    objects, times = chance.randrange(10_000, 60_000, 100), _times(chance)
    hit_ratio = chance.uniform(0.3, 0.95)
    return {"objects": objects, **times, "round_s": cycle_time(objects, hit_ratio, **times)}


def _room_there_and_back(objects, hit_s, miss_s, round_s):
    return (objects * miss_s - round_s) / (miss_s - hit_s)


def _draw_new_order(chance):
    objects = chance.randrange(10_000, 60_000, 100)
    return {"objects": objects, "capacity": round(objects * chance.uniform(0.4, 0.95) / 100) * 100}


def _found_in_a_new_order(objects, capacity):
    return objects * shuffled_hit_ratio(capacity / objects)


def _draw_company(chance):
    return {
        "objects": chance.randint(20, 400),
        "independent_fraction": uniform(chance, 0.1, 0.5),
        "others": chance.randint(10, 200),
    }


def _company(objects, independent_fraction, others):
    """Return the room for a scan and for the others that one of its rounds asks for."""
    return cliff_capacity(objects, [1] * others, independent_fraction)


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "scan, lru": (cyclic_hit_ratio, _lru_scan),
        "scan, opt": (cyclic_hit_ratio, _optimal_scan),
        "scan, random": (cyclic_hit_ratio, _random_scan),
        "hits": (_lru_hits, _trace),
        "cycle time": (cycle_time, _cycle),
        "cliff": (cliff_capacity, _mixed_scan),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    ways = homework()
    return {
        "growth": Question(
            "A job reads {before} files, always in the same order, again and again. Its cache is "
            "LRU and has room for {capacity} files. A hit takes {hit_s:time}, a miss "
            "{miss_s:time}. Next month there will be {after} files. After many scans of them, how "
            "much longer will each scan take than it takes now?",
            "s",
            (_growth, _draw_growth),
            "now all requests hit, next month none do: n2 t_miss - n1 t_hit",
        ),
        "there and back": Question(
            "A job reads {objects} files again and again, and every second scan runs backwards. "
            "The cache is LRU. A hit takes {hit_s:time}, a miss {miss_s:time}. How many files must "
            "the cache have room for if, after many scans, each one is to take {round_s:time}?",
            "files",
            (_room_there_and_back, _draw_there_and_back),
            "h = C/n, so C = (n t_miss - T)/(t_miss - t_hit)",
        ),
        "new order": Question(
            "A job reads {objects} files in each scan, in a new random order each time. The cache "
            "is LRU and has room for {capacity} of them. On average, how many of its files does a "
            "scan find in the cache?",
            "files",
            (_found_in_a_new_order, _draw_new_order),
            "n h with h = c + (1 - c) ln(1 - c) and c = C/n",
        ),
        "scan, opt": Question(
            "A scan goes over {objects} objects in the same order again and again. The cache "
            "holds {capacity} of them, takes in every object that is requested, and evicts the "
            "one whose next request is furthest away. What share of the requests are hits after "
            "many scans?",
            "",
            ways["scan, opt"],
            "(C - 1)/(n - 1)",
        ),
        "cycle time": Question(
            "A scan goes over {objects} objects. Of the requests, {hit_ratio:share} are hits, "
            "which take {hit_s:time} each. A miss takes {miss_s:time}. How long does a scan take?",
            "s",
            ways["cycle time"],
            "n (h t_hit + (1 - h) t_miss)",
        ),
        "company": Question(
            "A scan goes over {objects} objects again and again. Of all requests, "
            "{independent_fraction:share} go to {others} other objects instead, each equally "
            "likely. The cache is LRU. How many objects must the cache have room for, on average, "
            "before the scan's requests hit? (The number varies from scan to scan, so the mean "
            "need not be a whole number.)",
            "objects",
            (_company, _draw_company),
            "n + m (1 - exp(-n q/((1 - q) m))) for m other objects that get a share q of all "
            "requests",
        ),
    }
