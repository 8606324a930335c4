"""The fit of the reader's own numbers: what it finds, and what it refuses."""

import time

import numpy as np
import pytest

from tests.chapters.cache_cliff.own_data import follows
from tests.parts.made import SCRIPT
from tunables.chapters.cache_cliff.own import counted
from tunables.chapters.cache_cliff.own_traffic import learned, miss_ratio
from tunables.parts.registry import fit_source
from tunables.theory.caching import che_approximation, cliff_capacity

SEEDS = [1, 2, 3, 4]


def learn(ids):
    """Return what the fit learns from ids: those of a first half."""
    half = counted(np.concatenate([ids, ids]))
    return learned(half["requests"], half["counts"], half["often"])


@pytest.mark.slow
def test_a_trace_of_a_million_requests_takes_seconds():
    rng = np.random.default_rng(5)
    keys = rng.zipf(1.3, 1_000_000) % 200_000
    fit_source("cache_cliff", follows())  # compiles
    source = "key\n" + "\n".join(map(str, keys.tolist())) + "\n"
    started = time.perf_counter()
    fit = fit_source("cache_cliff", source)
    print(f"{time.perf_counter() - started:.1f} s")
    assert fit.fits, fit.verdict


def test_without_a_scan_the_trace_model_is_ches_approximation():
    counts = [40, 30, 20, 10, 5, 3, 2]
    ids = np.random.default_rng(1).permutation(np.repeat(np.arange(7), counts))
    traffic = learn(ids)
    assert traffic.n == 0
    for capacity in range(1, 7):
        hit_ratio, _ = che_approximation(counts, capacity)
        assert miss_ratio(traffic, capacity) == pytest.approx(1 - hit_ratio, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_independent_requests_are_no_scan(seed):
    rng = np.random.default_rng(seed)
    assert learn(rng.integers(0, 2000, 40_000)).n == 0
    assert learn(rng.zipf(1.2, 100_000) % 5000).n == 0


def test_the_scan_falls_off_its_cliff_where_the_chapter_says():
    weights = [rank**-0.8 for rank in range(1, 201)]
    ids = np.unique(list(SCRIPT.trace(False, 40_000, 1)), return_inverse=True)[1]
    traffic = learn(ids)
    cliff = cliff_capacity(120, weights, 0.6)
    below, above = (miss_ratio(traffic, cliff * factor) for factor in (0.97, 1.03))
    assert below - above > 0.35  # four requests in ten are the scan's


KEYS = [str(n * n % 97) for n in range(600)]


@pytest.mark.parametrize("column", ["sector", "1"])
def test_a_column_is_chosen_by_its_heading_or_its_number(column):
    rows = "".join(f"{at},{key}\n" for at, key in enumerate(KEYS))
    fit = fit_source("cache_cliff", "at,sector\n" + rows, column)
    alone = fit_source("cache_cliff", "key\n" + "\n".join(KEYS))
    assert fit.verdict == alone.verdict
    with pytest.raises(ValueError, match=r"columns found are at, sector; none is 'other'"):
        fit_source("cache_cliff", "at,sector\n" + rows, "other")


def test_a_column_that_traces_have_is_known():
    rows = "".join(f"{at},{key}\n" for at, key in enumerate(KEYS))
    assert fit_source("cache_cliff", "at,lbn\n" + rows).value("keys") == 49


def test_other_fits_take_no_column():
    with pytest.raises(ValueError, match=r"column = 'x': must be left out"):
        fit_source(1, "a\n", "x")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("at,what\n1,a\n2,b\n", "wanted is one of the name key"),
        ("key\na\nb\n", "2 requests are too few"),
    ],
)
def test_what_the_fit_refuses_says_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("cache_cliff", source)
