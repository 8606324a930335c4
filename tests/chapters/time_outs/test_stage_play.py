"""What the storm's stage replays is the run of the chapter's simulator, with the reader's deeds."""

import numpy as np
import pytest

from tests.chapters.time_outs.test_prose import TEXT
from tests.chapters.time_outs.test_stage import TIMEOUT_S, in_line, storm, waited_for
from tunables.chapters.time_outs.stage import stage
from tunables.chapters.time_outs.stage_simulation import (
    DEEDS,
    HORIZON_S,
    KERNEL_DEEDS,
    MOST_ATTEMPTS,
    play,
)
from tunables.reader.stage import kept_stills
from tunables.simulators import retry_deeds
from tunables.simulators.retry_rows import ANSWERED, LATE
from tunables.theory.deadlines import deadline_fixed_points
from tunables.theory.retries import retry_fixed_points

USUAL = {"arrival_rate_per_s": 30, "timeout_s": "0.5", "retries": 3}


def played(deeds, **changes):
    return play(deeds=deeds, **(USUAL | changes))


def times_s(run):
    """Return when each attempt was sent, had its turn and left, in seconds."""
    asked = np.cumsum(run["gap"])
    turn = asked + run["wait"]
    return [column / 1e6 for column in (asked, turn, turn + run["service"])]


@pytest.mark.parametrize(
    ("text", "deeds"),
    [
        ("20_outage_2", []),
        ("20_outage_2-60_drop", [(60.0, "drop the line", 0)]),
        ("60_skip-20_outage_2", [(60.0, "skip", 1)]),
        ("20_outage_2-60_noretries", [(60.0, "retries", 0)]),
        ("20_outage_2-60_pause_10", [(60.0, "turn away", 1), (70.0, "turn away", 0)]),
        ("20_outage_2-60_watch", []),
    ],
)
def test_it_is_the_trace_to_half_a_microsecond(text, deeds):
    run, trace = played(text), storm(*deeds)
    for mine, column in zip(times_s(run), trace[1:4], strict=True):
        np.testing.assert_allclose(mine, column, rtol=0, atol=0.51e-6)
    assert [int(digit) for digit in run["fate"]] == trace.fate.tolist()
    assert [int(digit) for digit in run["tried"]] == trace.tried.tolist()


def test_deeds_that_overlap_are_one():
    one, two = played("20_outage_3"), played("20_outage_2-21.5_outage_1.5-20.5_outage_1")
    assert times_s(one)[2].tolist() == times_s(two)[2].tolist()
    long, both = played("20_outage_2-60_pause_10"), played("20_outage_2-60_pause_6-64_pause_6")
    assert long["gap"] == both["gap"]


def test_the_deeds_have_the_kernels_numbers():
    names = {"outage": "server", "drop": "drop the line", "skip": "skip", "noretries": "retries"}
    names["pause"] = "turn away"
    assert {name: retry_deeds.DEEDS[KERNEL_DEEDS[name][0]] for name in names} == names
    assert DEEDS.keys() == names.keys() | {"watch"}


def test_who_is_watched_is_the_next_client_to_come():
    run, trace = played("20_outage_2-60_watch"), storm()
    assert trace.request[run["watched"]].tolist() == [1819] * 4
    assert trace.tried[run["watched"]].tolist() == [0, 1, 2, 3]
    assert played("119.999_watch")["watched"] == []


def test_the_closed_form_follows_the_rules_in_force():
    low, _, high = retry_fixed_points(30, 100, 0.5, 3)
    assert played("20_outage_2")["eras"] == [[0, low, high], [20, None, None], [22, low, high]]
    assert played("9_noretries")["eras"][-1] == [9, *retry_fixed_points(30, 100, 0.5, 0) * 2]
    assert played("9_skip")["eras"][-1] == [9, *deadline_fixed_points(30, 100, 0.5, 3) * 2]
    assert played("9_pause_2")["eras"] == [[0, low, high], [9, 0, 0], [11, low, high]]


def test_any_setting_fits_on_the_stage():
    rate, retries, timeout = stage().settings
    for text in timeout.choices:
        changes = {"arrival_rate_per_s": rate.high, "retries": retries.high, "timeout_s": text}
        assert len(played("1_outage_20", **changes)["gap"]) <= MOST_ATTEMPTS
    assert len(played("", arrival_rate_per_s=rate.low, retries=retries.low)["gap"]) > 2000
    assert HORIZON_S * rate.high * (retries.high + 1) <= MOST_ATTEMPTS


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deeds": "20_dance"}, "deed = 'dance'"),
        ({"deeds": "121_drop"}, "time of drop"),
        ({"arrival_rate_per_s": -1}, "arrival_rate_per_s"),
        ({"timeout_s": "0"}, "timeout_s"),
        ({"retries": 0.5}, "retries"),
        ({"arrival_rate_per_s": 300}, "attempts"),
    ],
)
def test_it_refuses_in_words(changes, message):
    with pytest.raises(ValueError, match=message):
        play(**(USUAL | {"deeds": ""} | changes))


def at(time_s, text):
    """Return what a still says, from the public trace: the line, who waits, what was served."""
    deeds = [(60.0, "drop the line", 0)] if "drop" in text else []
    trace = storm(*deeds, outage_s=2.0 if "outage" in text else 0.0)
    done = (trace.left_s > time_s - 5) & (trace.left_s <= time_s) & (trace.fate <= LATE)
    return len(in_line(trace, time_s)), waited_for(trace, time_s).sum(), trace.fate[done]


def test_the_stills_say_what_the_trace_does():
    for beat, still in zip(stage().beats, kept_stills("storm")["storm"], strict=True):
        if beat.settings["arrival_rate_per_s"] != 30:
            continue
        line, waits, fates = at(beat.at, str(beat.settings["deeds"]))
        words = f"{line:,} attempts in line, {waits} still waited for" if line else "nobody in line"
        assert still["sentence"].startswith(f"At {beat.at:g} s: {words}")
        served = f"{len(fates)} served, {(fates == ANSWERED).sum()} in time."
        assert still["sentence"].endswith(served) == ("watch" not in str(beat.settings["deeds"]))


def test_the_watched_client_is_served_four_times_for_nobody():
    mine = storm().request == 1819
    asked, left = storm().asked_s[mine], storm().left_s[mine]
    story = f"asked 4 times from {asked[0]:.2f} s on, left at {asked[-1] + TIMEOUT_S:.2f} s"
    sentence = kept_stills("storm")["storm"][3]["sentence"]
    assert sentence.endswith(f"{story}, was served 4 times, too late.")
    assert 9 < (left - asked).min() < (left - asked).max() < 11  # some ten seconds


def test_the_words_beside_the_stage():
    line, at_60 = waited_for(storm(), 22), waited_for(storm(), 60)
    assert f"{len(line)} attempts wait. The first fifty take it half a second" in TEXT
    assert not line[:50].any()
    assert f"there are {len(at_60)} in line, and the {at_60.sum()} whose clients" in TEXT
    assert at_60[-at_60.sum() :].all()
    first_later = storm((60.0, "drop the line", 0))
    assert (first_later.fate[first_later.asked_s >= 60] == ANSWERED).all()
