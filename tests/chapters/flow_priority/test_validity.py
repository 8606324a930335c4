"""What the map says of its causes, held by other means."""

import numpy as np

from tests.parts.asked import map_samples
from tunables.parts.registry import find_map


def test_users_in_step_matter_less_where_the_port_is_nearly_full():
    def gap(users):
        settings, _ = find_map("dpp").split(users, 0)
        closed = find_map("dpp").case.predict(**settings)
        busy = closed["port_utilisation"]
        simulated_s = np.mean(map_samples("dpp", settings, spread=0.0))
        return busy, closed["large_1_with_s"] / simulated_s - 1

    (free, wide), (busy, narrow) = gap(8), gap(30)
    assert free < 0.85 < 0.99 < busy
    assert wide < -0.2 < -0.1 < narrow < 0
