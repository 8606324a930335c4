"""The stage's numbers: the last packet behind the large flows, by K."""

import numpy as np
import pytest

from tunables.chapters.flow_priority.stage_simulation import events
from tunables.simulators.packets import trace_packets
from tunables.simulators.packets_trace import AHEAD, DROPPED, PortTrace

OF_128_KB = (4, 5)
SEEDS = range(1, 6)
T_4 = 2.776  # Student's t for five samples


def stage(seed, **settings):
    return PortTrace(*events(seed, **settings))


def mean_ms(seed, max_packets, watched=OF_128_KB, seconds=60.0, **settings):
    rows = {"packet_rows": 0, "transaction_rows": 50_000}
    trace = stage(seed, max_packets=max_packets, seconds=seconds, **rows, **settings)
    mine = np.isin(trace.asker, watched) & (trace.answered_s < seconds)
    return 1e3 * (trace.answered_s - trace.begun_s)[mine].mean()


@pytest.mark.parametrize(
    ("max_packets", "mean", "half_width"),
    [(0, 30.17, 0.11), (5, 30.56, 0.2), (13, 31.03, 0.2), (14, 31.09, 0.17), (15, 5.61, 0.03)],
)
def test_fourteen_of_fifteen_ahead_are_no_better_than_none(max_packets, mean, half_width):
    samples = [mean_ms(seed, max_packets) for seed in SEEDS]
    own = T_4 * np.std(samples, ddof=1) / len(samples) ** 0.5
    assert abs(np.mean(samples) - mean) < own + half_width


def test_twenty_ahead_are_as_fifteen():
    """But for the first packets of the large flows, which go ahead once."""
    assert mean_ms(1, 20) == pytest.approx(mean_ms(1, 15), rel=0.005)


def leaving_ms(trace, user, transaction=1):
    row = np.flatnonzero(trace.asker == user)[transaction]
    mine = trace.transaction == row
    assert trace.number[mine].tolist() == list(range(15))
    return 1e3 * (trace.left_s[mine] - trace.begun_s[row]), trace.lane[mine]


def test_the_watched_transaction():
    """Fifteen packets of 0.34 ms: in a row, but where the last is cut off behind the rest."""
    packet_ms = 8 * 128e3 / 15 / 200e6 * 1e3
    none, lanes = leaving_ms(stage(1, max_packets=0), 4)
    assert np.diff(none) == pytest.approx(packet_ms)
    assert not (lanes == AHEAD).any()
    assert none[0] > 22
    cut, lanes = leaving_ms(stage(1, max_packets=14), 4)
    assert np.diff(cut)[:13] == pytest.approx(packet_ms)
    assert cut[13] < 6
    assert cut[14] > 27
    assert (lanes[:14] == AHEAD).all()
    assert lanes[14] != AHEAD
    whole, lanes = leaving_ms(stage(1, max_packets=15), 4)
    assert np.diff(whole) == pytest.approx(packet_ms)
    assert (lanes == AHEAD).all()
    assert whole[14] < 6


def test_a_pause_shorter_than_the_queue_lets_large_packets_go_ahead():
    def share(**settings):
        trace = stage(1, max_packets=14, **settings)
        return (trace.lane[trace.user >= 6] == AHEAD).mean()

    assert share() < 0.01
    assert 0.62 < share(think_s=0.04, gap_s=0.015) < 0.72


def test_the_reports_speed():
    """Twenty users of 128 KB at 9.5 Gb/s, with the delays of Table 1 between transactions."""
    port = {"users": (0, 0, 20), "port_rate_gbps": 9.5, "window_packets": 129}
    port |= {"think_s": 0.00966, "gap_s": 0.005, "seconds": 5.0}
    means = [mean_ms(1, k, watched=range(20), **port) for k in (0, 14, 15)]
    assert means == pytest.approx([4.71, 4.74, 0.226], rel=0.02)


def test_both_panes_share_their_think_times():
    """The first transactions begin alike, whatever the port does with them."""
    one, other = stage(3, max_packets=14), stage(3, max_packets=15)
    for user in range(6):
        begins = [trace.begun_s[trace.asker == user][0] for trace in (one, other)]
        assert begins[0] == begins[1] > 0


def test_it_is_the_simulator_and_stays_within_two_megabytes():
    columns = events(2, max_packets=5, users=(1, 2, 0), large_users=2, seconds=2.0)
    assert sum(column.nbytes for column in columns) < 2e6
    assert len(events(1, max_packets=5, seconds=30.0)[0]) == 30_000
    large_bytes = 2 * 200e6 * 2.0 / 8 / 2
    _, trace = trace_packets(
        [1, 2, 2],
        [18e3, 64e3, large_bytes],
        [41, 41, 1],
        [0.1, 0.1, 0.0],
        200e6,
        max_packets=5,
        gap_s=0.045,
        buffer_bytes=20e6,
        window_bytes=16 * 8948,
        initial_window=16,
        pooled=False,
        seed=2,
    )
    for shown, simulated in zip(columns, trace, strict=True):
        assert shown.tolist() == simulated.tolist()


def test_a_short_buffer_drops():
    trace = stage(1, max_packets=0, buffer_bytes=4e5, seconds=2.0)
    assert (trace.lane == DROPPED).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_packets": 1.5}, "max_packets"),
        ({"users": (-1, 2, 2)}, "users = -1"),
        ({"large_users": 0}, "large_users = 0"),
        ({"spread": 1.0}, "least think time = 0"),
        ({"port_rate_gbps": 0}, "port_rate_gbps = 0"),
        ({"gap_s": 0}, "gap_s = 0"),
        ({"mtu_bytes": 52}, "mtu_bytes = 52"),
        ({"seconds": 0}, "seconds = 0"),
    ],
)
def test_bad_input_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        events(1, **{"max_packets": 14, **change})
