"""Hit ratios in closed form: cyclic scans, other scan orders, independent references."""

import math

from tunables.base.arguments import choice, integer, number, numbers
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum

# From an empty cache these hit nothing at one object too many: each evicts the object that the
# scan needs next. From a warm one some keep hitting: `cache_memory`.
_ALWAYS_MISS = ("lru", "fifo", "clock", "sieve", "arc")
CYCLIC_POLICIES = _ALWAYS_MISS + ("mru", "opt", "random", "2q", "bypass")


def _random_hit_ratio(ratio):
    """Solve h = exp(-r(1 - h)) for its root below 1, by Newton on ln x - x with x = h r.

    The function is concave and rises on (0, 1), so from the left Newton never oversteps.
    """
    if ratio > 700:  # exp(-r) is 0 in double precision
        return 0.0
    target = math.log(ratio) - ratio
    x = math.exp(target)
    for _ in range(60):
        step = (target - math.log(x) + x) * x / (1 - x)
        if not step > 1e-15 * x:
            break
        x = min(x + step, 1 - 1e-16)
    return x / ratio


def cyclic_hit_ratio(objects: int, capacity: float, policy: str) -> float:
    """Steady hit ratio of a cache that started empty, under the scan 1, ..., n, 1, ..., n, ...

    With n objects, capacity C (objects of one size; may be a float) and r = n/C:
    1 if C >= n, otherwise

    - "lru", "fifo", "clock", "sieve", "arc": 0
    - "mru", "opt": (C - 1)/(n - 1), the most of all policies that bring in every missed object
    - "bypass": C/n, the most of all policies in any order that requests each object once per scan.
      The cache admits objects while it has room, and evicts nothing; the others bypass it
    - "random": -W0(-r exp(-r))/r, the limit of many objects; at n = C + 1 exactly
      (C - 1)/(C + 1), 0.818 for ten places, where the limit says 0.824
    - "2q" (Kin = C/4, Kout = C/2): C/(2n - C) for r <= 1.5, then 0, the limit of
      (C - 1)/(2n - C + 1); a mean over many scans, around which single scans vary

    A cache that was warm before the scan grew may settle at another ratio under FIFO, SIEVE, 2Q
    and, beyond n = 2C, ARC: `tunables.theory.cache_memory`.
    Raises ValueError for objects that is not a whole number at least 1, a capacity that is
    negative or not finite, or an unknown policy.
    Source: Belady (1966) for OPT; Johnson & Shasha (1994) for 2Q; the rest follows from
    the order of the scan. When a scan begins the cache holds at most C of its objects, and no
    other can hit, so no policy hits more than C of n.

    >>> cyclic_hit_ratio(90_000, 89_999, "lru")
    0.0
    >>> round(cyclic_hit_ratio(40_000, 20_000, "random"), 6)
    0.203188
    >>> policies = ("lru", "opt", "bypass", "random", "2q")
    >>> [round(cyclic_hit_ratio(90, 75, policy), 4) for policy in policies]
    [0.0, 0.8315, 0.8333, 0.6863, 0.7143]
    """
    n = integer("objects", objects, at_least=1)
    c = number("capacity", capacity, at_least=0)
    choice("policy", policy, CYCLIC_POLICIES)
    if c >= n:
        return 1.0
    if c < 1 or policy in _ALWAYS_MISS:
        return 0.0
    if policy in ("mru", "opt"):
        return (c - 1) / (n - 1)
    if policy == "bypass":
        return c / n
    if policy == "random":
        return _random_hit_ratio(n / c)
    return c / (2 * n - c) if n <= 1.5 * c else 0.0


def random_capacity(objects: int, hit_ratio: float) -> float:
    """Capacity at which RANDOM has this hit ratio on a cyclic scan of n objects.

    C = n (1 - h)/(-ln h): `cyclic_hit_ratio`'s h = exp(-n/C (1 - h)), solved for C.
    Raises ValueError if objects is not a whole number at least 1, or hit_ratio is outside
    (0, 1).

    >>> round(random_capacity(40_000, 0.9))
    37965
    """
    n = integer("objects", objects, at_least=1)
    h = number("hit_ratio", hit_ratio, above=0, below=1)
    return n * (1 - h) / -math.log(h)


def zigzag_hit_ratio(fraction: float) -> float:
    """LRU hit ratio when every second scan runs backwards: h = c, with c = C/n in [0, 1].

    Exact for any number of objects.

    Raises ValueError if fraction is outside [0, 1]. Source: stack distances of the trace.

    >>> zigzag_hit_ratio(0.9)
    0.9
    """
    return number("fraction", fraction, at_least=0, at_most=1)


def shuffled_hit_ratio(fraction: float) -> float:
    """LRU hit ratio when each scan has a new random order: h = c + (1 - c) ln(1 - c).

    c = C/n in [0, 1], in the limit of many objects (0.726 for twelve of 13, simulated 0.755).
    Raises ValueError if fraction is outside [0, 1]. Source: stack distances of the trace.

    >>> round(shuffled_hit_ratio(0.9), 4)
    0.6697
    """
    c = number("fraction", fraction, at_least=0, at_most=1)
    return 1.0 if c == 1 else c + (1 - c) * math.log(1 - c)


def slowdown(hit_ratio: float, cost_ratio: float) -> float:
    """Mean cost of an access over the cost of a hit: S = h + R (1 - h).

    R = cost_ratio is the cost of a miss over that of a hit.
    Raises ValueError if hit_ratio is outside [0, 1] or cost_ratio is not above 0.

    >>> slowdown(0.5, 20)
    10.5
    """
    h = number("hit_ratio", hit_ratio, at_least=0, at_most=1)
    return h + number("cost_ratio", cost_ratio, above=0) * (1 - h)


def cycle_time(objects: int, hit_ratio: float, hit_s: float, miss_s: float) -> float:
    """Seconds for one scan: T = n (h t_hit + (1 - h) t_miss).

    Raises ValueError if objects is not a whole number, hit_ratio is outside [0, 1], or a
    time is negative.

    >>> cycle_time(40_000, 0.0, 0.00025, 0.005)
    200.0
    >>> cycle_time(40_000, 0.5, 0.00025, 0.005)
    105.0
    """
    n = integer("objects", objects)
    h = number("hit_ratio", hit_ratio, at_least=0, at_most=1)
    hit_s = number("hit_s", hit_s, at_least=0)
    miss_s = number("miss_s", miss_s, at_least=0)
    return n * (h * hit_s + (1 - h) * miss_s)


def _popularity(popularity):
    weights = numbers("popularity", popularity, at_least=0)
    total = plain_sum(weights)
    number("sum of popularity", total, above=0)
    return [weight / total for weight in weights if weight > 0]


def cliff_capacity(objects: int, popularity: Numbers, independent_fraction: float) -> float:
    """Capacity at which LRU starts to hit a cyclic scan mixed with other traffic.

    C* = n + sum_j (1 - exp(-q p_j n/(1 - q))): between two visits of the scan to an object
    there are the n - 1 others and the distinct objects that the independent references touch.
    q = independent_fraction of all requests; p_j = popularity of the other objects
    (weights; they are normalised).
    Raises ValueError if objects is not a whole number at least 1, popularity is empty,
    negative or sums to 0, or the fraction is outside [0, 1).
    Source: Che, Tung & Wang (2002), eq. 4, with the scan's own period for T.

    >>> zipf = [1 / rank**0.8 for rank in range(1, 41)]
    >>> round(cliff_capacity(60, zipf, 0.3), 2)
    75.73
    """
    n = integer("objects", objects, at_least=1)
    q = number("independent_fraction", independent_fraction, at_least=0, below=1)
    references = n * q / (1 - q)
    return n + plain_sum(1 - math.exp(-p * references) for p in _popularity(popularity))


def _lru_residency(x):
    return 1 - math.exp(-x), math.exp(-x)


def _fifo_residency(x):
    return x / (1 + x), 1 / (1 + x) ** 2


_RESIDENCY = {"lru": _lru_residency, "fifo": _fifo_residency, "random": _fifo_residency}


def che_approximation(
    popularity: Numbers, capacity: float, policy: str = "lru"
) -> tuple[float, float]:
    """Hit ratio and characteristic time under independent references.

    Object i is requested with probability p_i (weights; they are normalised) and is in the
    cache with probability o_i(T): 1 - exp(-p_i T) for "lru", p_i T/(1 + p_i T) for "fifo"
    and "random". T solves sum_i o_i(T) = C, in requests; the hit ratio is sum_i p_i o_i(T).
    A capacity that holds every requested object gives (1.0, inf).

    Raises ValueError if popularity is empty, negative or sums to 0, capacity is negative or
    not finite, or the policy is unknown.
    Source: Che, Tung & Wang (2002); Fricker, Robert & Roberts (2012) for FIFO and RANDOM.

    >>> hit_ratio, characteristic_time = che_approximation([1, 1, 1, 1], 2)
    >>> round(hit_ratio, 6), round(characteristic_time, 6)
    (0.5, 2.772589)
    >>> [round(result, 6) for result in che_approximation([3, 2, 1], 2, "fifo")]
    [0.706872, 6.822948]
    """
    residency = _RESIDENCY[choice("policy", policy, sorted(_RESIDENCY))]
    c = number("capacity", capacity, at_least=0)
    p = _popularity(popularity)
    if c >= len(p):
        return 1.0, math.inf
    time = c  # sum o_i(T) <= T and is concave, so Newton climbs from the left
    for _ in range(200):
        pairs = [residency(p_i * time) for p_i in p]
        gap = c - plain_sum(resident for resident, _ in pairs)
        if gap <= 1e-13 * c:
            break
        time += gap / plain_sum(p_i * slope for p_i, (_, slope) in zip(p, pairs))
    return plain_sum(p_i * residency(p_i * time)[0] for p_i in p), time
