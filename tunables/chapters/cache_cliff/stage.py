"""Chapter 3's stage: a scan over some files, and a cache of twelve places."""

from functools import cache

from tunables.chapters.cache_cliff.simulation import LRU_ORDERS, POLICIES
from tunables.chapters.cache_cliff.stage_simulation import PLACES, play
from tunables.parts.stage import Beat, Choice, Stage, Whole

TEXTS = {
    "lru": "LRU",
    "fifo": "FIFO",
    "clock": "CLOCK",
    "random": "a random one leaves",
    "mru": "MRU: the last used leaves",
    "sieve": "SIEVE",
    "arc": "ARC",
    "2q": "2Q",
    "opt": "the optimum, which knows the future",
    "lru, zigzag": "LRU, every second scan backwards",
    "lru, shuffled": "LRU, each scan in a random order",
}
SCHEMES = (*POLICIES, *LRU_ORDERS)
SCHEME = Choice(
    "scheme",
    "Who leaves, in which order",
    choices=SCHEMES,
    choice_texts=tuple(TEXTS[scheme] for scheme in SCHEMES),
)


def _beat(name, label, title, files, scheme, at, until=None, against=None) -> Beat:
    settings = {"files": files, "scheme": scheme}
    return Beat(name, label, title, settings, at, until, against)


@cache
def stage() -> Stage:
    """Return the stage of the chapter."""
    return Stage(
        name="rrd",
        title="A scan, and a cache of twelve places",
        machine="scan",
        play=play,
        settings=(
            Choice("files", "Files in each scan", low=8, high=18),
            SCHEME,
        ),
        beats=(
            _beat(
                "fits",
                "Twelve files",
                "Twelve files, twelve places: after the first scan every request is a hit.",
                PLACES,
                "lru",
                13,
                61,
            ),
            _beat(
                "one-more",
                "One file more",
                "One file more: the last file of the scan pushes out the first.",
                PLACES + 1,
                "lru",
                26,
                30,
            ),
            _beat(
                "hole",
                "The hole",
                "And the first is wanted next. The hole runs just ahead of the hand.",
                PLACES + 1,
                "lru",
                27,
            ),
            _beat(
                "turn",
                "Turn round",
                "Every second scan backwards: the file that leaves is the last one wanted again. "
                "Always forwards, it is the very next.",
                PLACES + 1,
                "lru, zigzag",
                26,
                53,
                against={"scheme": "lru"},
            ),
            _beat(
                "mru",
                "Last used leaves",
                "The file used last leaves: the hole lies behind the hand, a whole scan away.",
                PLACES + 1,
                "mru",
                25,
                39,
            ),
            _beat(
                "random",
                "A random one",
                "A random file leaves: the hole lies anywhere, and most requests are hits.",
                PLACES + 1,
                "random",
                32,
                66,
            ),
        ),
        whole=Whole(
            "Thirteen files, twelve places: who leaves decides how often the scan meets the hole.",
            {TEXTS[scheme]: {"files": PLACES + 1, "scheme": scheme} for scheme in SCHEMES},
        ),
    )
