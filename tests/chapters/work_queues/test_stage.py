"""What the stage of chapter 6 replays: the numbers of its beats, and the ordinary run in it."""

import numpy as np
import pytest

from tunables.chapters.work_queues.stage_simulation import hold_events, slice_events
from tunables.parts.registry import find_case
from tunables.simulators.event_loop import LoopEvents, Queue, trace_event_loop

QUAGGA = find_case("quagga")
SEED = 6
RATCHET = {"cost_shape": 0, "items": 202_000, "item_cost_s": 5e-6}
RATCHET |= {"dear_from": 200_000, "dear_cost_s": 1e-3, "timers": 0}


def sliced(**changes):
    settings = QUAGGA.settings() | changes
    runs, looks, *columns = slice_events(SEED, **settings)
    events = LoopEvents(*columns)
    assert (len(events.begin_s), len(events.look_s)) == (runs, looks)
    return events


@pytest.fixture(scope="module")
def published():
    return sliced()


def test_the_columns_are_those_of_the_simulator(published):
    settings, rng = QUAGGA.settings(), np.random.default_rng(SEED)
    shape, mean_s = (float(settings[name]) for name in ("cost_shape", "item_cost_s"))
    costs_s = rng.gamma(shape, mean_s / shape, int(settings["items"]))
    due_s = np.sort(rng.uniform(0, 1, 20_000))
    simulated = trace_event_loop([Queue(costs_s)], due_s * sum(costs_s.tolist()))
    for column, same in zip(published, simulated, strict=True):
        assert (column == same).all()


def test_slices_by_the_rule_of_april(published):
    length_ms = 1000 * published.length_s
    assert (round(length_ms[0], 2), published.items[0], published.looks[0]) == (10.52, 25, 25)
    assert (round(length_ms[11], 2), published.items[11]) == (16.56, 51)
    assert (round(length_ms[131], 1), published.items[131]) == (16.9, 69)
    assert [published.granularity[run] for run in range(1, 6)] == [3, 5, 7, 9, 11]
    assert [published.granularity[run] for run in (12, 77, 802, -1)] == [19, 23, 27, 27]
    assert published.granularity[131:133].tolist() == [23, 25]
    assert round(published.begin_s[802], 1) == 12.1
    assert round(length_ms.max(), 1) == 27.2
    assert length_ms[:-1].min() >= 10
    means = [round(length_ms[:runs].mean(), 1) for runs in (10, 50, 100, 1000)]
    assert means == [12.3, 13.7, 14.1, 15.2]
    assert round(length_ms.mean(), 2) == 15.35


def test_a_run_ends_at_its_last_look_and_the_looks_thin_out(published):
    ends = np.cumsum(published.looks)
    assert (published.look_s[ends[:-1] - 1] == published.length_s[:-1]).all()
    of_run = published.look_s[ends[130] : ends[131]]
    assert len(of_run) == 3
    assert (published.items == published.looks * published.granularity)[:-1].all()
    assert (published.first_item[1:] == np.cumsum(published.items)[:-1]).all()


def test_timers_wait_for_the_slices(published):
    means = [round(1000 * published.late_s[:timers].mean(), 1) for timers in (100, 1000)]
    assert means == [6.7, 7.9]
    assert round(1000 * published.late_s.mean(), 2) == 8.18
    assert round(1000 * sliced(queues=4, rows=40_000).late_s.mean(), 1) == 31.1
    whole = sliced(granularity=320_975, rule="fixed")
    assert round(whole.late_s.mean()) == 57
    assert round(whole.late_s.max(), 1) == 114.9


def test_the_ratchet():
    free = sliced(**RATCHET)
    dear = free.length_s > 0.04
    lengths_ms = (1000 * free.length_s).round(1)
    assert lengths_ms[dear][:10].tolist() == [46.6] + 9 * [197.0]
    assert free.length_s[: np.argmax(dear)] == pytest.approx(0.0105, abs=0.0006)
    assert np.argmax(dear) == 97
    longest_ms = [1000 * sliced(rule=r, **RATCHET).length_s.max() for r in ("2005-05-23", "2010")]
    assert longest_ms == pytest.approx([666, 504])
    bounded = sliced(most_granularity=15, **RATCHET)
    assert bounded.length_s.max() == 0.015
    assert (free.looks.sum(), bounded.looks.sum()) == (6603, 16_446)


def dropped(block_s, **changes):
    settings = QUAGGA.settings() | changes
    _, _, dropped_s = hold_events(SEED, block_s=block_s, **settings)
    return sorted(dropped_s[dropped_s >= 0].round(1).tolist())


def test_a_longer_block_drops_more_sessions():
    assert dropped(30) == []
    assert dropped(33) == [61.8]
    assert [len(dropped(block_s)) for block_s in (35, 40, 57.3)] == [2, 7, 10]
    assert dropped(57.3)[-1] == 74.8
    slow = {"keepalive_s": 60, "hold_s": 180}
    assert [len(dropped(block_s, **slow)) for block_s in (114.9, 150)] == [0, 5]


def test_in_slices_nobody_is_dropped():
    due_s, sent_s, dropped_s = hold_events(SEED, **QUAGGA.settings())
    assert (dropped_s == -1).all()
    assert round(1000 * (sent_s - due_s).max(), 1) == 20.3
    least_left_s = 45 - max(np.diff(sent_s[session::10]).max() for session in range(10))
    assert least_left_s > 45 * 2 / 3 - 0.1


def test_a_run_that_finds_no_place_is_left_out():
    settings = QUAGGA.settings(items=3000)
    runs, looks, *few = slice_events(SEED, rows=10, **settings)
    _, _, *columns = slice_events(SEED, **settings)
    assert (runs, looks) == (len(columns[0]), len(columns[7]))
    for kept, column in zip(few[:7], columns[:7], strict=True):
        assert (kept == column[:10]).all()
    assert (few[7] == columns[7][:20]).all()
