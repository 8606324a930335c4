"""Hit ratios of a scan that outgrew a warm cache: most policies remember its past."""

from tunables.base.arguments import choice, integer, number

GROWN_POLICIES = ("lru", "fifo", "clock", "sieve", "arc")


def _growth(objects, capacity, entry):
    n = integer("objects", objects, at_least=1)
    c = integer("capacity", capacity, at_least=1)
    return n, c, n - c, integer("entry", entry, at_most=c)


def grown_hit_ratio(objects: int, capacity: int, entry: int, policy: str) -> float:
    """Steady hit ratio of a cyclic scan that outgrew a cache in which every request hit.

    The cache held C = capacity objects, all that the scan had then, and every request hit.
    Now k = n - C new ones are in the scan, in one block after the first p = entry old ones
    (entry = C: at the scan's end). 1 if k <= 0, otherwise

    - "lru": 0, whatever happened before
    - "fifo": 1/2 if k <= min(p, C - p), else 0: rounds that hit all old objects alternate with
      rounds that hit only the new ones, (C + k)/(2n)
    - "sieve": (C - p)/n if k <= p and p > 1, else 0: the hand goes round among the p old and
      the k new objects, and never finds the others unvisited
    - "clock": 0 in the end, after the rounds that `clock_rounds` counts
    - "arc": 0 from the third round on if n <= 2C; (C - 1)/n beyond, where its history is too
      short to see any object come back

    From an empty cache all of these are 0 (`tunables.theory.caching.cyclic_hit_ratio`).
    Raises ValueError for objects or a capacity that is not a whole number at least 1, an entry
    that is not one from 0 to the capacity, or an unknown policy.
    Source: the rules of the policies, followed round by round; compared with exact simulations.

    >>> [grown_hit_ratio(40_000, 36_562, 18_281, policy) for policy in ("lru", "fifo", "clock")]
    [0.0, 0.5, 0.0]
    >>> grown_hit_ratio(40_000, 36_562, 18_281, "sieve")
    0.457025
    """
    n, c, new, p = _growth(objects, capacity, entry)
    choice("policy", policy, GROWN_POLICIES)
    if new <= 0:
        return 1.0
    if policy == "fifo" and new <= min(p, c - p):
        return 0.5
    if policy == "sieve" and p > 1 and new <= p:
        return (c - p) / n
    if policy == "arc" and n > 2 * c:
        return (c - 1) / n
    return 0.0


def clock_rounds(objects: int, capacity: int, entry: int) -> int:
    """Rounds after growth in which CLOCK still hits: floor(p/k); then it hits nothing.

    In the first round it hits all C old objects, in each of the others the C - p objects behind
    the new ones, as the hand moves on by k.
    Arguments and errors as in `grown_hit_ratio`; also ValueError if there are no new objects.

    >>> clock_rounds(40_000, 36_562, 18_281), clock_rounds(36_563, 36_562, 18_281)
    (5, 18281)
    """
    _, _, new, p = _growth(objects, capacity, entry)
    number("objects - capacity", new, above=0)
    return p // new
