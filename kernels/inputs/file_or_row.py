"""The kernels of chapter 7 that the page may call, with calls that reach them."""

from kernels.entry import KernelEntry
from tunables.chapters.file_or_row.predictor import PAGE_SIZES
from tunables.chapters.file_or_row.simulation import events, run_of_map
from tunables.chapters.file_or_row.simulation import run as run_case


def _settings(rng):
    """Return a BLOB and a page for which some rows share a leaf, or one row takes many pages."""
    return {
        "blob_kb": float(rng.choice([1, 10, 60, 700]) * (1 + rng.random())),
        "page_bytes": int(rng.choice(PAGE_SIZES)),
    }


def _costs(rng):
    return {
        "open_kb": 200 * rng.random(),
        "lookup_kb": 1 + 50 * rng.random(),
        "page_kb": 5 * rng.random(),
        "byte_ratio": 2 * rng.random(),
    }


def _run(rng, _):
    """Run the case or its map, which differ in the cache."""
    if rng.random() < 0.5:
        run_case(int(rng.integers(1000)), **_settings(rng), **_costs(rng))
        return
    cache_mb = float(rng.choice([0, 2, 200]))
    run_of_map(int(rng.integers(1000)), cache_mb=cache_mb, **_settings(rng))


def _events(rng, _):
    given = _settings(rng)
    shown = int(rng.integers(1, 24))
    events(int(rng.integers(1000)), cache_mb=float(rng.choice([0, 2, 200])), shown=shown, **given)


ENTRIES = (
    KernelEntry("tunables.chapters.file_or_row.simulation", "page_reads", _run),
    KernelEntry("tunables.chapters.file_or_row.simulation", "trace", _events),
    KernelEntry("tunables.chapters.file_or_row.simulation", "tree_of", _events),
)
