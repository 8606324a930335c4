"""What the map says of its causes, held by other means."""

from typing import Any

import numpy as np
import pytest

from tests.parts.asked import map_samples
from tunables.chapters.work_queues.validity_simulation import RUNS
from tunables.parts.registry import find_map
from tunables.simulators.event_loop import Queue, simulate_event_loop


@pytest.mark.parametrize("drift", [1, 10])
def test_lateness_is_what_timers_in_the_event_loop_see(drift):
    settings: dict[str, Any] = find_map("quagga").split(3e-4, drift)[0]
    items, shape = int(settings["items"]), settings["cost_shape"]
    first_s = 2 * settings["item_cost_s"] / (1 + drift)
    mean_s = np.where(np.arange(items) < items // 2, first_s, drift * first_s)
    rng = np.random.default_rng(RUNS)  # the first run of seed 1
    costs_s = rng.gamma(shape, mean_s / shape)
    due_s = np.sort(rng.uniform(0, costs_s.sum(), 200_000))
    seen = simulate_event_loop([Queue(costs_s)], timers_s=due_s).timer_lateness_s.mean()
    assert map_samples("quagga", settings, drift=drift)[0] == pytest.approx(seen, rel=0.02)
