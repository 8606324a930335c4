"""The last packet's time: by hand, against the packets, and what it refuses."""

import numpy as np
import pytest

from tunables.chapters.flow_priority.stage_simulation import events
from tunables.theory.last_packet import last_packet_times

RATE_BPS = 200e6
WORK_S = [8 * size / RATE_BPS for size in (18e3, 64e3, 128e3)]
BACKLOG_S = 4 * 16 * 8 * 8948 / RATE_BPS


def form(max_packets):
    return last_packet_times([2, 2, 2], WORK_S, [3, 8, 15], 0.1, BACKLOG_S, max_packets)


def test_a_user_alone_waits_for_the_backlog_or_not():
    alone = [1], [0.005], [15], 0.1, 0.02
    assert last_packet_times(*alone, 14) == pytest.approx([0.025])
    assert last_packet_times(*alone, 15) == pytest.approx([0.005])


def test_two_users_by_hand():
    """D = (B + S) / (1 - S / (Z + D)), so D^2 + (Z - B - 2 S) D - (B + S) Z = 0."""
    work, think, backlog = 0.005, 0.1, 0.02
    root = np.roots([1, think - backlog - 2 * work, -(backlog + work) * think]).max()
    found = last_packet_times([2], [work], [15], think, backlog, 3)
    assert found == pytest.approx([root])


def test_fourteen_of_fifteen_ahead_are_no_better_than_none():
    none, fourteen, all_ahead = (form(k)[2] for k in (0, 14, 15))
    assert 1e3 * none == pytest.approx(30.81, abs=0.01)
    assert 1e3 * fourteen == pytest.approx(31.25, abs=0.01)
    assert 1e3 * all_ahead == pytest.approx(5.77, abs=0.01)


@pytest.mark.parametrize(
    ("max_packets", "off"), [(0, 0.025), (5, 0.02), (14, 0.006), (15, 0.05), (20, 0.05)]
)
def test_it_is_near_the_packets(max_packets, off):
    means = []
    for seed in (1, 2, 3):
        columns = events(seed, max_packets=max_packets, seconds=60.0, packet_rows=0)
        asker, begun_s, answered_s = columns[7:]
        mine = (asker >= 4) & (asker < 6) & (answered_s < 60.0)
        means.append((answered_s - begun_s)[mine].mean() - 1e-4)  # less the acknowledgement
    assert form(max_packets)[2] == pytest.approx(np.mean(means), rel=off)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"population": [0]}, r"population"),
        ({"work_s": [0.0]}, r"work_s\[0\] = 0"),
        ({"packets": [1.5]}, "packets = 1.5"),
        ({"packets": [1, 2]}, "packets = 2"),
        ({"think_s": -1}, "think_s = -1"),
        ({"backlog_s": -1}, "backlog_s = -1"),
        ({"max_packets": 1.5}, "max_packets = 1.5"),
        ({"think_s": 0.0}, "load of the transactions = 2"),
    ],
)
def test_bad_input_is_refused_by_name(change, message):
    good = {"population": [2], "work_s": [0.005], "packets": [15], "think_s": 0.1}
    with pytest.raises(ValueError, match=message):
        last_packet_times(**{**good, "backlog_s": 0.02, "max_packets": 3, **change})
