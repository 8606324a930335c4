"""The packet simulation: its reference, its laws, its trace, and what it refuses."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.page.chapters import module
from tunables.simulators import packets_reference
from tunables.simulators.packets import simulate_packets, trace_packets
from tunables.simulators.packets_kernel import AHEAD, DROPPED, ORDINARY
from tunables.theory.shared_port import calibrate_delay

DPP = module("dpp", "predictor")  # a measured workload

SETTINGS = settings(deadline=None, max_examples=40, derandomize=True)


def both(*workload, **options):
    plain = {**options, "run": packets_reference.run_port}
    return simulate_packets(*workload, **options), simulate_packets(*workload, **plain)


def same(fast, plain):
    return (
        fast.finished_s.tolist() == plain.finished_s.tolist()
        and (fast.packets, fast.priority_packets, fast.drops)
        == (plain.packets, plain.priority_packets, plain.drops)
        and (fast.fast_retransmits, fast.timeouts) == (plain.fast_retransmits, plain.timeouts)
    )


@SETTINGS
@given(
    st.lists(
        st.tuples(st.integers(1, 4), st.integers(1, 60), st.integers(1, 5), st.floats(0.0, 0.02)),
        min_size=1,
        max_size=3,
    ),
    st.integers(0, 30),
    st.integers(1, 40),
    st.floats(0.001, 0.05),
    st.integers(1, 40),
    st.booleans(),
    st.integers(0, 99),
)
def test_kernel_equals_reference(classes, max_packets, buffer, timeout_s, window, pooled, seed):
    population, packets, counts, delays = map(list, zip(*classes, strict=True))
    fast, plain = both(
        population,
        [1000 * n - 300 for n in packets],
        counts,
        delays,
        1e8,
        max_packets=max_packets,
        gap_s=0.002,
        segment_bytes=1000,
        buffer_bytes=1000 * buffer,
        round_trip_s=0.0003,
        timeout_s=timeout_s,
        window_bytes=1000 * window,
        pooled=pooled,
        seed=seed,
    )
    assert same(fast, plain)
    sent = sum(n * p * c for n, p, c, _ in classes)
    assert fast.packets == sent + fast.drops  # each dropped packet is sent once more, and no other


@pytest.mark.slow
def test_kernel_equals_reference_on_the_published_workload_in_miniature():
    delays = calibrate_delay([20] * 5, DPP.SIZE_BYTES, DPP.TRANSACTIONS, DPP.ALONE_S, 9.5e9)
    counts = [max(1, n // 4000) for n in DPP.TRANSACTIONS]
    fast, plain = both([20] * 5, DPP.SIZE_BYTES, counts, delays, 9.5e9, max_packets=20)
    assert same(fast, plain)
    assert fast.drops > 100  # the case exercises loss


ONE = {"segment_bytes": 1250, "round_trip_s": 0.1, "spread": 0.0, "initial_window": 2}


def test_slow_start_by_hand():
    # 10 packets of 1 ms, round trip 100 ms: 2 in the first round, then 4, then 4 of 8.
    run = simulate_packets([1], [12_500], [1], [1.0], 1e7, **ONE)
    assert run.finished_s[0] == pytest.approx(1.0 + 3 * 0.1 + (1 + 1 + 4) * 1e-3)
    assert (run.packets, run.drops) == (10, 0)


def test_a_window_of_one_packet_sends_one_a_round_trip():
    run = simulate_packets([1], [12_500], [3], [1.0], 1e7, window_bytes=1250, **ONE)
    assert run.finished_s[0] == pytest.approx(3 * (1.0 + 10 * 0.101))


def test_a_window_above_the_pipe_keeps_the_port_busy():
    run = simulate_packets([1], [125e6], [1], [0.0], 1e7, **ONE, buffer_bytes=1e9)
    assert run.finished_s[0] == pytest.approx(100.0, rel=0.01)
    assert run.drops == 0


@pytest.mark.parametrize("run", [None, packets_reference.run_port])
@pytest.mark.parametrize(("timeout_s", "second_s"), [(0.8125, 7 / 16), (0.8124, 5 / 8)])
def test_only_a_pause_longer_than_the_timeout_resets_the_window(timeout_s, second_s, run):
    # 3 packets of 1/16 s, round trip 1/4 s: 2 in the first round, then 1, sent 5/16 s later. The
    # next transaction begins 13/16 s after that. All times are exact in binary.
    options = {**ONE, "segment_bytes": 1024, "round_trip_s": 0.25, "timeout_s": timeout_s}
    done = simulate_packets([1], [3072], [2], [0.5], 8192 * 16, run=run, **options)
    assert done.finished_s[0] == 0.5 + 5 / 8 + 0.5 + second_s


def test_the_last_packet_dropped_costs_a_timeout():
    # A window of 3 into a buffer of one: the first is on the wire, one waits, the last is lost.
    options = {**ONE, "initial_window": 3, "buffer_bytes": 1250}
    run = simulate_packets([1], [3750], [1], [1.0], 1e7, timeout_s=0.5, **options)
    assert (run.drops, run.timeouts, run.fast_retransmits) == (1, 1, 0)
    # Both survivors are acknowledged after 2 ms and a round trip; then the timeout, then one.
    assert run.finished_s[0] == pytest.approx(1.0 + 0.002 + 0.1 + 0.5 + 0.001 + 0.1)


def test_three_acknowledgements_beyond_a_loss_repair_it_without_a_timeout():
    options = {**ONE, "initial_window": 4, "buffer_bytes": 2500}
    run = simulate_packets([1], [125_000], [1], [1.0], 1e7, timeout_s=5.0, **options)
    assert run.fast_retransmits > 0
    assert run.packets == 100 + run.drops


def test_priority_never_drops_and_covers_the_first_packets_of_each_flow():
    workload = ([3], [12_500], [20], [1.0], 1e7)
    run = simulate_packets(*workload, max_packets=10, buffer_bytes=1250, segment_bytes=1250)
    assert (run.drops, run.priority_packets, run.packets) == (0, 600, 600)
    half = simulate_packets(*workload, max_packets=5, segment_bytes=1250)
    assert half.priority_packets == 300
    joined = simulate_packets(*workload, max_packets=10, segment_bytes=1250, gap_s=60.0)
    assert joined.priority_packets == 30  # one flow per connection


def published_in_miniature(share, **options):
    delays = calibrate_delay([20] * 5, DPP.SIZE_BYTES, DPP.TRANSACTIONS, DPP.ALONE_S, 9.5e9)
    counts = [max(1, n // share) for n in DPP.TRANSACTIONS]
    return simulate_packets([20] * 5, DPP.SIZE_BYTES, counts, delays, 9.5e9, **options).finished_s


def test_priority_shields_small_transactions_from_large_ones():
    plain, first = (published_in_miniature(50, max_packets=k) for k in (0, 20))
    assert (first[:3] < 0.6 * plain[:3]).all()
    assert first[0] == pytest.approx(300 / 50, rel=0.05)


@pytest.mark.parametrize(("buffer", "max_packets"), [(1e5, 0), (1e6, 20), (1e9, 0)])
def test_the_port_carries_no_more_than_its_capacity(buffer, max_packets):
    run = simulate_packets(
        [5, 5], [64e3, 4e6], [100, 20], [0.001, 0.0], 1e9, max_packets, buffer_bytes=buffer
    )
    work = 8 * (5 * 100 * 64e3 + 5 * 20 * 4e6) / 1e9
    assert run.finished_s.max() >= work
    if not run.drops:
        assert run.finished_s.max() < 1.05 * work


def test_results_depend_on_what_the_document_does_not_say():
    # This is why the simulation is no evidence.
    times = [
        published_in_miniature(
            100, timeout_s=timeout_s, segment_bytes=segment, buffer_bytes=buffer
        )[0]
        for timeout_s in (0.01, 0.2)
        for segment in (1448, 8948)
        for buffer in (1e6, 5e6, 20e6)
    ]
    assert max(times) > 1.5 * min(times)


def test_the_seed_decides():
    workload = ([3, 3], [18e3, 1e6], [50, 10], [0.01, 0.1], 1e8)
    assert same(simulate_packets(*workload, seed=1), simulate_packets(*workload, seed=1))
    assert not same(simulate_packets(*workload, seed=1), simulate_packets(*workload, seed=2))


GOOD = {
    "population": [2],
    "size_bytes": [1e5],
    "transactions": [3],
    "delay_s": [1.0],
    "capacity_bps": 1e7,
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"population": [-1]}, r"population = -1.0"),
        ({"size_bytes": [math.nan]}, r"size_bytes\[0\] = nan"),
        ({"transactions": [1, 2]}, "size_bytes = 1, transactions = 2, delay_s = 1"),
        ({"capacity_bps": 0}, "capacity_bps = 0"),
        ({"max_packets": -1}, "max_packets = -1"),
        ({"gap_s": 0}, "gap_s = 0"),
        ({"segment_bytes": 0}, "segment_bytes = 0"),
        ({"buffer_bytes": 100}, "buffer_bytes = 100: must be .* at least 8948"),
        ({"window_bytes": 100}, "window_bytes = 100: must be .* at least 8948"),
        ({"round_trip_s": -1}, "round_trip_s = -1"),
        ({"timeout_s": math.inf}, "timeout_s = inf"),
        ({"initial_window": 0}, "initial_window = 0"),
        ({"seed": 1.5}, "seed = 1.5"),
        ({"spread": -1}, "spread = -1"),
    ],
)
def test_bad_input_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        simulate_packets(**{**GOOD, **change})


def test_an_array_is_as_good_as_a_list():
    given_lists = simulate_packets(**GOOD)
    arrays = {k: np.array(v) if isinstance(v, list) else v for k, v in GOOD.items()}
    assert same(simulate_packets(**arrays), given_lists)


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
def test_the_trace_equals_that_of_the_reference(rows, options, packets, transactions):
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
