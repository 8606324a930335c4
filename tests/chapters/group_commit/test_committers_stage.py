"""The stage of the committers: the public simulator's commits, and what its beats say of them."""

import pytest

from tunables.chapters.group_commit.committers_simulation import SHOWN_MS, play
from tunables.chapters.group_commit.committers_stage import COMMITTERS, stage
from tunables.reader.stage import kept_stills
from tunables.simulators.group_commits import trace_group_commits
from tunables.theory.group_commit import closed_group_commit

BEATS = {beat.name: beat for beat in stage().beats}
STILLS = dict(zip(BEATS, kept_stills("rdu")["rdu-committers"], strict=True))
FLUSH_S = 0.005


def simulated(delay, clients):
    """Return the commits that are asked for in the time that the stage shows."""
    trace = trace_group_commits(clients, FLUSH_S, delay / 1000, commits=49 * clients)
    return trace, trace.asked_s < SHOWN_MS / 1000


@pytest.mark.parametrize(("delay", "clients"), [(0, 16), (1, 16), (25, 16), (3, 1), (2, 32)])
def test_it_replays_the_simulators_commits_to_the_end_of_what_it_shows(delay, clients):
    told, (trace, shown) = play(delay=delay, clients=clients), simulated(delay, clients)
    for name in ("asked", "begun", "ended"):
        column = getattr(trace, f"{name}_s")
        assert told[f"{name}_us"] == (1e6 * column[shown]).round().astype(int).tolist()
    assert told["client"] == trace.customer[shown].tolist()
    assert told["flush"] == trace.flush[shown].tolist()
    assert trace.begun_s[~shown].min(initial=1) >= SHOWN_MS / 1000  # no flush is shown in part
    assert told["formula"] == closed_group_commit(clients, FLUSH_S, delay / 1000)
    assert told["formula"] == pytest.approx(trace.rows / trace.ended_s[-1], rel=0.02)


def test_what_the_beats_say_is_so():
    assert "1 client has a flush alone, 15 wait for the next" in STILLS["turns"]["sentence"]
    alone = closed_group_commit(COMMITTERS, FLUSH_S, 0)
    for name, beat in BEATS.items():
        delay = int(beat.settings["delay"])
        rate = closed_group_commit(COMMITTERS, FLUSH_S, delay / 1000)
        said = f"{rate:,.0f} a second (formula {rate:,.0f})."
        assert said in STILLS[name]["sentence"]
        trace, _ = simulated(delay, COMMITTERS)
        shared = trace.flush[trace.ended_s <= beat.at / 1000].tolist()
        last = sorted({*shared})[-4:]
        sizes = [str(shared.count(flush)) for flush in last]
        assert STILLS[name]["sentence"].endswith(f"{', '.join(sizes[:-1])} and {sizes[-1]}.") or (
            len(sizes) == 1 and STILLS[name]["sentence"].endswith(f"The last flush: {sizes[0]}.")
        )
        if delay:
            assert f"{alone:,.0f} a second" in STILLS[name]["beside"]
            assert set(sizes) == {str(COMMITTERS)}
    assert closed_group_commit(COMMITTERS, FLUSH_S, FLUSH_S) == alone


@pytest.mark.parametrize("wrong", [{"delay": 26}, {"delay": 0.5}, {"clients": 0}, {"clients": 33}])
def test_it_refuses_what_it_cannot_play(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} = .*: must be"):
        play(**({"delay": 1, "clients": 16} | wrong))
