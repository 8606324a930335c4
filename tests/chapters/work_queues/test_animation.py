"""What chapter 6's animations replay and say, against the simulator and the case."""

import pytest

from tunables.chapters.work_queues.simulation import (
    MEAN_S,
    QUANTUM_S,
    SHAPE,
    WORKS,
    hold_events,
    play_sessions,
    play_slices,
    slice_events,
)
from tunables.core.model import Setting
from tunables.core.registry import find_animation, find_case
from tunables.views.animation import read_stills

QUAGGA = find_case("quagga")
WORK: dict[str, dict[str, Setting]] = {
    "drawn": {"items": 40_000, "item_cost_s": 358e-6, "cost_shape": 0.8},
    "cheap, then dear": {
        "items": 202_000,
        "item_cost_s": 5e-6,
        "cost_shape": 0,
        "costly_from": 200_000,
        "costly_cost_s": 1e-3,
    },
}
SLICES = {bookmark.name: bookmark for bookmark in find_animation("quagga").bookmarks}
SESSIONS = {bookmark.name: bookmark for bookmark in find_animation("quagga-sessions").bookmarks}


def still_sentence(animation, bookmark):
    names = [each.name for each in find_animation(animation).bookmarks]
    return read_stills("quagga")[animation][names.index(bookmark)]["sentence"]


def simulate_bookmark(bookmark):
    """Return the columns of the case's own loop, and what the animation plays for the bookmark."""
    settings = bookmark.settings
    most = {"none": 2**31, "15": 15}[settings["most"]]
    given = QUAGGA.settings(rule=settings["rule"], queues=settings["queues"])
    columns = slice_events(6, timers=400, most_granularity=most, **given | WORK[settings["work"]])
    return columns[2:], find_animation("quagga").play(**settings)


def test_the_items_are_those_of_the_case_to_a_microsecond():
    given = QUAGGA.settings()
    assert round(float(given["item_cost_s"]), 6) == MEAN_S
    assert given["cost_shape"] == SHAPE
    assert given["quantum_s"] == QUANTUM_S
    assert list(WORKS) == list(WORK)


@pytest.mark.parametrize("name", SLICES)
def test_the_first_animation_replays_the_loop(name):
    columns, replay = simulate_bookmark(SLICES[name])
    begin, length, queue, items, granularity, looks, first, look, due, late = columns
    for column, kept in ((length, "length"), (look, "look"), (due, "due"), (late, "late")):
        assert (column * 1e9).round().astype(int).tolist() == replay[kept]
    counts = (("queue", queue), ("items", items), ("granularity", granularity), ("looks", looks))
    for kept, column in counts:
        assert column.tolist() == replay[kept]
    assert begin.tolist() == pytest.approx(
        [sum(replay["length"][:n]) / 1e9 for n in range(len(begin))]
    )
    assert first.tolist() == [sum(replay["items"][:n]) for n in range(len(first))]


def test_its_closed_forms_are_those_of_the_case_for_as_many_items():
    for queues in (1, 4):
        replay = play_slices(work="drawn", rule="2010", most="none", queues=queues)
        items = 40_000 // queues
        settings = QUAGGA.settings(item_cost_s=358e-6, items=items, rule="2010", queues=queues)
        closed = QUAGGA.predict(**settings)
        assert replay["formula"] == pytest.approx(1e9 * closed["slice_s"], abs=1)
        assert replay["late_formula"] == pytest.approx(1e9 * closed["lateness_s"], abs=1)
        mean_ns = sum(replay["length"]) / len(replay["length"])
        assert mean_ns == pytest.approx(replay["formula"], rel=0.02)


def test_a_wrong_setting_is_refused_by_its_name():
    usual = SLICES["looks"].settings
    for name, value in (("work", "dear"), ("rule", "2011"), ("most", "16"), ("queues", 0)):
        with pytest.raises(ValueError, match=name):
            play_slices(**usual | {name: value})
    usual = SESSIONS["expires"].settings
    for changes in ({"block": 0}, {"block": 1.5}, {"work": "halves"}, {"timers": "1/3"}):
        with pytest.raises(ValueError, match=next(iter(changes))):
            play_sessions(**usual | changes)


@pytest.mark.parametrize("name", SLICES)
def test_what_the_first_animation_says_at_a_bookmark(name):
    bookmark = SLICES[name]
    (_, length, _, items, granularity, *_), _ = simulate_bookmark(bookmark)
    run = int(bookmark.at) - 1
    sentence = still_sentence("quagga", name)
    assert sentence.startswith(f"Run {run + 1}: {items[run]} items, ")
    took = f"; it took {1e3 * length[run]:.1f} ms, {1e3 * length[run] - 10:.1f} ms more than the"
    assert f"{took} quantum of 10 ms" in sentence
    assert f" after every {granularity[run + 1]} items. " in sentence
    assert ("From now on" in sentence) == bool(granularity[run + 1] > granularity[run])
    assert sentence.endswith(f": {1e3 * length[: run + 1].mean():.1f} ms.")


def test_the_titles_say_what_the_runs_do():
    (_, _, _, _, granularity, *_), _ = simulate_bookmark(SLICES["climbs"])
    assert granularity[131:133].tolist() == [23, 25]
    assert "items between two checks goes from 23 to 25" in SLICES["climbs"].title
    (_, length, _, _, granularity, *_), _ = simulate_bookmark(SLICES["ratchet"])
    assert (granularity[100], round(1e3 * length[100])) == (197, 197)
    assert "still 197 between two checks. So a slice lasts 197 ms" in SLICES["ratchet"].title
    assert length[:97].max() < 0.011 < length[97] < length[98]
    assert SLICES["cheap"].at == 97
    assert "The next items cost 200 times as much" in SLICES["cheap"].title
    (_, length, _, _, granularity, *_), _ = simulate_bookmark(SLICES["newer"])
    assert (granularity[87], round(1e3 * length.max())) == (666, 666)
    said = "items between two checks grows faster, to 666, so slices last 666 ms"
    assert said in SLICES["newer"].title
    (_, length, *_), _ = simulate_bookmark(SLICES["bound"])
    assert length.max() == 0.015
    assert "no slice lasts longer than 15 ms" in SLICES["bound"].title


def simulate_keepalives(bookmark):
    """Return the columns of the loop with keepalives, from settings of the case."""
    block, settings = int(bookmark.settings["block"]), QUAGGA.settings(item_cost_s=358e-6)
    keepalive_s, hold_s = (int(each) for each in str(bookmark.settings["timers"]).split("/"))
    timers = {"keepalive_s": keepalive_s, "hold_s": hold_s}
    if bookmark.settings["work"] == "slices":
        return hold_events(6, **settings | {"items": round(block / 358e-6)}, **timers)
    return hold_events(6, block_s=block, **settings, **timers)


@pytest.mark.parametrize("name", SESSIONS)
def test_the_second_animation_replays_the_keepalives(name):
    bookmark = SESSIONS[name]
    replay = find_animation("quagga-sessions").play(**bookmark.settings)
    due_s, sent_s, dropped_s = simulate_keepalives(bookmark)
    assert replay["due"] == (due_s * 1e9).round().astype(int).tolist()
    assert replay["sent"] == (sent_s * 1e9).round().astype(int).tolist()
    assert [each / 1e9 if each >= 0 else -1 for each in replay["dropped"]] == dropped_s.tolist()
    by_then = dropped_s[(dropped_s >= 0) & (dropped_s <= bookmark.at)]
    sentence = still_sentence("quagga-sessions", name)
    assert sentence.startswith(f"At {bookmark.at:.1f} s: ")
    if len(by_then):
        have = "has dropped its session" if len(by_then) == 1 else "have dropped their sessions"
        assert f"{len(by_then)} of 10 neighbours {have}" in sentence
        assert f", at {by_then.max():.1f} s" in sentence
    else:
        assert "No neighbour has dropped its session" in sentence


def test_the_second_animations_titles_say_what_happens():
    expires = SESSIONS["expires"]
    _, _, dropped_s = simulate_keepalives(expires)
    (first_s,) = dropped_s[dropped_s >= 0]
    end_s = 30 + int(expires.settings["block"])
    assert first_s < expires.at < end_s
    assert f"ran out at {first_s:.1f} s, but the task runs until {end_s} s" in expires.title
    spared = SESSIONS["spared"]
    end_s = 30 + int(spared.settings["block"])
    assert 0 < first_s - end_s < 2
    assert end_s < spared.at < first_s
    assert SESSIONS["seven"].settings["block"] == (45 - 15) + 10
    assert (simulate_keepalives(SESSIONS["seven"])[2] >= 0).sum() == 7
    _, sent_s, _ = simulate_keepalives(SESSIONS["slices"])
    assert 45 - (sent_s[10:] - sent_s[:-10]).max() == pytest.approx(45 * 2 / 3, abs=0.05)
    assert "seconds longer than the first neighbour will wait" in SESSIONS["seven"].title
    for name in ("spared", "slices", "customary"):
        assert (simulate_keepalives(SESSIONS[name])[2] == -1).all()
    replay = find_animation("quagga-sessions").play(**SESSIONS["seven"].settings)
    assert replay["formula"] == pytest.approx(20 / 3)
