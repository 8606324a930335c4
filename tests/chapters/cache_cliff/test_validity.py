"""What the map says of its causes, held by other means."""

from typing import Any

import numpy as np
import pytest

from tests.parts.asked import map_samples
from tunables.chapters.cache_cliff.validity_experiment import disordered_trace
from tunables.parts.registry import find_map
from tunables.theory.caching import shuffled_hit_ratio, slowdown


def test_no_disorder_is_the_scan_and_great_disorder_a_shuffle():
    trace = disordered_trace(1, 1_000, 2, 0.0)
    assert trace.tolist() == [*range(1_000), *range(1_000)]
    settings: dict[str, Any] = find_map("rrd").split(3.25, 0)[0]
    capacity = find_map("rrd").case.predict(**settings)["capacity_graphs"]
    shuffled = slowdown(shuffled_hit_ratio(capacity / settings["graphs"]), 20)
    assert np.mean(map_samples("rrd", settings, disorder=1e4)) == pytest.approx(shuffled, rel=0.02)
