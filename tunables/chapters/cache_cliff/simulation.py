"""Chapter 3's simulations of an exact cache: the case's, the map's and both animations'.

They run in the page too.
"""

from tunables.base.arguments import choice, integer, number, run_seed
from tunables.chapters.cache_cliff.experiment import (
    disordered_hit_ratio,
    experiment,
    hit_runs,
    trace,
)
from tunables.chapters.cache_cliff.predictor import (
    capacity_graphs,
    exact_hit_ratio,
    scheme_hit_ratio,
)
from tunables.theory.caching import slowdown

RUNS = 5  # for the schemes that draw random numbers
SEEDED = ("random", "lru, shuffled")
MAP_RUNS = 2
MOST_GRAPHS = 10_000_000  # some minutes and gigabytes

# Numbered as in the experiment.
POLICIES = ("lru", "fifo", "clock", "random", "mru", "sieve", "arc", "2q", "opt", "bypass")
LRU_ORDERS = {"lru, zigzag": 1, "lru, shuffled": 2}

# The animations replay these.
MOST_BYTES = 2e6  # of a trace
MOST_PLACES = 2**31 - 1
PLACES = 12
COST = 20.0  # of a miss, in hits; from the report
SCANS = 25  # the first is cold
SEED = 1
_REQUEST_BYTES = 28
FULL_SIZE_SCANS = 3  # the first is cold
COLUMNS = 210  # graphs in a row of the picture; the scans are drawn side by side
_RUN_BYTES = 4  # per request at most: a run of its own


def scheme_numbers(scheme) -> tuple:
    """Return the numbers of a scheme's policy and of the order of its scans.

    Raises ValueError for an unknown scheme.

    >>> [int(n) for n in scheme_numbers("lru, zigzag")]
    [0, 1]
    """
    choice("scheme", scheme, POLICIES + tuple(sorted(LRU_ORDERS)))
    order = LRU_ORDERS.get(scheme, 0)
    return (0 if order else POLICIES.index(scheme)), order


def runs_needed(*, scheme, **_) -> int:
    """Return how many runs a scheme needs: one if it draws no random numbers."""
    return RUNS if scheme in SEEDED else 1


def run(seed, *, graphs, memory_gib, usage_maximum_percent, bytes_per_graph, cost_ratio, scheme):
    """Return {output: number} for each output of `predict`, from a simulation of the exact cache.

    Raises ValueError for a parameter outside its range, by its name.
    """
    capacity = capacity_graphs(memory_gib, usage_maximum_percent, bytes_per_graph)
    integer("capacity, graphs", capacity, at_most=MOST_GRAPHS)
    policy, order = scheme_numbers(scheme)
    graphs = integer("graphs", graphs, at_least=1, at_most=MOST_GRAPHS)
    fits, ratio = experiment(run_seed(seed), graphs, capacity, policy, order)
    return {
        "capacity_graphs": float(fits),
        "hit_ratio": ratio,
        "slowdown": slowdown(ratio, cost_ratio),
    }


def run_of_map(
    seed, *, graphs, memory_gib, usage_maximum_percent, bytes_per_graph, cost_ratio, disorder, **_
):
    """Return {"slowdown": ...} of LRU under a scan whose order wavers.

    Raises ValueError for a parameter outside its range, by its name.
    """
    capacity = capacity_graphs(memory_gib, usage_maximum_percent, bytes_per_graph)
    graphs = integer("graphs", graphs, at_least=1, at_most=MOST_GRAPHS)
    integer("capacity, graphs", capacity, at_most=MOST_GRAPHS)
    disorder = float(number("disorder", disorder, at_least=0))
    return {
        "slowdown": slowdown(
            disordered_hit_ratio(run_seed(seed), graphs, capacity, disorder), cost_ratio
        )
    }


def _trace_arguments(scheme, files, places, scans, request_bytes):
    """Return the settings as the compiled functions take them; errors as in `events`."""
    n = integer("files", files, at_least=1)
    room = integer("places", places, at_least=1, at_most=MOST_PLACES)
    rounds = integer("scans", scans, at_least=1)
    number("bytes of the trace", n * rounds * request_bytes, at_most=MOST_BYTES)
    policy, order = scheme_numbers(scheme)
    return n, room, policy, order, rounds


def events(seed, *, scheme, files, places, scans) -> tuple:
    """Return the columns file, hit, victim and place of `tunables.simulators.caches.CacheTrace`.

    The scans over the files meet a cache with that many places, which starts empty.
    Raises ValueError for an unknown scheme, for a number that is not an integer of at least 1,
    and for a trace of more than 2 MB.

    >>> file, hit, victim, place = events(1, scheme="lru", files=13, places=12, scans=2)
    >>> file[12:15].tolist(), hit[12:15].tolist(), victim[12:15].tolist(), place[12:15].tolist()
    ([12, 0, 1], [0, 0, 0], [0, 1, 2], [0, 1, 2])
    """
    return trace(run_seed(seed), *_trace_arguments(scheme, files, places, scans, _REQUEST_BYTES))


def play(*, files, scheme) -> dict:
    """Return what the animation replays: 25 scans over the files, and a cache of 12 places.

    "file", "hit", "victim" and "place" are the columns of `events`, "cost" is what a miss costs
    in hits, and "formula" is the slowdown of the closed form, or None where no form is exact.
    Raises ValueError as `events` does.
    """
    files = integer("files", files, at_least=1)
    columns = events(SEED, scheme=scheme, files=files, places=PLACES, scans=SCANS)
    ratio = exact_hit_ratio(files, PLACES, scheme)
    replay: dict = {"files": files, "places": PLACES, "cost": COST}
    replay["formula"] = None if ratio is None else slowdown(ratio, COST)
    for n, name in enumerate(("file", "hit", "victim", "place")):
        replay[name] = [int(each) for each in columns[n]]
    return replay


def run_lengths(seed, *, scheme, files, places, scans):
    """Return the lengths of the runs of misses, hits, misses, ... in turn, over all scans.

    The scans over the files meet a cache with that many places, which starts empty.
    Raises ValueError for an unknown scheme, for a number that is not an integer of at least 1,
    and for more than 2 MB.

    >>> run_lengths(1, scheme="lru, zigzag", files=13, places=12, scans=3).tolist()
    [13, 12, 1, 12, 1]
    """
    return hit_runs(run_seed(seed), *_trace_arguments(scheme, files, places, scans, _RUN_BYTES))


def play_full_size(*, graphs, scheme, places) -> dict:
    """Return what the full-size animation replays: three scans over the graphs, and the cache.

    "run" is what `run_lengths` returns, "cost" is what a miss costs in hits, "formula" is the
    slowdown of the closed form, and "columns" is the number of graphs in a row of the picture.
    Raises ValueError as `run_lengths` does.
    """
    graphs, places = integer("files", graphs, at_least=1), integer("places", places, at_least=1)
    lengths = run_lengths(SEED, scheme=scheme, files=graphs, places=places, scans=FULL_SIZE_SCANS)
    return {
        "files": graphs,
        "places": places,
        "scans": FULL_SIZE_SCANS,
        "cost": COST,
        "formula": slowdown(scheme_hit_ratio(graphs, places, scheme), COST),
        "columns": COLUMNS,
        "run": [int(each) for each in lengths],
    }
