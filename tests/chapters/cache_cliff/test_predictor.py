"""The closed forms for a few files against simulation."""

import pytest

from tunables.chapters.cache_cliff.animation import SCHEMES
from tunables.chapters.cache_cliff.predictor import exact_hit_ratio
from tunables.simulators.caches import (
    cyclic_trace,
    shuffled_trace,
    trace_policy,
    zigzag_trace,
)

SCANS, WARM = 3000, 60


def simulate(files, scheme):
    orders = {"lru, zigzag": zigzag_trace(files, SCANS), "lru, shuffled": None}
    trace = orders.get(scheme, cyclic_trace(files, SCANS))
    if trace is None:
        trace = shuffled_trace(files, SCANS, seed=1)
    hits = trace_policy(trace, 12, scheme.split(",")[0], seed=1).hit
    return hits[WARM * files :].mean()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("files", [8, 12, 13, 14, 18])
def test_exact_hit_ratio_is_the_simulated_one_or_none(files, scheme):
    exact = exact_hit_ratio(files, 12, scheme)
    if exact is None:
        assert files > 12
        assert scheme in ("random", "lru, shuffled")
    else:
        assert simulate(files, scheme) == pytest.approx(exact, abs=0.004)
