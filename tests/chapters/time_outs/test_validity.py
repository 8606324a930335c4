"""What the map says of its causes, held by other means."""

import pytest

from tests.parts.asked import map_samples
from tunables.parts.registry import find_map
from tunables.simulators.retry_storm import simulate_retry_storm


def test_retries_that_are_spread_in_time_meet_the_formula_again():
    settings, _ = find_map("storm").split(70, 0.2)
    closed = find_map("storm").case.predict(**settings)["offered_per_s"]
    assert min(map_samples("storm", settings)) > 3 * closed
    spread, _ = simulate_retry_storm(
        70, 100, 0.2, 3, outage_s=0, horizon_s=400, backoff_base_s=60, backoff_cap_s=60, seed=1
    )
    assert spread[-100:].mean() == pytest.approx(closed, rel=0.05)
