"""Chapter 4's runs against the simulator of any workload."""

import math
from typing import Any

import numpy as np
import pytest

from tunables.chapters.flow_priority.predictor import CLASSES, SIZE_BYTES, TRANSACTIONS
from tunables.chapters.flow_priority.simulation import (
    ahead_bytes,
    delays_of,
    end_times,
    run,
    run_of_map,
)
from tunables.core.registry import find_case
from tunables.simulators.flows import simulate_flows
from tunables.simulators.flows_kernel import rank_values

DPP = find_case("dpp")
COUNTS = [round(count / 200) for count in TRANSACTIONS]


@pytest.mark.parametrize(("column", "discipline"), [("without", "ps"), ("with", "dpp")])
@pytest.mark.parametrize("users", [1, 20])
@pytest.mark.parametrize("packets", [0, 8, 20])
def test_end_times_are_the_simulators_for_the_workload_of_table_1(
    column, discipline, users, packets
):
    settings: dict[str, Any] = DPP.settings(structure="S0", users=users, max_packets=packets)
    ahead = ahead_bytes(settings)
    delays = delays_of(settings["table_1_users"], settings["table_1_port_rate_gbps"])
    wanted = simulate_flows(
        [users] * 5,
        SIZE_BYTES,
        COUNTS,
        delays,
        1e9 * settings["port_rate_gbps"],
        discipline,
        seed=7,
        priority_bytes=[size if size <= ahead else 0 for size in SIZE_BYTES],
        spread=0.3,
    )
    assert end_times(7, settings, column, ahead, COUNTS, spread=0.3) == wanted.tolist()


def test_both_columns_use_the_same_random_draws_of_a_seed():
    settings = DPP.settings(users=1, max_packets=0)
    times = run(3, **settings)
    for name in CLASSES:  # no packet goes ahead, so the two columns agree
        assert times[f"{name}_with_s"] == pytest.approx(times[f"{name}_without_s"], rel=1e-9)
    assert run(4, **settings) != times == run(3, **settings)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"users": 0}, "users = 0"), ({"users": 1e4}, "users"), ({"port_rate_gbps": 0}, "port_rate")],
)
def test_bad_input_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        run(1, **{**DPP.settings(), **change})
    with pytest.raises(ValueError, match="spread = 2"):
        run_of_map(1, spread=2, **DPP.settings())


def test_ranks_are_those_of_numpy():
    rng = np.random.default_rng(5)
    for values in (rng.integers(9, size=50), rng.random(20), np.full(4, math.inf), np.zeros(1)):
        known, rank = rank_values(values)
        wanted = np.unique(values, return_inverse=True)
        assert known.tolist() == wanted[0].tolist()
        assert rank.tolist() == wanted[1].tolist()
