"""What chapter 3's second stage draws: each write of some scans; runs in the page too."""

from tunables.chapters.cache_cliff.predictor import scheme_hit_ratio
from tunables.chapters.cache_cliff.stage_experiment import hit_runs
from tunables.chapters.cache_cliff.stage_simulation import COST, SEED, arguments
from tunables.plain.arguments import run_seed
from tunables.theory.caching import slowdown

SCANS = 3  # the first is cold
COLUMNS = 210  # three pictures side by side
_REQUEST_BYTES = 4  # at most: a run each


def runs(seed, *, scheme, files, places, scans):
    """Return how many misses, then hits, then misses, ... follow each other, in all scans.

    So many scans over the files come to a cache of so many places, which starts empty.
    Raises ValueError for an unknown scheme, numbers that are not whole and at least 1, or more
    than 2 MB.

    >>> runs(1, scheme="lru, zigzag", files=13, places=12, scans=3).tolist()
    [13, 12, 1, 12, 1]
    """
    return hit_runs(run_seed(seed), *arguments(scheme, files, places, scans, _REQUEST_BYTES))


def play(*, graphs, scheme, places) -> dict:
    """Return what the stage replays: three scans over so many graphs, and a cache of its size.

    "run" is what `runs` returns, "cost" what a miss costs in hits, "formula" the slowdown of the
    closed form, "columns" how many graphs stand in a row of the picture.
    Raises ValueError as `runs` does.
    """
    run = runs(SEED, scheme=scheme, files=graphs, places=places, scans=SCANS)
    return {
        "files": graphs,
        "places": places,
        "scans": SCANS,
        "cost": COST,
        "formula": slowdown(scheme_hit_ratio(graphs, places, scheme), COST),
        "columns": COLUMNS,
        "run": [int(each) for each in run],
    }
