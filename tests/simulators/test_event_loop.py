"""The event loop against its plain reference, the drain, hand-worked turns and closed forms."""

import math
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.event_loop import MOST_ITEMS, Queue, simulate_event_loop, trace_event_loop
from tunables.simulators.event_loop_kernel import run_loop
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
    st.sampled_from([1, 3, 8, MOST_ITEMS]),
)
def test_kernel_equals_reference(queues, ready, handlers, quantum, rule, check, most):
    def at_most(cycles, granularity):
        return max(granularity, min(most, growth_rule(rule)(cycles, granularity)))

    timers_s, reads_s, writes_s = (np.array(moments) / 1e9 for moments in ready)
    arguments = {
        "queues": [
            Queue(np.array(c) / 1e9, hold / 1e9, delay / 1e9, g) for c, hold, delay, g in queues
        ],
        "timers_s": timers_s,
        "reads_s": reads_s,
        "writes_s": writes_s,
        "timer_cost_s": handlers[0] / 1e9,
        "read_cost_s": handlers[1] / 1e9,
        "write_cost_s": handlers[2] / 1e9,
        "quantum_s": quantum / 1e9,
        "rule": rule,
        "check_cost_s": check / 1e9,
        "most_granularity": most,
    }
    kinds = [Events(deque(m), cost) for m, cost in zip(ready, handlers, strict=True)]
    background = [
        BackgroundQueue(deque(costs), g, at_most, due=hold, delay=delay)
        for costs, hold, delay, g in queues
    ]
    loop = EventLoop(kinds, background, quantum, check)
    loop.run()

    trace = simulate_event_loop(**arguments)
    assert [nanoseconds(late) for late in trace[:3]] == [kind.lateness for kind in kinds]
    assert nanoseconds(trace.turn_s) == loop.turns
    events = trace_event_loop(**arguments)
    columns = (nanoseconds(events.begin_s), nanoseconds(events.length_s), *events[2:7])
    assert list(zip(*map(list, columns), strict=True)) == loop.runs
    assert nanoseconds(events.look_s) == loop.looks
    assert nanoseconds(events.due_s) == [moment for moments in ready for moment in moments]
    # the trace gives the result of the ordinary run
    assert np.concatenate(trace[:3]).tolist() == events.late_s.tolist()
    assert trace.slice_s.tolist() == events.length_s.tolist()
    assert trace.slice_queue.tolist() == events.queue.tolist()
    assert trace.slice_cycles.tolist() == events.items.tolist()


def test_what_finds_no_room_is_counted_but_not_recorded():
    costs = np.random.default_rng(2).integers(0, 4_000_000, 200)
    events = (np.array([1_000_000]), np.array([1, 1, 1]), np.zeros(3, np.int64))

    def run(turns, runs, looks):
        one = [np.array([value]) for value in (200, 0, 0, 1)]
        record = (np.empty(1, np.int64), *(np.zeros(size, np.int64) for size in (turns, (7, runs))))
        record += (np.zeros(looks, np.int64),)
        growth, limits = (*GROWTH_RULES["2010"], 100), (10_000_000, 0)
        return run_loop(events, (costs, *one), growth, limits, record), record

    counts, (_, turns, runs, looks) = run(300, 300, 300)
    for places in (0, 3):
        same, few = run(places, places, places)
        assert same == counts
        assert (few[1] == turns[:places]).all()
        assert (few[2] == runs[:, :places]).all()
        assert (few[3] == looks[:places]).all()


def test_a_bound_keeps_slices_short_when_items_become_expensive():
    costs_s = [5e-6] * 200_000 + [1e-3] * 2000
    free, bounded = (
        trace_event_loop([Queue(costs_s)], most_granularity=most) for most in (MOST_ITEMS, 15)
    )
    assert (free.length_s.max(), bounded.length_s.max()) == (0.197, 0.015)
    assert (free.looks.sum(), bounded.looks.sum()) == (6603, 16_446)


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
    """Return gamma queues of the published size, and random timers while they drain."""
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"queues": [Queue([])]}, r"queues\[0\].costs_s = \[\]: must be a non-empty"),
        ({"queues": [Queue([1.0, -1.0])]}, r"queues\[0\].costs_s\[1\] = -1.0: must be"),
        ({"queues": [Queue([1.0], hold_s=-1)]}, r"queues\[0\].hold_s = -1: must be"),
        ({"queues": [Queue([1.0], delay_s=math.nan)]}, r"queues\[0\].delay_s = nan: must be"),
        ({"queues": [Queue([1.0], granularity=0)]}, r"queues\[0\].granularity = 0: must be"),
        ({"timers_s": [2.0, 1.0]}, r"timers_s\[1\] = 1.0: must be at least timers_s\[0\]"),
        ({"timers_s": [-1.0]}, r"timers_s\[0\] = -1.0: must be"),
        ({"reads_s": [math.inf]}, r"reads_s\[0\] = inf: must be"),
        ({"writes_s": 3}, "writes_s = 3: must be a sequence"),
        ({"timer_cost_s": -1}, "timer_cost_s = -1: must be"),
        ({"read_cost_s": math.nan}, "read_cost_s = nan: must be"),
        ({"write_cost_s": "x"}, "write_cost_s = 'x': must be"),
        ({"quantum_s": -1}, "quantum_s = -1: must be"),
        ({"rule": "no"}, "rule = 'no': must be one of"),
        ({"check_cost_s": -1}, "check_cost_s = -1: must be"),
        ({"most_granularity": 0}, "most_granularity = 0: must be"),
        ({"queues": [Queue([1.0] * 9, delay_s=1e9)]}, "upper bound on the simulated seconds = 9"),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_event_loop(**({"queues": [Queue([1.0])]} | arguments))
