"""What chapter 3's stage draws: each request, and what it did; runs in the page too."""

from tunables.chapters.cache_cliff.few_files import exact_hit_ratio
from tunables.chapters.cache_cliff.simulation import numbered
from tunables.chapters.cache_cliff.stage_experiment import trace
from tunables.plain.arguments import number, run_seed, whole
from tunables.theory.caching import slowdown

MOST_BYTES = 2e6  # of a stage
MOST_PLACES = 2**31 - 1
_REQUEST_BYTES = 28
PLACES = 12
COST = 20.0  # of a miss, in hits, as the report says
SCANS = 25  # the first is cold
SEED = 1


def arguments(scheme, files, places, scans, bytes_a_request):
    """Return the settings as the experiments take them; raises ValueError as `events` does."""
    n = whole("files", files, at_least=1)
    room = whole("places", places, at_least=1, at_most=MOST_PLACES)
    rounds = whole("scans", scans, at_least=1)
    number("bytes of the trace", n * rounds * bytes_a_request, at_most=MOST_BYTES)
    policy, order = numbered(scheme)
    return n, room, policy, order, rounds


def events(seed, *, scheme, files, places, scans) -> tuple:
    """Return the columns file, hit, victim and place of `tunables.simulators.caches.CacheTrace`.

    So many scans over the files come to a cache of so many places, which starts empty.
    Raises ValueError for an unknown scheme, numbers that are not whole and at least 1, or a
    trace of more than 2 MB.

    >>> file, hit, victim, place = events(1, scheme="lru", files=13, places=12, scans=2)
    >>> file[12:15].tolist(), hit[12:15].tolist(), victim[12:15].tolist(), place[12:15].tolist()
    ([12, 0, 1], [0, 0, 0], [0, 1, 2], [0, 1, 2])
    """
    return trace(run_seed(seed), *arguments(scheme, files, places, scans, _REQUEST_BYTES))


def play(*, files, scheme) -> dict:
    """Return what the stage replays: some scans over so many files, and a cache of 12 places.

    "file", "hit", "victim" and "place" are the columns of `events`, "cost" what a miss costs
    in hits, "formula" the slowdown of the closed form or None where none is exact.
    Raises ValueError as `events` does.
    """
    columns = events(SEED, scheme=scheme, files=files, places=PLACES, scans=SCANS)
    ratio = exact_hit_ratio(files, PLACES, scheme)
    told: dict = {"files": files, "places": PLACES, "cost": COST}
    told["formula"] = None if ratio is None else slowdown(ratio, COST)
    for n, name in enumerate(("file", "hit", "victim", "place")):
        told[name] = [int(each) for each in columns[n]]
    return told
