"""The closed form of chapter 6."""

import math

import numpy as np
import pytest

from tunables.chapters.work_queues.predictor import predict
from tunables.simulators.work_queue import drain_work_queue

CLEAR: dict = {
    "items": 320_975,
    "item_cost_s": 0.00036,
    "cost_shape": 0.8,
    "quantum_s": 0.010,
    "rule": "2005-05-06",
    "granularity": 1,
    "queues": 1,
    "runs_before": 0,
    "items_before": 0,
    "entry_bytes": 20,
}


@pytest.mark.parametrize("rule", ["2005-05-06", "2005-05-23", "2010"])
@pytest.mark.parametrize("cost_s", [50e-6, 360e-6, 2e-3])
@pytest.mark.parametrize("shape", [0.8, 50.0])
def test_runs_and_slices_of_the_simulated_queue(rule, cost_s, shape):
    predicted = predict(**(CLEAR | {"rule": rule, "item_cost_s": cost_s, "cost_shape": shape}))
    drains = [
        drain_work_queue(
            np.random.default_rng(seed).gamma(shape, cost_s / shape, CLEAR["items"]), rule=rule
        )
        for seed in range(8)
    ]
    cycles, lengths = (np.concatenate([d[column] for d in drains]) for column in (0, 3))
    assert predicted["runs"] == pytest.approx(len(cycles) / len(drains), rel=0.03)
    assert predicted["slice_s"] == pytest.approx(lengths.mean(), rel=0.03)
    assert predicted["mean_cycles"] == pytest.approx(cycles.mean(), rel=0.03, abs=1)
    assert predicted["drain_s"] == pytest.approx(lengths.sum() / len(drains), rel=0.01)
    ends = [d.granularity[-1] for d in drains]
    assert min(ends) <= predicted["granularity"] <= max(ends)
    if predicted["granularity"] in ends:
        of_those = [d.best[-1] for d in drains if d.granularity[-1] == predicted["granularity"]]
        assert predicted["best"] <= min(of_those)
    late_s = np.mean(lengths**2) / (2 * lengths.mean())
    assert predicted["lateness_s"] == pytest.approx(late_s, rel=0.05)


@pytest.mark.parametrize("granularity", [1, 8, 8192])
def test_a_fixed_granularity(granularity):
    fixed = CLEAR | {"rule": "fixed", "granularity": granularity, "item_cost_s": 4e-6}
    predicted = predict(**fixed)
    costs_s = np.random.default_rng(5).gamma(0.8, 4e-6 / 0.8, CLEAR["items"])
    drain = drain_work_queue(costs_s, rule="fixed", granularity=granularity)
    assert predicted["granularity"] == predicted["limiting_granularity"] == granularity
    assert predicted["slice_s"] == pytest.approx(drain.slice_s[:-1].mean(), rel=0.01)
    late_s = np.mean(drain.slice_s[:-1] ** 2) / (2 * drain.slice_s[:-1].mean())
    assert predicted["lateness_s"] == pytest.approx(late_s, rel=0.01)


def test_nearly_constant_costs_stop_at_the_limiting_granularity():
    predicted = predict(**(CLEAR | {"item_cost_s": 217e-6, "cost_shape": 1e6}))
    assert predicted["granularity"] == predicted["limiting_granularity"] == 25
    assert predicted["slice_s"] == pytest.approx(50 * 217e-6, rel=1e-3)
    assert predicted["lateness_s"] == pytest.approx(25 * 217e-6, rel=1e-3)


def test_a_queue_that_fits_into_a_slice_is_one_run():
    predicted = predict(**(CLEAR | {"items": 5}))
    assert predicted["runs"] == 1
    assert predicted["slice_s"] == predicted["drain_s"] == predicted["blocked_s"]
    alone = np.random.default_rng(2).gamma(0.8, 0.00036 / 0.8, (50_000, 5)).sum(axis=1)
    late_s = np.mean(alone**2) / (2 * alone.mean())
    assert predicted["lateness_s"] == pytest.approx(late_s, rel=0.02)


def test_counters_continue_from_their_values():
    fresh = predict(**CLEAR)
    later = predict(**(CLEAR | {"runs_before": 5000, "items_before": 400_000}))
    assert later["runs"] == 5000 + fresh["runs"]
    assert later["mean_cycles"] == (400_000 + CLEAR["items"]) // later["runs"]
    assert {k: later[k] for k in ("slice_s", "granularity")} == {
        k: fresh[k] for k in ("slice_s", "granularity")
    }


def test_a_chance_too_small_for_a_float_is_left_out():
    # at granularity 57 the chance to ramp is 5e-324, and times any probability it is 0
    changes = {"items": 15_051, "item_cost_s": 441e-6, "cost_shape": 0.9223, "granularity": 29}
    predicted = predict(**(CLEAR | changes | {"quantum_s": 0.0737, "rule": "2010"}))
    assert 41 <= predicted["granularity"] <= 53
    assert predicted["slice_s"] > 0.0737


def test_memory_is_items_times_the_bytes_of_an_entry():
    half = predict(**(CLEAR | {"items": 2**19, "entry_bytes": 8}))
    assert half["memory_mib"] == 4


def test_more_queues_make_timers_later_and_blocking_is_the_worst():
    late = [predict(**(CLEAR | {"queues": n})) for n in (1, 2, 4)]
    assert late[0]["lateness_s"] < late[1]["lateness_s"] < late[2]["lateness_s"]
    assert late[2]["drain_s"] == 4 * late[0]["drain_s"]
    assert late[2]["blocked_lateness_s"] > 100 * late[2]["lateness_s"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("items", 0),
        ("items", 2.5),
        ("item_cost_s", 0),
        ("item_cost_s", math.nan),
        ("cost_shape", 0),
        ("quantum_s", -0.01),
        ("quantum_s", math.inf),
        ("rule", "2005"),
        ("granularity", 0),
        ("queues", 0),
        ("runs_before", -1),
        ("items_before", 0.5),
        ("entry_bytes", 0),
    ],
)
def test_refuses(name, value):
    with pytest.raises(ValueError, match=f"{name} = {value}|{name} = '{value}'"):
        predict(**(CLEAR | {name: value}))
