"""What the map says of its causes, held by other means."""

import numpy as np
import pytest

from tests.parts.asked import map_samples
from tunables.chapters.group_commit.case import case as rdu
from tunables.parts.registry import find_map
from tunables.simulators.batches import simulate_batches


@pytest.mark.parametrize("commits", [1, 2])
@pytest.mark.parametrize("clients", [1, 10, 100])
def test_the_caps_are_exact(commits, clients):
    settings = rdu().settings(hypothesis=("one cap", "two caps")[commits - 1], clients=clients)
    run = {name: settings[name] for name in ("timeout_s", "retries", "max_delay_s", "base_s")}
    response_s = simulate_batches(clients=clients, commits=commits, **run)[1]
    assert response_s == pytest.approx(rdu().predict(**settings)["response_s"], rel=2e-3)


def test_a_cap_runs_out_in_vain_only_if_the_lease_query_is_longer():
    validity = find_map("rdu")

    def gap(**lease):
        settings, _ = validity.split(12, 0.9)
        settings |= lease
        simulated = np.mean(map_samples("rdu", settings))
        return validity.case.predict(**settings)["response_s"] / simulated - 1

    assert gap() < -0.15
    assert abs(gap(timeout_s=0.1, retries=0)) < 0.05
