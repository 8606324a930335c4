"""What the page replays: the trace, the ordinary result, the sentences of the stills."""

import json
import re

import numpy as np
import pytest

from tests.chapters.notebooks import ROOT, prose
from tunables.chapters.flow_priority.stage_simulation import (
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
from tunables.parts.registry import find_stage
from tunables.reader.stage import stills_path
from tunables.simulators.packets_trace import AHEAD, ORDINARY, PortTrace
from tunables.theory.last_packet import last_packet_times

TEXT = prose(ROOT / "chapters" / "04-flow-priority.ipynb")
ACKNOWLEDGED_MS = 0.1  # after the last packet has left
AXIS_MS = {"45 ms": 40, "15 ms": 100}
ROOM = ((63, 70), (1, 110))  # squares in the drawing's lanes: with most ahead, with none


def traced(max_packets, gap):
    columns = events(SEED, max_packets=max_packets, gap_s=GAPS_S[gap], seconds=SECONDS)
    return PortTrace(*columns)


def moments_us(told):
    came = np.cumsum(told["offered"])
    on_wire = came + told["waits"]
    return came, on_wire, on_wire + told["takes"]


def took_ms(told):
    """Return how long each of the watched user's transactions took, of those that ended."""
    came, _, left = moments_us(told)
    mine = np.flatnonzero(np.array(told["user"]) == told["watched"])
    last = mine[np.array(told["number"])[mine] == told["packets"] - 1]
    first = mine[np.array(told["number"])[mine] == 0][: len(last)]
    ended = left[last] < told["end"]
    return (left[last] - came[first])[ended] / 1e3


@pytest.mark.parametrize(("max_packets", "gap"), [(0, "45 ms"), (14, "45 ms"), (20, "15 ms")])
def test_it_tells_the_simulators_trace(max_packets, gap):
    told, trace = play(max_packets=max_packets, user="3", gap=gap), traced(max_packets, gap)
    shown = trace.offered_s < SECONDS
    columns = (trace.offered_s, trace.on_wire_s, trace.left_s)
    for told_us, simulated_s in zip(moments_us(told), columns, strict=True):
        assert told_us == pytest.approx(1e6 * simulated_s[shown], abs=0.51)
    assert told["user"] == trace.user[shown].tolist()
    assert told["lane"] == trace.lane[shown].tolist()
    small = np.array(told["user"]) < told["users"]
    assert np.array(told["number"])[small].tolist() == trace.number[shown][small].tolist()
    assert set(told["lane"]) <= {AHEAD, ORDINARY}


@pytest.mark.parametrize("user", ["1", "4", "5"])
@pytest.mark.parametrize("max_packets", [0, 5, 14, 15])
def test_the_ordinary_result_and_the_closed_form_follow_from_it(user, max_packets):
    told, trace = play(max_packets=max_packets, user=user, gap=LONG), traced(max_packets, LONG)
    mine = trace.asker == told["watched"]
    answered_ms = 1e3 * (trace.answered_s - trace.begun_s)[mine] - ACKNOWLEDGED_MS
    times = took_ms(told)
    assert len(times) > 20
    assert times == pytest.approx(answered_ms[: len(times)], abs=0.002)
    work_s = [8 * size / 200e6 for size in SMALL_BYTES]
    backlog_s = 4 * 16 * 8 * 8948 / 200e6
    form = last_packet_times([2, 2, 2], work_s, [3, 8, 15], 0.1, backlog_s, max_packets)
    assert told["formula"] == pytest.approx(1e3 * form[OWNER[told["watched"]]])
    if user == "5":
        assert times.mean() == pytest.approx(told["formula"], rel=0.1)


def rows_of(squares, columns):
    return sum(max(1, -(-count // columns)) for count in squares)


@pytest.mark.parametrize("gap", GAPS_S)
def test_all_of_it_has_room_on_the_stage(gap):
    """The squares of both lanes, whatever goes ahead; and each transaction on the axis."""
    for max_packets in range(21):
        trace = traced(max_packets, gap)
        most = []
        for lane in (AHEAD, ORDINARY):
            mine = (trace.lane == lane) & (trace.offered_s < SECONDS)
            came, went = trace.offered_s[mine], np.sort(trace.on_wire_s[mine])
            standing = np.arange(1, len(came) + 1) - np.searchsorted(went, came, side="right")
            most.append(int(standing.max(initial=0)))
        for columns in range(18, 40):
            room = max(rows_of(squares, columns) for squares in ROOM)
            assert rows_of(most, columns) <= room, f"{max_packets} ahead: {most}"
        ended = (trace.answered_s < SECONDS) & (trace.asker < len(OWNER))
        assert 1e3 * (trace.answered_s - trace.begun_s)[ended].max() < AXIS_MS[gap]


def test_it_is_small_and_refuses_what_the_stage_does_not_have():
    settings = {"max_packets": 14, "user": "5", "gap": LONG}
    assert len(json.dumps(play(**settings))) < 300_000
    for wrong in ({"user": "7"}, {"gap": "5 ms"}, {"max_packets": 0.5}):
        with pytest.raises(ValueError, match="must be"):
            play(**{**settings, **wrong})


WHERE = re.compile(
    r"User (?P<user>\d), transaction (?P<nth>\d+)(?:, (?P<since>[\d.]+) ms in: (?P<gone>\d+) of "
    r"(?P<packets>\d+) packets through.*?|: all \d+ packets through after (?P<took>[\d.]+) ms)\."
    r" Mean of (?P<finished>\d+): (?P<mean>[\d.]+) ms"
)


def test_the_sentences_of_the_stills_say_what_the_simulator_did():
    beats = find_stage("dpp").beats
    assert len(beats) in range(4, 7)
    stills = json.loads(stills_path("dpp").read_text(encoding="utf-8"))["dpp"]
    for beat, still in zip(beats, stills, strict=True):
        max_packets, gap = int(beat.settings["max_packets"]), str(beat.settings["gap"])
        trace, user = traced(max_packets, gap), int(beat.settings["user"]) - 1
        rows = np.flatnonzero((trace.asker == user) & (1e3 * trace.begun_s <= beat.at))
        left_ms = 1e3 * (trace.left_s[trace.transaction == rows[-1]] - trace.begun_s[rows[-1]])
        since_ms = beat.at - 1e3 * trace.begun_s[rows[-1]]
        said = WHERE.match(still["sentence"])
        assert said, still["sentence"]
        assert int(said["user"]) == user + 1
        assert int(said["nth"]) == len(rows)
        if said["took"]:
            assert left_ms.max() <= since_ms
            assert float(said["took"]) == pytest.approx(left_ms.max(), abs=0.051)
        else:
            assert float(said["since"]) == pytest.approx(since_ms, abs=0.051)
            assert int(said["gone"]) == (left_ms <= since_ms).sum()
            assert int(said["packets"]) == PACKETS[OWNER[user]]
        took = took_ms(play(**beat.settings))
        finished = len(rows) - (0 if said["took"] else 1)
        assert int(said["finished"]) == finished
        assert float(said["mean"]) == pytest.approx(took[:finished].mean(), abs=0.051)
        assert still["sentence"] in still["svg"]


def titled(name):
    return next(beat for beat in find_stage("dpp").beats if beat.name == name)


def test_the_titles_of_the_beats_hold():
    def last_ms(name, nth=1):
        settings = titled(name).settings
        return took_ms(play(**settings))[nth]

    assert last_ms("fifteen") < last_ms("fourteen") / 5
    assert last_ms("none") <= last_ms("fourteen")
    assert last_ms("pause") > 2 * last_ms("fourteen")
    told = play(**titled("twenty").settings)
    ended = len(took_ms(told))
    assert ended > 20
    assert took_ms(told).min() > 27
    trace = traced(14, "15 ms")
    assert (trace.lane[trace.user >= len(OWNER)] == AHEAD).mean() > 0.6


def test_the_opening_of_the_chapter_says_what_the_stage_shows():
    def took(name):
        return took_ms(play(**titled(name).settings))[1]

    assert f"it leaves after {took('fifteenth'):.1f} ms" in TEXT
    assert f"all fifteen are through after {took('fifteen'):.1f} ms" in TEXT
    assert f"they would have been after {took('none'):.1f} ms" in TEXT
    assert f"the last packet waits for {took('pause'):.1f} ms" in TEXT
    stills = json.loads(stills_path("dpp").read_text(encoding="utf-8"))["dpp"]
    assert "number 15 behind 62 others in the ordinary lane" in stills[0]["sentence"]
    assert "joins the ordinary lane behind 62 others" in TEXT
    eighth = [took_ms(play(max_packets=k, user="3", gap=LONG)).mean() for k in (7, 8)]
    assert eighth[0] > 5 * eighth[1]
    assert "for him all is decided at the eighth" in TEXT
