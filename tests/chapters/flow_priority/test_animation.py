"""Chapter 4's animation: the packets of the small port, what the page replays, the closed form.

The last packet behind the large flows, by the number of packets that go ahead.
"""

import json
import re

import numpy as np
import pytest

from tests.chapters.flow_priority.prose import durations_ms, find_bookmark, moments_us
from tunables.chapters.flow_priority.simulation import (
    GAPS_S,
    LONG,
    OWNER,
    PACKETS,
    SECONDS,
    SEED,
    SMALL_BYTES,
    events,
    play,
)
from tunables.core.registry import find_animation
from tunables.simulators.packets import trace_packets
from tunables.simulators.packets_kernel import AHEAD, DROPPED, ORDINARY, PortTrace
from tunables.theory.last_packet import last_packet_times
from tunables.views.animation import stills_path

OF_128_KB = (4, 5)
SEEDS = range(1, 6)
T_4 = 2.776  # Student's t for five samples


def port_trace(seed, **settings):
    return PortTrace(*events(seed, **settings))


def mean_ms(seed, max_packets, watched=OF_128_KB, seconds=60.0, **settings):
    rows = {"packet_rows": 0, "transaction_rows": 50_000}
    trace = port_trace(seed, max_packets=max_packets, seconds=seconds, **rows, **settings)
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


def test_twenty_ahead_take_as_long_as_fifteen():
    """The difference is the first packets of the large flows, which go ahead once."""
    assert mean_ms(1, 20) == pytest.approx(mean_ms(1, 15), rel=0.005)


def leaving_ms(trace, user, transaction=1):
    row = np.flatnonzero(trace.asker == user)[transaction]
    mine = trace.transaction == row
    assert trace.number[mine].tolist() == list(range(15))
    return 1e3 * (trace.left_s[mine] - trace.begun_s[row]), trace.lane[mine]


def test_the_packets_of_the_watched_transaction():
    """Fifteen packets of 0.34 ms leave in a row, unless the last one is left behind."""
    packet_ms = 8 * 128e3 / 15 / 200e6 * 1e3
    none, lanes = leaving_ms(port_trace(1, max_packets=0), 4)
    assert np.diff(none) == pytest.approx(packet_ms)
    assert not (lanes == AHEAD).any()
    assert none[0] > 22
    cut, lanes = leaving_ms(port_trace(1, max_packets=14), 4)
    assert np.diff(cut)[:13] == pytest.approx(packet_ms)
    assert cut[13] < 6
    assert cut[14] > 27
    assert (lanes[:14] == AHEAD).all()
    assert lanes[14] != AHEAD
    whole, lanes = leaving_ms(port_trace(1, max_packets=15), 4)
    assert np.diff(whole) == pytest.approx(packet_ms)
    assert (lanes == AHEAD).all()
    assert whole[14] < 6


def test_a_pause_shorter_than_the_queue_lets_large_packets_go_ahead():
    def share(**settings):
        trace = port_trace(1, max_packets=14, **settings)
        return (trace.lane[trace.user >= 6] == AHEAD).mean()

    assert share() < 0.01
    assert 0.62 < share(think_s=0.04, gap_s=0.015) < 0.72


def test_at_the_reports_speed_fourteen_ahead_are_no_better_either():
    """Twenty users of 128 KB at 9.5 Gb/s, with the delays of Table 1 between transactions."""
    port = {"users": (0, 0, 20), "port_rate_gbps": 9.5, "window_packets": 129}
    port |= {"think_s": 0.00966, "gap_s": 0.005, "seconds": 5.0}
    means = [mean_ms(1, k, watched=range(20), **port) for k in (0, 14, 15)]
    assert means == pytest.approx([4.71, 4.74, 0.226], rel=0.02)


def test_both_panes_have_the_same_think_times():
    """The first transactions begin at the same times, whatever the port does with them."""
    one, other = port_trace(3, max_packets=14), port_trace(3, max_packets=15)
    for user in range(6):
        begins = [trace.begun_s[trace.asker == user][0] for trace in (one, other)]
        assert begins[0] == begins[1] > 0


def test_events_are_those_of_the_simulator_within_two_megabytes():
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
    for column, simulated in zip(columns, trace, strict=True):
        assert column.tolist() == simulated.tolist()


def test_a_short_buffer_drops():
    trace = port_trace(1, max_packets=0, buffer_bytes=4e5, seconds=2.0)
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
def test_events_refuses_bad_input_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        events(1, **{"max_packets": 14, **change})


ACKNOWLEDGED_MS = 0.1  # from the departure of the last packet
AXIS_MS = {"45 ms": 40, "15 ms": 100}
ROOM = ((63, 70), (1, 110))  # squares in the drawing's lanes, with most ahead and with none


def replayed_trace(max_packets, gap):
    columns = events(SEED, max_packets=max_packets, gap_s=GAPS_S[gap], seconds=SECONDS)
    return PortTrace(*columns)


@pytest.mark.parametrize(("max_packets", "gap"), [(0, "45 ms"), (14, "45 ms"), (20, "15 ms")])
def test_play_returns_the_simulators_trace(max_packets, gap):
    replay, trace = (
        play(max_packets=max_packets, user="3", gap=gap),
        replayed_trace(max_packets, gap),
    )
    shown = trace.offered_s < SECONDS
    columns = (trace.offered_s, trace.on_wire_s, trace.left_s)
    for replayed_us, simulated_s in zip(moments_us(replay), columns, strict=True):
        assert replayed_us == pytest.approx(1e6 * simulated_s[shown], abs=0.51)
    assert replay["user"] == trace.user[shown].tolist()
    assert replay["lane"] == trace.lane[shown].tolist()
    small = np.array(replay["user"]) < replay["users"]
    assert np.array(replay["number"])[small].tolist() == trace.number[shown][small].tolist()
    assert set(replay["lane"]) <= {AHEAD, ORDINARY}


@pytest.mark.parametrize("user", ["1", "4", "5"])
@pytest.mark.parametrize("max_packets", [0, 5, 14, 15])
def test_the_mean_and_the_closed_form_follow_from_the_replay(user, max_packets):
    replay, trace = (
        play(max_packets=max_packets, user=user, gap=LONG),
        replayed_trace(max_packets, LONG),
    )
    mine = trace.asker == replay["watched"]
    answered_ms = 1e3 * (trace.answered_s - trace.begun_s)[mine] - ACKNOWLEDGED_MS
    times = durations_ms(replay)
    assert len(times) > 20
    assert times == pytest.approx(answered_ms[: len(times)], abs=0.002)
    work_s = [8 * size / 200e6 for size in SMALL_BYTES]
    backlog_s = 4 * 16 * 8 * 8948 / 200e6
    form = last_packet_times([2, 2, 2], work_s, [3, 8, 15], 0.1, backlog_s, max_packets)
    assert replay["formula"] == pytest.approx(1e3 * form[OWNER[replay["watched"]]])
    if user == "5":
        assert times.mean() == pytest.approx(replay["formula"], rel=0.1)


def rows_of(squares, columns):
    return sum(max(1, -(-count // columns)) for count in squares)


@pytest.mark.parametrize("gap", GAPS_S)
def test_everything_fits_into_the_drawing(gap):
    """The squares of both lanes fit at any setting, and so does each transaction on the axis."""
    for max_packets in range(21):
        trace = replayed_trace(max_packets, gap)
        most = []
        for lane in (AHEAD, ORDINARY):
            mine = (trace.lane == lane) & (trace.offered_s < SECONDS)
            came, went = trace.offered_s[mine], np.sort(trace.on_wire_s[mine])
            waiting = np.arange(1, len(came) + 1) - np.searchsorted(went, came, side="right")
            most.append(int(waiting.max(initial=0)))
        for columns in range(18, 40):
            room = max(rows_of(squares, columns) for squares in ROOM)
            assert rows_of(most, columns) <= room, f"{max_packets} ahead: {most}"
        ended = (trace.answered_s < SECONDS) & (trace.asker < len(OWNER))
        assert 1e3 * (trace.answered_s - trace.begun_s)[ended].max() < AXIS_MS[gap]


def test_play_is_small_and_refuses_unknown_settings():
    settings = {"max_packets": 14, "user": "5", "gap": LONG}
    assert len(json.dumps(play(**settings))) < 300_000
    for wrong in ({"user": "7"}, {"gap": "5 ms"}, {"max_packets": 0.5}):
        with pytest.raises(ValueError, match="must be"):
            play(**{**settings, **wrong})


WHERE = re.compile(
    r"User (?P<user>\d), transaction (?P<nth>\d+)(?:, (?P<since>[\d.]+) ms in: (?P<gone>\d+) of "
    r"(?P<packets>\d+) packets through.*?|: all \d+ packets through after (?P<took>[\d.]+) ms)\."
    r" Mean of (?P<finished>\d+) transactions?: (?P<mean>[\d.]+) ms"
)


def test_the_sentences_of_the_stills_agree_with_the_simulator():
    bookmarks = find_animation("dpp").bookmarks
    assert len(bookmarks) in range(4, 7)
    stills = json.loads(stills_path("dpp").read_text(encoding="utf-8"))["dpp"]
    for bookmark, still in zip(bookmarks, stills, strict=True):
        max_packets, gap = int(bookmark.settings["max_packets"]), str(bookmark.settings["gap"])
        trace, user = replayed_trace(max_packets, gap), int(bookmark.settings["user"]) - 1
        rows = np.flatnonzero((trace.asker == user) & (1e3 * trace.begun_s <= bookmark.at))
        left_ms = 1e3 * (trace.left_s[trace.transaction == rows[-1]] - trace.begun_s[rows[-1]])
        since_ms = bookmark.at - 1e3 * trace.begun_s[rows[-1]]
        found = WHERE.match(still["sentence"])
        assert found, still["sentence"]
        assert int(found["user"]) == user + 1
        assert int(found["nth"]) == len(rows)
        if found["took"]:
            assert left_ms.max() <= since_ms
            assert float(found["took"]) == pytest.approx(left_ms.max(), abs=0.051)
        else:
            assert float(found["since"]) == pytest.approx(since_ms, abs=0.051)
            assert int(found["gone"]) == (left_ms <= since_ms).sum()
            assert int(found["packets"]) == PACKETS[OWNER[user]]
        took = durations_ms(play(**bookmark.settings))
        finished = len(rows) - (0 if found["took"] else 1)
        assert int(found["finished"]) == finished
        assert float(found["mean"]) == pytest.approx(took[:finished].mean(), abs=0.051)
        assert still["sentence"] in still["svg"]


def test_the_titles_of_the_bookmarks_are_true():
    def last_ms(name, nth=1):
        settings = find_bookmark(name).settings
        return durations_ms(play(**settings))[nth]

    assert last_ms("fifteen") < last_ms("fourteen") / 5
    assert last_ms("none") <= last_ms("fourteen")
    assert last_ms("pause") > 2 * last_ms("fourteen")
    replay = play(**find_bookmark("twenty").settings)
    ended = len(durations_ms(replay))
    assert ended > 20
    assert durations_ms(replay).min() > 27
    trace = replayed_trace(14, "15 ms")
    assert (trace.lane[trace.user >= len(OWNER)] == AHEAD).mean() > 0.6


def test_for_the_user_with_64_kb_the_eighth_packet_matters():
    eighth = [durations_ms(play(max_packets=k, user="3", gap=LONG)).mean() for k in (7, 8)]
    assert eighth[0] > 5 * eighth[1]


RATE_BPS = 200e6
WORK_S = [8 * size / RATE_BPS for size in (18e3, 64e3, 128e3)]
BACKLOG_S = 4 * 16 * 8 * 8948 / RATE_BPS


def form(max_packets):
    return last_packet_times([2, 2, 2], WORK_S, [3, 8, 15], 0.1, BACKLOG_S, max_packets)


def test_a_single_user_waits_for_the_backlog_or_not():
    alone = [1], [0.005], [15], 0.1, 0.02
    assert last_packet_times(*alone, 14) == pytest.approx([0.025])
    assert last_packet_times(*alone, 15) == pytest.approx([0.005])


def test_the_closed_form_for_two_users_by_hand():
    """D = (B + S) / (1 - S / (Z + D)), so D^2 + (Z - B - 2 S) D - (B + S) Z = 0."""
    work, think, backlog = 0.005, 0.1, 0.02
    root = np.roots([1, think - backlog - 2 * work, -(backlog + work) * think]).max()
    found = last_packet_times([2], [work], [15], think, backlog, 3)
    assert found == pytest.approx([root])


def test_by_the_closed_form_fourteen_ahead_are_no_better_than_none():
    none, fourteen, all_ahead = (form(k)[2] for k in (0, 14, 15))
    assert 1e3 * none == pytest.approx(30.81, abs=0.01)
    assert 1e3 * fourteen == pytest.approx(31.25, abs=0.01)
    assert 1e3 * all_ahead == pytest.approx(5.77, abs=0.01)


@pytest.mark.parametrize(
    ("max_packets", "off"), [(0, 0.025), (5, 0.02), (14, 0.006), (15, 0.05), (20, 0.05)]
)
def test_the_closed_form_is_near_the_simulated_packets(max_packets, off):
    means = []
    for seed in (1, 2, 3):
        columns = events(seed, max_packets=max_packets, seconds=60.0, packet_rows=0)
        asker, begun_s, answered_s = columns[7:]
        mine = (asker >= 4) & (asker < 6) & (answered_s < 60.0)
        means.append((answered_s - begun_s)[mine].mean() - 1e-4)  # without the acknowledgement
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
def test_the_closed_form_refuses_bad_input_by_name(change, message):
    good = {"population": [2], "work_s": [0.005], "packets": [15], "think_s": 0.1}
    with pytest.raises(ValueError, match=message):
        last_packet_times(**{**good, "backlog_s": 0.02, "max_packets": 3, **change})
