"""What happened at the port: kernel and reference note the same, and the result follows."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators import packets_reference
from tunables.simulators.packets import simulate_packets, trace_packets
from tunables.simulators.packets_trace import AHEAD, DROPPED, ORDINARY

SETTINGS = settings(deadline=None, max_examples=40, derandomize=True)
PORT: dict[str, Any] = {"gap_s": 0.002, "segment_bytes": 1000, "round_trip_s": 0.0003}

runs = st.fixed_dictionaries(
    {
        "max_packets": st.integers(0, 30),
        "buffer_bytes": st.integers(1, 40).map(lambda n: 1000 * n),
        "timeout_s": st.floats(0.001, 0.05),
        "window_bytes": st.integers(1, 40).map(lambda n: 1000 * n),
        "pooled": st.booleans(),
        "seed": st.integers(0, 99),
    }
)
classes = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 60), st.integers(1, 5), st.floats(0.0, 0.02)),
    min_size=1,
    max_size=3,
)


def workload(rows) -> dict[str, Any]:
    population, packets, counts, delays = map(list, zip(*rows, strict=True))
    sizes = [1000 * n - 300 for n in packets]
    return {
        "population": population,
        "size_bytes": sizes,
        "transactions": counts,
        "delay_s": delays,
        "capacity_bps": 1e8,
    }


@SETTINGS
@given(classes, runs, st.integers(0, 300), st.integers(0, 30))
def test_the_kernel_notes_what_the_reference_does(rows, options, packets, transactions):
    kept = {"packet_rows": packets, "transaction_rows": transactions}
    fast_run, fast = trace_packets(**workload(rows), **options, **PORT, **kept)
    plain = {"run": packets_reference.run_port}
    plain_run, slow = trace_packets(**workload(rows), **options, **PORT, **kept, **plain)
    for name in fast._fields:
        assert getattr(fast, name).tolist() == getattr(slow, name).tolist(), name
    assert len(fast.user) == min(packets, fast_run.packets)
    assert len(fast.asker) == min(transactions, sum(n * c for n, _, c, _ in rows))
    assert fast_run.packets == plain_run.packets


@SETTINGS
@given(classes, runs)
def test_the_ordinary_result_follows_from_the_trace(rows, options):
    arguments = workload(rows)
    run, trace = trace_packets(**arguments, **options, **PORT, packet_rows=100_000)
    alone = simulate_packets(**arguments, **options, **PORT)
    assert alone.finished_s.tolist() == run.finished_s.tolist()
    lanes = np.bincount(trace.lane, minlength=3).tolist()
    assert lanes[DROPPED] == alone.drops
    assert lanes[AHEAD] == alone.priority_packets
    assert sum(lanes) == alone.packets
    class_of_user = np.repeat(np.arange(len(arguments["population"])), arguments["population"])
    finished = np.zeros(len(arguments["population"]))
    np.maximum.at(finished, class_of_user[trace.asker], trace.answered_s)
    assert finished.tolist() == alone.finished_s.tolist()


@SETTINGS
@given(classes, runs)
def test_one_packet_is_on_the_wire_and_those_ahead_go_first(rows, options):
    _, trace = trace_packets(**workload(rows), **options, **PORT, packet_rows=100_000)
    sent = np.flatnonzero(trace.lane != DROPPED)
    order = sent[np.argsort(trace.on_wire_s[sent], kind="stable")]
    assert (trace.on_wire_s[order][1:] >= trace.left_s[order][:-1]).all()
    assert (trace.offered_s[order] <= trace.on_wire_s[order]).all()
    assert np.isinf(trace.left_s[trace.lane == DROPPED]).all()
    for lane in (AHEAD, ORDINARY):  # first in, first out
        assert (np.diff(trace.on_wire_s[trace.lane == lane]) > 0).all()
    waits = trace.on_wire_s > trace.offered_s
    for row in sent[waits[sent] & (trace.lane[sent] == ORDINARY)][:20]:
        at = trace.on_wire_s[row]
        ahead = (trace.lane == AHEAD) & (trace.offered_s < at) & (trace.on_wire_s > at)
        assert not ahead.any()


@SETTINGS
@given(classes, runs)
def test_each_transaction_sends_all_its_packets(rows, options):
    arguments = workload(rows)
    _, trace = trace_packets(**arguments, **options, **PORT, packet_rows=100_000)
    packets = np.repeat([n for _, n, _, _ in rows], arguments["population"])
    for transaction, user in enumerate(trace.asker.tolist()):
        mine = (trace.transaction == transaction) & (trace.lane != DROPPED)
        assert (trace.user[mine] == user).all()
        assert mine.sum() == packets[user]
        assert trace.begun_s[transaction] <= trace.offered_s[mine].min()
        last_s = trace.left_s[mine].max() + PORT["round_trip_s"]
        assert trace.answered_s[transaction] == last_s


def test_a_trace_that_is_full_is_the_start_of_a_longer_one():
    arguments = ([3, 2], [1e5, 1e6], [20, 3], [0.01, 0.0], 1e8)
    run, whole = trace_packets(*arguments, max_packets=3, packet_rows=10_000)
    cut, part = trace_packets(*arguments, max_packets=3, packet_rows=100, transaction_rows=10)
    assert cut.packets == run.packets
    for name in whole._fields[:7]:
        assert getattr(part, name).tolist() == getattr(whole, name)[:100].tolist()
    for name in whole._fields[7:]:
        assert getattr(part, name).tolist() == getattr(whole, name)[:10].tolist()
