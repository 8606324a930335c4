"""Chapter 6's simulations, against the public simulators, the closed form and the text."""

from typing import Any

import numpy as np
import pytest

from tests.core.asked import map_samples
from tests.simulators.test_event_loop import load
from tunables.chapters.work_queues.predictor import predict
from tunables.chapters.work_queues.simulation import MAP_RUNS, hold_events, slice_events
from tunables.core.registry import find_case, find_map
from tunables.simulators.event_loop import LoopEvents, Queue, simulate_event_loop, trace_event_loop

QUAGGA = find_case("quagga")
SEED = 6
RATCHET = {"cost_shape": 0, "items": 202_000, "item_cost_s": 5e-6}
RATCHET |= {"costly_from": 200_000, "costly_cost_s": 1e-3, "timers": 0}


def simulate_slices(**changes):
    settings = QUAGGA.settings() | changes
    runs, looks, *columns = slice_events(SEED, **settings)
    events = LoopEvents(*columns)
    assert (len(events.begin_s), len(events.look_s)) == (runs, looks)
    return events


@pytest.fixture(scope="module")
def published_slices():
    return simulate_slices()


def test_the_columns_are_those_of_the_simulator(published_slices):
    settings, rng = QUAGGA.settings(), np.random.default_rng(SEED)
    shape, mean_s = (float(settings[name]) for name in ("cost_shape", "item_cost_s"))
    costs_s = rng.gamma(shape, mean_s / shape, int(settings["items"]))
    due_s = np.sort(rng.uniform(0, 1, 20_000))
    simulated = trace_event_loop([Queue(costs_s)], due_s * sum(costs_s.tolist()))
    for column, same in zip(published_slices, simulated, strict=True):
        assert (column == same).all()


def test_slices_by_the_rule_of_april(published_slices):
    length_ms = 1000 * published_slices.length_s
    assert (round(length_ms[0], 2), published_slices.items[0], published_slices.looks[0]) == (
        10.52,
        25,
        25,
    )
    assert (round(length_ms[11], 2), published_slices.items[11]) == (16.56, 51)
    assert (round(length_ms[131], 1), published_slices.items[131]) == (16.9, 69)
    assert [published_slices.granularity[run] for run in range(1, 6)] == [3, 5, 7, 9, 11]
    assert [published_slices.granularity[run] for run in (12, 77, 802, -1)] == [19, 23, 27, 27]
    assert published_slices.granularity[131:133].tolist() == [23, 25]
    assert round(published_slices.begin_s[802], 1) == 12.1
    assert round(length_ms.max(), 1) == 27.2
    assert length_ms[:-1].min() >= 10
    means = [round(length_ms[:runs].mean(), 1) for runs in (10, 50, 100, 1000)]
    assert means == [12.3, 13.7, 14.1, 15.2]
    assert round(length_ms.mean(), 2) == 15.35


def test_a_run_ends_at_its_last_look_and_the_looks_thin_out(published_slices):
    ends = np.cumsum(published_slices.looks)
    assert (published_slices.look_s[ends[:-1] - 1] == published_slices.length_s[:-1]).all()
    of_run = published_slices.look_s[ends[130] : ends[131]]
    assert len(of_run) == 3
    assert (published_slices.items == published_slices.looks * published_slices.granularity)[
        :-1
    ].all()
    assert (published_slices.first_item[1:] == np.cumsum(published_slices.items)[:-1]).all()


def test_timers_wait_for_the_slices(published_slices):
    means = [round(1000 * published_slices.late_s[:timers].mean(), 1) for timers in (100, 1000)]
    assert means == [6.7, 7.9]
    assert round(1000 * published_slices.late_s.mean(), 2) == 8.18
    assert round(1000 * simulate_slices(queues=4, rows=40_000).late_s.mean(), 1) == 31.1
    whole = simulate_slices(granularity=320_975, rule="fixed")
    assert round(whole.late_s.mean()) == 57
    assert round(whole.late_s.max(), 1) == 114.9


def test_the_ratchet():
    free = simulate_slices(**RATCHET)
    dear = free.length_s > 0.04
    lengths_ms = (1000 * free.length_s).round(1)
    assert lengths_ms[dear][:10].tolist() == [46.6] + 9 * [197.0]
    assert free.length_s[: np.argmax(dear)] == pytest.approx(0.0105, abs=0.0006)
    assert np.argmax(dear) == 97
    longest_ms = [
        1000 * simulate_slices(rule=r, **RATCHET).length_s.max() for r in ("2005-05-23", "2010")
    ]
    assert longest_ms == pytest.approx([666, 504])
    bounded = simulate_slices(most_granularity=15, **RATCHET)
    assert bounded.length_s.max() == 0.015
    assert (free.looks.sum(), bounded.looks.sum()) == (6603, 16_446)


def drop_times(block_s, **changes):
    settings = QUAGGA.settings() | changes
    _, _, dropped_s = hold_events(SEED, block_s=block_s, **settings)
    return sorted(dropped_s[dropped_s >= 0].round(1).tolist())


def test_a_longer_block_drops_more_sessions():
    assert drop_times(30) == []
    assert drop_times(33) == [61.8]
    assert [len(drop_times(block_s)) for block_s in (35, 40, 57.3)] == [2, 7, 10]
    assert drop_times(57.3)[-1] == 74.8
    slow = {"keepalive_s": 60, "hold_s": 180}
    assert [len(drop_times(block_s, **slow)) for block_s in (114.9, 150)] == [0, 5]


def test_in_slices_no_session_is_dropped():
    due_s, sent_s, dropped_s = hold_events(SEED, **QUAGGA.settings())
    assert (dropped_s == -1).all()
    assert round(1000 * (sent_s - due_s).max(), 1) == 20.3
    least_left_s = 45 - max(np.diff(sent_s[session::10]).max() for session in range(10))
    assert least_left_s > 45 * 2 / 3 - 0.1


def test_a_run_beyond_the_kept_rows_is_left_out():
    settings = QUAGGA.settings(items=3000)
    runs, looks, *few = slice_events(SEED, rows=10, **settings)
    _, _, *columns = slice_events(SEED, **settings)
    assert (runs, looks) == (len(columns[0]), len(columns[7]))
    for kept, column in zip(few[:7], columns[:7], strict=True):
        assert (kept == column[:10]).all()
    assert (few[7] == columns[7][:20]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("queues", "quantum_s"), [(1, 0.001), (1, 0.010), (1, 0.050), (4, 0.010)])
def test_the_predictor_gives_the_simulated_lateness_within_5_percent(queues, quantum_s):
    predicted = predict(
        items=320_975,
        item_cost_s=0.00033,
        cost_shape=0.8,
        quantum_s=quantum_s,
        rule="2005-05-06",
        granularity=1,
        queues=queues,
        runs_before=0,
        items_before=0,
        entry_bytes=20,
    )
    traces = [load(queues, quantum_s, seed) for seed in range(8)]
    late = np.mean([trace.timer_lateness_s.mean() for trace in traces])
    assert predicted["lateness_s"] == pytest.approx(late, rel=0.05)
    assert predicted["drain_s"] == pytest.approx(traces[0].turn_s.sum(), rel=0.01)


@pytest.mark.parametrize("drift", [1, 10])
def test_lateness_is_what_timers_in_the_event_loop_see(drift):
    settings: dict[str, Any] = find_map("quagga").split(3e-4, drift)[0]
    items, shape = int(settings["items"]), settings["cost_shape"]
    first_s = 2 * settings["item_cost_s"] / (1 + drift)
    mean_s = np.where(np.arange(items) < items // 2, first_s, drift * first_s)
    rng = np.random.default_rng(MAP_RUNS)  # the first run of seed 1
    costs_s = rng.gamma(shape, mean_s / shape)
    due_s = np.sort(rng.uniform(0, costs_s.sum(), 200_000))
    seen = simulate_event_loop([Queue(costs_s)], timers_s=due_s).timer_lateness_s.mean()
    assert map_samples("quagga", settings, drift=drift)[0] == pytest.approx(seen, rel=0.02)
