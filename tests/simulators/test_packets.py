"""Packet simulation: its reference, cases solved by hand, limits, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.page.chapters import module
from tunables.simulators import packets_reference
from tunables.simulators.packets import simulate_packets
from tunables.theory.shared_port import calibrate_delay

DPP = module("dpp", "predictor")  # a workload that was measured

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
def test_the_fast_simulation_is_the_plain_one(
    classes, max_packets, buffer, timeout_s, window, pooled, seed
):
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
    assert fast.packets == sent + fast.drops  # each drop is sent once more, and no other


def test_the_published_workload_in_miniature_is_the_plain_one():
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
def test_a_pause_longer_than_the_timeout_starts_anew_and_one_as_long_does_not(
    timeout_s, second_s, run
):
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
    # Both survivors are acknowledged after 2 ms and a round trip; then the time-out, then one.
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
    assert joined.priority_packets == 30  # one flow a connection


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


def test_results_swing_with_what_the_document_does_not_say():
    # The honest reason why this simulation is no evidence.
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
