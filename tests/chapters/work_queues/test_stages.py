"""What chapter 6's stages replay and say, held against the simulator and the case."""

import pytest

from tunables.chapters.work_queues import sessions_simulation, stage_simulation
from tunables.chapters.work_queues.stage_simulation import hold_events, slice_events
from tunables.parts.model import Setting
from tunables.parts.registry import find_case, find_stage
from tunables.reader.stage import kept_stills

QUAGGA = find_case("quagga")
WORK: dict[str, dict[str, Setting]] = {
    "drawn": {"items": 40_000, "item_cost_s": 358e-6, "cost_shape": 0.8},
    "cheap, then dear": {
        "items": 202_000,
        "item_cost_s": 5e-6,
        "cost_shape": 0,
        "dear_from": 200_000,
        "dear_cost_s": 1e-3,
    },
}
SLICES = {beat.name: beat for beat in find_stage("quagga").beats}
SESSIONS = {beat.name: beat for beat in find_stage("quagga-sessions").beats}


def said(stage, beat):
    names = [each.name for each in find_stage(stage).beats]
    return kept_stills("quagga")[stage][names.index(beat)]["sentence"]


def simulated(beat):
    """Return the columns of the case's own loop, and what the stage plays for the beat."""
    settings = beat.settings
    most = {"none": 2**31, "15": 15}[settings["most"]]
    own = QUAGGA.settings(rule=settings["rule"], queues=settings["queues"])
    columns = slice_events(6, timers=400, most_granularity=most, **own | WORK[settings["work"]])
    return columns[2:], find_stage("quagga").play(**settings)


def test_the_items_are_those_of_the_case_to_a_microsecond():
    own = QUAGGA.settings()
    assert round(float(own["item_cost_s"]), 6) == stage_simulation.MEAN_S
    assert own["cost_shape"] == stage_simulation.SHAPE
    assert own["quantum_s"] == stage_simulation.QUANTUM_S
    assert list(stage_simulation.WORKS) == list(WORK)


@pytest.mark.parametrize("name", SLICES)
def test_the_first_stage_replays_the_loop(name):
    columns, told = simulated(SLICES[name])
    begin, length, queue, items, granularity, looks, first, look, due, late = columns
    for own, kept in ((length, "length"), (look, "look"), (due, "due"), (late, "late")):
        assert (own * 1e9).round().astype(int).tolist() == told[kept]
    counts = (("queue", queue), ("items", items), ("granularity", granularity), ("looks", looks))
    for kept, own in counts:
        assert own.tolist() == told[kept]
    assert begin.tolist() == pytest.approx(
        [sum(told["length"][:n]) / 1e9 for n in range(len(begin))]
    )
    assert first.tolist() == [sum(told["items"][:n]) for n in range(len(first))]


def test_its_closed_forms_are_those_of_the_case_for_as_many_items():
    for queues in (1, 4):
        told = stage_simulation.play(work="drawn", rule="2010", most="none", queues=queues)
        items = 40_000 // queues
        settings = QUAGGA.settings(item_cost_s=358e-6, items=items, rule="2010", queues=queues)
        closed = QUAGGA.predict(**settings)
        assert told["formula"] == pytest.approx(1e9 * closed["slice_s"], abs=1)
        assert told["late_formula"] == pytest.approx(1e9 * closed["lateness_s"], abs=1)
        mean_ns = sum(told["length"]) / len(told["length"])
        assert mean_ns == pytest.approx(told["formula"], rel=0.02)


def test_a_wrong_setting_is_refused_by_its_name():
    usual = SLICES["looks"].settings
    for name, value in (("work", "dear"), ("rule", "2011"), ("most", "16"), ("queues", 0)):
        with pytest.raises(ValueError, match=name):
            stage_simulation.play(**usual | {name: value})
    usual = SESSIONS["expires"].settings
    for changes in ({"block": 0}, {"block": 1.5}, {"work": "halves"}, {"timers": "1/3"}):
        with pytest.raises(ValueError, match=next(iter(changes))):
            sessions_simulation.play(**usual | changes)


@pytest.mark.parametrize("name", SLICES)
def test_what_the_first_stage_says_at_a_beat(name):
    beat = SLICES[name]
    (_, length, _, items, granularity, *_), _ = simulated(beat)
    run = int(beat.at) - 1
    sentence = said("quagga", name)
    assert sentence.startswith(f"Run {run + 1}: {items[run]} items, ")
    assert f"; {1e3 * length[run]:.1f} ms, {1e3 * length[run] - 10:.1f} beyond the q" in sentence
    assert f"a look every {granularity[run + 1]} items. " in sentence
    assert ("From now on" in sentence) == bool(granularity[run + 1] > granularity[run])
    assert sentence.endswith(f": {1e3 * length[: run + 1].mean():.1f} ms.")


def test_the_titles_say_what_the_runs_do():
    (_, _, _, _, granularity, *_), _ = simulated(SLICES["climbs"])
    assert granularity[131:133].tolist() == [23, 25]
    assert "From 23 items between two looks to 25" in SLICES["climbs"].title
    (_, length, _, _, granularity, *_), _ = simulated(SLICES["ratchet"])
    assert (granularity[100], round(1e3 * length[100])) == (197, 197)
    assert "197 between two looks: slices of 197 ms" in SLICES["ratchet"].title
    assert length[:97].max() < 0.011 < length[97] < length[98]
    assert SLICES["cheap"].at == 97
    (_, length, _, _, granularity, *_), _ = simulated(SLICES["newer"])
    assert (granularity[87], round(1e3 * length.max())) == (666, 666)
    assert "666 items, and slices of 666 ms" in SLICES["newer"].title
    (_, length, *_), _ = simulated(SLICES["bound"])
    assert length.max() == 0.015
    assert "no slice lasts longer than 15 ms" in SLICES["bound"].title


def replayed(beat):
    """Return the columns of the loop with keepalives, from settings of the case."""
    block, settings = int(beat.settings["block"]), QUAGGA.settings(item_cost_s=358e-6)
    keepalive_s, hold_s = (int(each) for each in str(beat.settings["timers"]).split("/"))
    timers = {"keepalive_s": keepalive_s, "hold_s": hold_s}
    if beat.settings["work"] == "slices":
        return hold_events(6, **settings | {"items": round(block / 358e-6)}, **timers)
    return hold_events(6, block_s=block, **settings, **timers)


@pytest.mark.parametrize("name", SESSIONS)
def test_the_second_stage_replays_the_keepalives(name):
    beat = SESSIONS[name]
    told = find_stage("quagga-sessions").play(**beat.settings)
    due_s, sent_s, dropped_s = replayed(beat)
    assert told["due"] == (due_s * 1e9).round().astype(int).tolist()
    assert told["sent"] == (sent_s * 1e9).round().astype(int).tolist()
    assert [each / 1e9 if each >= 0 else -1 for each in told["dropped"]] == dropped_s.tolist()
    by_then = dropped_s[(dropped_s >= 0) & (dropped_s <= beat.at)]
    sentence = said("quagga-sessions", name)
    assert sentence.startswith(f"At {beat.at:.1f} s: ")
    if len(by_then):
        assert f"{len(by_then)} of 10 neighbours dropped" in sentence
        assert f"as the last at {by_then.max():.1f} s" in sentence
    else:
        assert "Nobody has dropped a session" in sentence


def test_the_second_stages_titles_say_what_happens():
    expires = SESSIONS["expires"]
    _, _, dropped_s = replayed(expires)
    (first_s,) = dropped_s[dropped_s >= 0]
    assert expires.until is not None
    assert expires.at < first_s < expires.until
    assert round(first_s - expires.at) == 4
    assert 30 + int(expires.settings["block"]) - expires.at == 5
    assert SESSIONS["seven"].settings["block"] == (45 - 15) + 10
    assert (replayed(SESSIONS["seven"])[2] >= 0).sum() == 7
    _, sent_s, _ = replayed(SESSIONS["slices"])
    assert 45 - (sent_s[10:] - sent_s[:-10]).max() == pytest.approx(45 * 2 / 3, abs=0.05)
    for name in ("spared", "slices", "customary"):
        assert (replayed(SESSIONS[name])[2] == -1).all()
    told = find_stage("quagga-sessions").play(**SESSIONS["seven"].settings)
    assert told["formula"] == pytest.approx(20 / 3)
