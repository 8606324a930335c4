"""The animation: the chapter's storm with the reader's interventions, and what is said of it."""

import numpy as np
import pytest

from tests.chapters.notebooks import ROOT, prose
from tests.chapters.time_outs.replay import TIMEOUT_S, answers, recovery_second, storm
from tunables.chapters.time_outs.animation import animation
from tunables.chapters.time_outs.experiment import trace_storm
from tunables.chapters.time_outs.simulation import (
    HORIZON_S,
    INTERVENTIONS,
    KERNEL_INTERVENTIONS,
    MOST_ATTEMPTS,
    play,
)
from tunables.simulators.retry_deeds import DEEDS as KERNEL_NAMES
from tunables.simulators.retry_storm import trace_retry_storm
from tunables.simulators.retry_storm_kernel import ANSWERED, LATE
from tunables.theory.deadlines import deadline_fixed_points
from tunables.theory.retries import retry_fixed_points
from tunables.views.animation import read_stills

TEXT = prose(ROOT / "chapters" / "02-time-outs.ipynb")


def in_line(trace, time_s):
    """Return the numbers of the attempts in the queue, in order."""
    return np.flatnonzero((trace.asked_s <= time_s) & (time_s < trace.turn_s))


def still_waiting(trace, time_s):
    """Return for each attempt in the queue whether its client still waits."""
    return time_s < trace.asked_s[in_line(trace, time_s)] + TIMEOUT_S


def test_at_rest_every_request_is_answered():
    trace = storm()
    before = trace.asked_s < 20
    assert (before.sum(), (trace.fate[before] == ANSWERED).sum()) == (625, 625)
    assert len(in_line(trace, 10)) == 0
    assert round(answers(trace)[:20].mean(), 1) == 31.2  # 31.25; in the long run it is 30


def test_the_whole_storm_fits_into_the_animation():
    trace = storm()
    assert trace.rows == len(trace.fate) == 12_533
    assert sum(column.nbytes for column in trace[1:]) < 2e6
    assert (trace.tried == 0).sum() == 3602


@pytest.mark.parametrize(("time_s", "line"), [(22, 123), (30, 275), (60, 969), (119, 1977)])
def test_the_queue_grows_and_few_of_its_clients_still_wait(time_s, line):
    waits = still_waiting(storm(), time_s)
    assert (len(waits), waits[:50].sum()) == (line, 0)
    if time_s in (22, 60):
        assert waits.sum() == waits[-55:].sum() == 55


@pytest.mark.parametrize(
    ("since_s", "until_s", "served"), [(22, 119, 9734), (55, 60, 484)]
)  # fmt: skip
def test_after_the_outage_the_server_answers_nobody_in_time(since_s, until_s, served):
    trace = storm()
    then = (trace.left_s > since_s) & (trace.left_s <= until_s)
    assert (then.sum(), (trace.fate[then] == ANSWERED).sum()) == (served, 0)


@pytest.mark.parametrize(("until_s", "rate"), [(30, 121.8), (60, 120.7), (120, 119.5)])
def test_attempts_a_second(until_s, rate):
    asked_s = storm().asked_s
    count = ((asked_s >= 25) & (asked_s < until_s)).sum()
    assert round(count / (until_s - 25), 1) == rate


def test_request_1819_is_served_four_times_for_nobody():
    trace = storm()
    mine = trace.request == 1819
    assert trace.asked_s[mine].round(2).tolist() == [60.03, 60.53, 61.03, 61.53]
    assert trace.left_s[mine].round(2).tolist() == [69.65, 70.2, 70.74, 71.19]
    assert round(trace.asked_s[mine][-1] + TIMEOUT_S, 2) == 62.03
    assert ANSWERED not in trace.fate[mine]


def test_the_server_recovers_from_an_outage_of_1400_ms_and_not_from_1500_ms():
    short = storm(outage_s=1.4)
    assert (short.fate[short.asked_s >= 21.4 + 2] == ANSWERED).all()
    assert recovery_second(storm(outage_s=1.5), 20) is None


@pytest.mark.parametrize(
    ("outage_s", "recover"), [(1.0, 19), (1.1, 13), (1.2, 10), (1.3, 5), (1.4, 3), (1.5, 0)]
)
def test_how_many_of_twenty_seeds_recover(outage_s, recover):
    ends = [answers(storm(outage_s=outage_s, seed=seed))[-10:].sum() for seed in range(20)]
    assert sum(end > 0 for end in ends) == recover


def test_at_24_a_second_the_server_recovers_in_second_78():
    assert recovery_second(storm(rate=24), 20) == 78
    assert answers(storm(rate=24))[20:78].sum() == 0


@pytest.mark.parametrize(
    ("deeds", "second"),
    [
        ([(60.0, "drop the line", 0)], 60),
        ([(60.0, "turn away", 1), (70.0, "turn away", 0)], 70),
        ([(60.0, "turn away", 1), (68.0, "turn away", 0)], None),
        ([(60.0, "retries", 0)], 74),
        ([(60.0, "retries", 1)], 82),
    ],
)
def test_which_interventions_at_60_s_end_the_storm(deeds, second):
    assert recovery_second(storm(*deeds), 60) == second


def test_how_many_are_answered_in_the_second_of_the_intervention():
    """A server that skips late attempts also answers some sent before it, whose clients wait."""
    assert answers(storm((60.0, "drop the line", 0)))[59:61].tolist() == [0, 69]
    assert answers(storm((60.0, "skip", 1)))[58:60].tolist() == [0, 48]


def test_with_one_retry_the_same_requests_are_answered_after_second_22():
    one, three = storm(retries=1), storm()
    first = [trace.asked_s[trace.tried == 0].tolist() for trace in (one, three)]
    assert first[0] == first[1]
    assert answers(one)[22] == 20
    assert (one.fate[one.asked_s >= 23] == ANSWERED).all()


def test_the_pages_kernel_equals_the_public_trace():
    deeds = [(60.0, "skip", 1), (70.0, "retries", 5)]
    public = trace_retry_storm(30, 100, seed=1, deeds=deeds)
    for column, same in zip(storm(*deeds)[1:], public[1:], strict=True):
        assert column.tolist() == same.tolist()


@pytest.mark.parametrize(
    ("times", "deeds", "message"),
    [([2.0, 1.0], [0, 0], "in order of time"), ([1.0, np.nan], [0, 0], "in order of time"),
     ([1.0], [7], "from 0 to 6"), ([1.0], [-1], "from 0 to 6")],
)  # fmt: skip
def test_the_pages_kernel_refuses_deeds_out_of_order_or_range(times, deeds, message):
    with pytest.raises(ValueError, match=message):
        trace_storm(
            1, 30.0, 100.0, 0.5, 3, 9.0, 0.0, 10.0, 9,
            np.array(times), np.array(deeds), np.zeros(len(deeds)),
        )  # fmt: skip


USUAL = {"arrival_rate_per_s": 30, "timeout_s": "0.5", "retries": 3}


def replay(deeds, **changes):
    return play(deeds=deeds, **(USUAL | changes))


def times_s(run):
    """Return when each attempt was sent, reached the server and left, in seconds."""
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
def test_the_animation_replays_the_trace_to_half_a_microsecond(text, deeds):
    run, trace = replay(text), storm(*deeds)
    for replayed, column in zip(times_s(run), trace[1:4], strict=True):
        np.testing.assert_allclose(replayed, column, rtol=0, atol=0.51e-6)
    assert [int(digit) for digit in run["fate"]] == trace.fate.tolist()
    assert [int(digit) for digit in run["tried"]] == trace.tried.tolist()


def test_overlapping_interventions_act_as_one():
    one, two = replay("20_outage_3"), replay("20_outage_2-21.5_outage_1.5-20.5_outage_1")
    assert times_s(one)[2].tolist() == times_s(two)[2].tolist()
    long, both = replay("20_outage_2-60_pause_10"), replay("20_outage_2-60_pause_6-64_pause_6")
    assert long["gap"] == both["gap"]


def test_the_interventions_have_the_kernels_numbers():
    names = {"outage": "server", "drop": "drop the line", "skip": "skip", "noretries": "retries"}
    names["pause"] = "turn away"
    assert {name: KERNEL_NAMES[KERNEL_INTERVENTIONS[name][0]] for name in names} == names
    assert INTERVENTIONS.keys() == names.keys() | {"watch"}


def test_the_watched_client_is_the_next_to_arrive():
    run, trace = replay("20_outage_2-60_watch"), storm()
    assert trace.request[run["watched"]].tolist() == [1819] * 4
    assert trace.tried[run["watched"]].tolist() == [0, 1, 2, 3]
    assert replay("119.999_watch")["watched"] == []


def test_the_closed_form_follows_the_rules_in_force():
    low, _, high = retry_fixed_points(30, 100, 0.5, 3)
    assert replay("20_outage_2")["eras"] == [[0, low, high], [20, None, None], [22, low, high]]
    assert replay("9_noretries")["eras"][-1] == [9, *retry_fixed_points(30, 100, 0.5, 0) * 2]
    assert replay("9_skip")["eras"][-1] == [9, *deadline_fixed_points(30, 100, 0.5, 3) * 2]
    assert replay("9_pause_2")["eras"] == [[0, low, high], [9, 0, 0], [11, low, high]]


def test_every_setting_fits_into_the_animation():
    rate, retries, timeout = animation().settings
    for text in timeout.choices:
        changes = {"arrival_rate_per_s": rate.high, "retries": retries.high, "timeout_s": text}
        assert len(replay("1_outage_20", **changes)["gap"]) <= MOST_ATTEMPTS
    assert len(replay("", arrival_rate_per_s=rate.low, retries=retries.low)["gap"]) > 2000
    assert HORIZON_S * rate.high * (retries.high + 1) <= MOST_ATTEMPTS


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deeds": "20_dance"}, "intervention = 'dance'"),
        ({"deeds": "121_drop"}, "time of drop"),
        ({"arrival_rate_per_s": -1}, "arrival_rate_per_s"),
        ({"timeout_s": "0"}, "timeout_s"),
        ({"retries": 0.5}, "retries"),
        ({"arrival_rate_per_s": 300}, "attempts"),
    ],
)
def test_bad_settings_of_the_animation_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        play(**(USUAL | {"deeds": ""} | changes))


def expected_at(time_s, text):
    """Return what a still must say: the queue's length, how many wait, the fates of the served."""
    deeds = [(60.0, "drop the line", 0)] if "drop" in text else []
    trace = storm(*deeds, outage_s=2.0 if "outage" in text else 0.0)
    done = (trace.left_s > time_s - 5) & (trace.left_s <= time_s) & (trace.fate <= LATE)
    return len(in_line(trace, time_s)), still_waiting(trace, time_s).sum(), trace.fate[done]


def test_the_stills_say_what_the_trace_says():
    for bookmark, still in zip(animation().bookmarks, read_stills("storm")["storm"], strict=True):
        if bookmark.settings["arrival_rate_per_s"] != 30:
            continue
        line, waits, fates = expected_at(bookmark.at, str(bookmark.settings["deeds"]))
        words = (
            f"{line:,} attempts in the queue; for {waits} of them, a client is still waiting"
            if line
            else "the queue is empty"
        )
        assert still["sentence"].startswith(f"At {bookmark.at:g} s: {words}")
        served = f"{len(fates)} served, {(fates == ANSWERED).sum()} in time."
        assert still["sentence"].endswith(served) == (
            "watch" not in str(bookmark.settings["deeds"])
        )


def test_the_watched_client_is_served_four_times_for_nobody():
    mine = storm().request == 1819
    asked, left = storm().asked_s[mine], storm().left_s[mine]
    story = f"asked 4 times from {asked[0]:.2f} s on, left at {asked[-1] + TIMEOUT_S:.2f} s"
    sentence = read_stills("storm")["storm"][3]["sentence"]
    assert sentence.endswith(f"{story}, and was served 4 times, too late.")
    assert 9.5 < (left - asked).min() < (left - asked).max() < 10  # almost ten seconds


def test_the_prose_beside_the_animation():
    line, at_60 = still_waiting(storm(), 22), still_waiting(storm(), 60)
    assert f"In this run, {len(line)} attempts are waiting" in TEXT
    late = len(line) - line.sum()
    assert f"The first {late} have timed out. Serving them takes about {late / 100:.1f} s" in TEXT
    assert not line[:late].any()
    assert f"grown to {len(at_60)} attempts, and only the last {at_60.sum()} haven't timed" in TEXT
    assert at_60[-at_60.sum() :].all()
    first_later = storm((60.0, "drop the line", 0))
    assert (first_later.fate[first_later.asked_s >= 60] == ANSWERED).all()
