"""Chapter 3's animations: a scan over a few files, and the report's cache at its full size."""

from functools import cache

from tunables.chapters.cache_cliff.case import SCHEME_TEXTS, case
from tunables.chapters.cache_cliff.predictor import predict
from tunables.chapters.cache_cliff.simulation import (
    COLUMNS,
    FULL_SIZE_SCANS,
    LRU_ORDERS,
    PLACES,
    POLICIES,
    play,
    play_full_size,
)
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Overview
from tunables.core.model import Setting

SCHEMES = (*POLICIES, *LRU_ORDERS)
SCHEME = AnimationSetting(
    "scheme",
    "Eviction policy and scan order",
    choices=SCHEMES,
    choice_texts=tuple(SCHEME_TEXTS[scheme] for scheme in SCHEMES),
)


# The animation at full size.
REPORTED = 40_000
LOWEST, HIGHEST = 30_000, 45_000


def _bookmark(name, label, title, files, scheme, at, since=None, against=None) -> Bookmark:
    settings = {"files": files, "scheme": scheme}
    return Bookmark(name, label, title, settings, at, since, against)


@cache
def animation() -> Animation:
    """Return the animation of a few files."""
    return Animation(
        name="rrd",
        title="Scans of a few files, and a cache with room for twelve",
        renderer="scan",
        play=play,
        settings=(
            AnimationSetting("files", "Files in each scan", low=8, high=18),
            SCHEME,
        ),
        bookmarks=(
            _bookmark(
                "fits",
                "Twelve files",
                "Each of the twelve files has a place, so after the first scan every request is a "
                "hit.",
                PLACES,
                "lru",
                25,
                12,
            ),
            _bookmark(
                "one-more",
                "One more file",
                "File 13 needs a place, so the cache evicts the file that was used longest ago: "
                "file 1.",
                PLACES + 1,
                "lru",
                26,
                24,
            ),
            _bookmark(
                "hole",
                "The hole",
                "File 1 is wanted next but was just evicted. The missing file (the hole) is always "
                "the one wanted next.",
                PLACES + 1,
                "lru",
                27,
                26,
            ),
            _bookmark(
                "turn",
                "Turn round at the end",
                "Every second scan runs backwards, so the evicted file won't be wanted until the "
                "scan's end. If every scan ran forwards, that file would be wanted next.",
                PLACES + 1,
                "lru, zigzag",
                26,
                13,
                against={"scheme": "lru"},
            ),
            _bookmark(
                "mru",
                "Evict the file just used",
                "The most recently used file is evicted. It won't be wanted again for almost a "
                "whole scan, so most requests hit.",
                PLACES + 1,
                "mru",
                25,
                13,
            ),
            _bookmark(
                "random",
                "Evict at random",
                "A random file is evicted. It is seldom the file wanted next, so most requests are "
                "hits.",
                PLACES + 1,
                "random",
                32,
                19,
            ),
        ),
        overview=Overview(
            "Thirteen files share twelve places. How often the scan misses depends on which file "
            "is evicted.",
            {SCHEME_TEXTS[scheme]: {"files": PLACES + 1, "scheme": scheme} for scheme in SCHEMES},
            miniature=(0, 3, 10, 9),
        ),
    )


def _end(graphs) -> int:
    """Return the last event; each row of the picture is an event."""
    return FULL_SIZE_SCANS * -(-graphs // COLUMNS) + 1


def _full_size_bookmark(name, label, title, scheme, graphs=REPORTED, against=None) -> Bookmark:
    settings: dict[str, Setting] = {"graphs": graphs, "scheme": scheme}
    return Bookmark(name, label, title, settings, _end(graphs), against=against)


@cache
def full_size_animation() -> Animation:
    """Return the animation of the report's cache, one pixel per graph."""
    fits = int(predict(**case().settings())["capacity_graphs"])
    return Animation(
        name="rrd-full-size",
        title="The report's cache, one pixel per graph",
        renderer="raster",
        play=play_full_size,
        given={"places": fits},
        settings=(
            AnimationSetting("graphs", "Graphs in each scan", low=LOWEST, high=HIGHEST),
            SCHEME,
        ),
        bookmarks=(
            _full_size_bookmark(
                "fits",
                f"{fits:,} graphs",
                f"All {fits:,} graphs fit, so after the first scan every write is a hit.",
                "lru",
                fits,
            ),
            _full_size_bookmark(
                "one-more",
                f"{fits + 1:,} graphs",
                "There is one graph too many, so not one write is a hit.",
                "lru",
                fits + 1,
                {"graphs": fits},
            ),
            _full_size_bookmark(
                "turn",
                "Turn round at the end",
                f"Every second scan of {REPORTED:,} graphs runs backwards, so each scan has only "
                "one miss per graph that doesn't fit.",
                "lru, zigzag",
            ),
            _full_size_bookmark(
                "mru",
                "Evict the graph just used",
                "The most recently used graph is evicted. The hit ratio is the same as with "
                "reversed scans, but the misses fall elsewhere.",
                "mru",
            ),
            _full_size_bookmark(
                "random",
                "Evict at random",
                "A random graph is evicted, so the misses are scattered all over the scan.",
                "random",
            ),
            _full_size_bookmark(
                "shuffled",
                "A random order",
                "Each scan has a new random order. With LRU, writes late in a scan miss more often "
                "than early ones.",
                "lru, shuffled",
            ),
        ),
    )
