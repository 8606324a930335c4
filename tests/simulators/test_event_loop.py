"""The event loop against its plain reference, the drain, hand-worked turns and closed forms."""

import math
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.predictors.quagga import predict
from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.event_loop_reference import BackgroundQueue, EventLoop, Events
from tunables.simulators.work_queue import drain_work_queue, growth_rule
from tunables.theory.slicing import GROWTH_RULES, mean_timer_lateness

times_ns = st.lists(st.integers(0, 50_000_000), max_size=15).map(sorted)
queues_ns = st.lists(
    st.tuples(
        st.lists(st.integers(0, 4_000_000), min_size=1, max_size=40),  # costs
        st.integers(0, 20_000_000),  # hold
        st.sampled_from([0, 1_000_000, 10_000_000]),  # delay
        st.integers(1, 10),  # granularity
    ),
    max_size=4,
)


def nanoseconds(seconds):
    return np.rint(np.asarray(seconds) * 1e9).astype(np.int64).tolist()


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    queues_ns,
    st.tuples(times_ns, times_ns, times_ns),
    st.tuples(*[st.integers(0, 3_000_000)] * 3),
    st.integers(0, 12_000_000),
    st.sampled_from(sorted(GROWTH_RULES)),
    st.integers(0, 50_000),
)
def test_compiled_equals_the_plain_reference(queues, ready, handlers, quantum, rule, check):
    timers_s, reads_s, writes_s = (np.array(moments) / 1e9 for moments in ready)
    trace = simulate_event_loop(
        [Queue(np.array(c) / 1e9, hold / 1e9, delay / 1e9, g) for c, hold, delay, g in queues],
        timers_s,
        reads_s,
        writes_s,
        timer_cost_s=handlers[0] / 1e9,
        read_cost_s=handlers[1] / 1e9,
        write_cost_s=handlers[2] / 1e9,
        quantum_s=quantum / 1e9,
        rule=rule,
        check_cost_s=check / 1e9,
    )
    growth = growth_rule(rule)
    kinds = [Events(deque(m), cost) for m, cost in zip(ready, handlers, strict=True)]
    background = [
        BackgroundQueue(deque(costs), g, growth, due=hold, delay=delay)
        for costs, hold, delay, g in queues
    ]
    loop = EventLoop(kinds, background, quantum, check)
    loop.run()
    assert [nanoseconds(late) for late in trace[:3]] == [kind.lateness for kind in kinds]
    assert nanoseconds(trace.turn_s) == loop.turns
    slices = zip(
        nanoseconds(trace.slice_s),
        trace.slice_queue.tolist(),
        trace.slice_cycles.tolist(),
        strict=True,
    )
    assert list(slices) == loop.slices


def test_a_turn_serves_timers_then_reads_then_writes_then_a_slice():
    trace = simulate_event_loop(
        [Queue([0.020, 0.020])],
        timers_s=[0.001, 0.002],
        reads_s=[0.003],
        writes_s=[0.004],
        timer_cost_s=0.001,
        read_cost_s=0.002,
        write_cost_s=0.004,
    )
    # the first slice lasts to 20 ms; then timers at 20 and 21, the read at 22, the write at 24
    assert trace.timer_lateness_s.tolist() == [0.019, 0.019]
    assert trace.read_lateness_s.tolist() == [0.019]
    assert trace.write_lateness_s.tolist() == [0.020]
    assert trace.turn_s.tolist() == [0.020, 0.028]


def test_what_falls_due_during_a_turn_waits_for_the_next():
    trace = simulate_event_loop([], timers_s=[0.0, 0.001], reads_s=[0.0], read_cost_s=0.005)
    assert trace.timer_lateness_s.tolist() == [0.0, 0.004]


def test_hold_and_delay_space_the_runs():
    trace = simulate_event_loop(
        [Queue([0.020] * 3, hold_s=0.100, delay_s=0.010)], timers_s=[0.110, 0.125, 0.235]
    )
    # runs at 100 to 120, 130 to 150 and 160 to 180 ms
    assert trace.timer_lateness_s.tolist() == [0.010, 0.0, 0.0]
    assert trace.slice_s.tolist() == [0.020] * 3


def test_queues_take_turns():
    trace = simulate_event_loop([Queue([0.020] * 3), Queue([0.020] * 2)])
    assert trace.slice_queue.tolist() == [0, 1, 0, 1, 0]
    assert trace.turn_s.tolist() == [0.040, 0.040, 0.020]


def test_one_queue_without_events_is_a_drain():
    costs_s = np.random.default_rng(4).gamma(0.8, 0.0004, 20_000)
    trace = simulate_event_loop([Queue(costs_s)])
    drain = drain_work_queue(costs_s)
    assert trace.slice_s.tolist() == drain.slice_s.tolist() == trace.turn_s.tolist()
    assert trace.slice_cycles.tolist() == drain.cycles.tolist()


def test_nothing_to_do_is_no_turn():
    trace = simulate_event_loop([])
    assert [len(column) for column in trace] == [0] * 7


def load(queues, quantum_s, seed=6):
    """Gamma queues of the published size, and random timers while they drain."""
    rng = np.random.default_rng(seed)
    costs = [rng.gamma(0.8, 0.00033 / 0.8, 320_975) for _ in range(queues)]
    due = np.sort(rng.uniform(0, sum(c.sum() for c in costs), 20_000))
    return simulate_event_loop([Queue(c) for c in costs], due, quantum_s=quantum_s)


@pytest.mark.parametrize(
    ("queues", "quantum_s"), [(1, 1e9), (1, 0.001), (1, 0.010), (1, 0.050), (4, 0.010)]
)
def test_random_timers_are_as_late_as_the_mean_residual_turn(queues, quantum_s):
    trace = load(queues, quantum_s)
    late = trace.timer_lateness_s
    error = late.std() / math.sqrt(len(late))
    assert abs(late.mean() - mean_timer_lateness(trace.turn_s)) < 4 * error
    assert late.max() <= trace.turn_s.max()


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"queues": [Queue([])]}, r"queues\[0\].costs_s = \[\]: must be a non-empty"),
        ({"queues": [Queue([1.0, -1.0])]}, r"queues\[0\].costs_s\[1\] = -1.0: must be"),
        ({"queues": [Queue([1.0], hold_s=-1)]}, r"queues\[0\].hold_s = -1: must be"),
        ({"queues": [Queue([1.0], delay_s=math.nan)]}, r"queues\[0\].delay_s = nan: must be"),
        ({"queues": [Queue([1.0], granularity=0)]}, r"queues\[0\].granularity = 0: must be"),
        ({"timers_s": [2.0, 1.0]}, r"timers_s\[1\]: must be at least timers_s\[0\]"),
        ({"timers_s": [-1.0]}, r"timers_s\[0\] = -1.0: must be"),
        ({"reads_s": [math.inf]}, r"reads_s\[0\] = inf: must be"),
        ({"writes_s": 3}, "writes_s = 3: must be a sequence"),
        ({"timer_cost_s": -1}, "timer_cost_s = -1: must be"),
        ({"read_cost_s": math.nan}, "read_cost_s = nan: must be"),
        ({"write_cost_s": "x"}, "write_cost_s = 'x': must be"),
        ({"quantum_s": -1}, "quantum_s = -1: must be"),
        ({"rule": "no"}, "rule = 'no': must be one of"),
        ({"check_cost_s": -1}, "check_cost_s = -1: must be"),
        ({"queues": [Queue([1.0] * 9, delay_s=1e9)]}, "upper bound of the simulated time, s = 9"),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_event_loop(**({"queues": [Queue([1.0])]} | arguments))
