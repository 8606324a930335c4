"""Chapter 3's second stage: the report's cache at its full size, a pixel a graph."""

from functools import cache

from tunables.chapters.cache_cliff.case import case
from tunables.chapters.cache_cliff.full_size_simulation import COLUMNS, SCANS, play
from tunables.chapters.cache_cliff.predictor import predict
from tunables.chapters.cache_cliff.stage import SCHEME
from tunables.parts.model import Setting
from tunables.parts.stage import Beat, Choice, Stage

REPORTED = 40_000
LOWEST, HIGHEST = 30_000, 45_000


def _end(graphs) -> int:
    """Return the event at which all is done: an event is a row."""
    return SCANS * -(-graphs // COLUMNS) + 1


def _beat(name, label, title, scheme, graphs=REPORTED, against=None) -> Beat:
    settings: dict[str, Setting] = {"graphs": graphs, "scheme": scheme}
    return Beat(name, label, title, settings, _end(graphs), against=against)


@cache
def stage() -> Stage:
    """Return the stage at full size."""
    fits = int(predict(**case().settings())["capacity_graphs"])
    return Stage(
        name="rrd-full-size",
        title="The report's cache, a pixel a graph",
        machine="raster",
        play=play,
        given={"places": fits},
        settings=(
            Choice("graphs", "Graphs in each scan", low=LOWEST, high=HIGHEST),
            SCHEME,
        ),
        beats=(
            _beat(
                "fits",
                f"{fits:,} graphs",
                f"{fits:,} graphs: after the first scan each is found.",
                "lru",
                fits,
            ),
            _beat(
                "one-more",
                f"{fits + 1:,}",
                "One graph more, and not one of them is found.",
                "lru",
                fits + 1,
                {"graphs": fits},
            ),
            _beat(
                "turn",
                "Turn round",
                f"{REPORTED:,} graphs, every second scan backwards: all that fit are found.",
                "lru, zigzag",
            ),
            _beat(
                "mru",
                "Last used leaves",
                "The graph used last leaves: as good, and the misses stand elsewhere.",
                "mru",
            ),
            _beat(
                "random",
                "A random one",
                "A random graph leaves: misses everywhere, and never many together.",
                "random",
            ),
            _beat(
                "shuffled",
                "A random order",
                "LRU, and a fresh order in each scan: the later in the scan, the more are lost.",
                "lru, shuffled",
            ),
        ),
    )
