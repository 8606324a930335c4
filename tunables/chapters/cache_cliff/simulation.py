"""Chapter 3's simulation: the collector's scans over an exact cache; runs in the page too."""

from tunables.chapters.cache_cliff.experiment import experiment
from tunables.chapters.cache_cliff.predictor import capacity_graphs
from tunables.plain.arguments import choice, run_seed, whole
from tunables.theory.caching import slowdown

RUNS = 5  # of the schemes that draw random numbers
SEEDED = ("random", "lru, shuffled")
MOST_GRAPHS = 10_000_000  # some minutes and gigabytes

# As the experiment numbers them.
POLICIES = ("lru", "fifo", "clock", "random", "mru", "sieve", "arc", "2q", "opt")
LRU_ORDERS = {"lru, zigzag": 1, "lru, shuffled": 2}


def numbered(scheme) -> tuple:
    """Return the number of a scheme's policy, and that of the order of its scans.

    Raises ValueError for an unknown scheme.
    """
    choice("scheme", scheme, POLICIES + tuple(sorted(LRU_ORDERS)))
    order = LRU_ORDERS.get(scheme, 0)
    return (0 if order else POLICIES.index(scheme)), order


def runs_needed(*, scheme, **_) -> int:
    """Return how many runs a scheme takes: one, if it draws nothing."""
    return RUNS if scheme in SEEDED else 1


def run(seed, *, graphs, memory_gib, usage_maximum_percent, bytes_per_graph, cost_ratio, scheme):
    """Return {output: number} for each output of `predict`, from the exact cache.

    Raises ValueError for a parameter outside its range, by its name.
    """
    capacity = capacity_graphs(memory_gib, usage_maximum_percent, bytes_per_graph)
    whole("capacity, graphs", capacity, at_most=MOST_GRAPHS)
    policy, order = numbered(scheme)
    graphs = whole("graphs", graphs, at_least=1, at_most=MOST_GRAPHS)
    fits, ratio = experiment(run_seed(seed), graphs, capacity, policy, order)
    return {
        "capacity_graphs": float(fits),
        "hit_ratio": ratio,
        "slowdown": slowdown(ratio, cost_ratio),
    }
