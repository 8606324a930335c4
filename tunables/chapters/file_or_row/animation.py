"""Chapter 7's animation: the last BLOBs of a run, read from files and from rows."""

from functools import cache

from tunables.chapters.file_or_row.calibration import PAGES, SIZES
from tunables.chapters.file_or_row.case import case
from tunables.chapters.file_or_row.fit import COSTS
from tunables.chapters.file_or_row.simulation import play
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Overview
from tunables.core.model import Setting

BLOBS = tuple(str(size) for size in SIZES.values())  # kB
PAGE_SIZES = tuple(str(page) for page in PAGES)


def _bookmark(name, label, title, blob, page, at, since=None, against=None) -> Bookmark:
    settings: dict[str, Setting] = {"blob": str(blob), "page": str(page)}
    other: dict[str, Setting] | None = {"page": str(against)} if against else None
    return Bookmark(name, label, title, settings, at, since, other)


@cache
def animation() -> Animation:
    """Return the animation of the chapter: the same BLOBs from files and from rows."""
    costs = case().settings()
    return Animation(
        name="blobs",
        title="The same BLOBs from files and from rows",
        renderer="race",
        play=play,
        given={name: costs[name] for name in COSTS},
        settings=(
            AnimationSetting(
                "blob",
                "Size of a BLOB",
                choices=BLOBS,
                choice_texts=tuple(f"{int(size):,} kB" for size in BLOBS),
            ),
            AnimationSetting(
                "page",
                "Page size",
                choices=PAGE_SIZES,
                choice_texts=tuple(f"{int(page):,} bytes" for page in PAGE_SIZES),
            ),
        ),
        bookmarks=(
            _bookmark(
                "small",
                "A small BLOB",
                "One row is complete after three pages, and the next has begun. The first file is "
                "still being opened.",
                10,
                4096,
                110.0,
                0.0,
            ),
            _bookmark(
                "large",
                "A large BLOB",
                "Opening the file hardly matters now. Nearly all of the file has been read, but "
                "only half of the row's pages.",
                1000,
                4096,
                1100.0,
                800.0,
            ),
            _bookmark(
                "old-pages",
                "Small pages",
                "With pages of 1,024 bytes, a row of 100 kB takes 99 pages, each with a fixed "
                "cost.",
                100,
                1024,
                226.0,
                0.0,
            ),
            _bookmark(
                "big-page",
                "One big page",
                "The row is in one page of 65,536 bytes, so most of the bytes that are read belong "
                "to other rows.",
                10,
                65536,
                110.0,
                0.0,
            ),
            _bookmark(
                "two-pages",
                "Two page sizes",
                "With pages of 8,192 bytes, the rows keep up with the files. With pages of 1,024 "
                "bytes, they don't.",
                100,
                1024,
                2000.0,
                against=8192,
            ),
        ),
        overview=Overview(
            "Small BLOBs are read faster from rows, and large ones from files.",
            {
                "10 kB, 4,096 bytes": {"blob": "10", "page": "4096"},
                "100 kB, 1,024 bytes": {"blob": "100", "page": "1024"},
                "100 kB, 8,192 bytes": {"blob": "100", "page": "8192"},
                "1,000 kB, 4,096 bytes": {"blob": "1000", "page": "4096"},
            },
            miniature=(0, 3),
        ),
    )
