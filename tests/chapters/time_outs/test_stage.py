"""The moments that the chapter's stage stops at, read off the traces of seed 1."""

from functools import cache

import numpy as np
import pytest

from tunables.chapters.time_outs.storm_experiment import trace as traced
from tunables.simulators.retry_deeds import DEEDS
from tunables.simulators.retry_rows import ANSWERED, Attempts
from tunables.simulators.retry_storm import trace_retry_storm

TIMEOUT_S = 0.5


@cache
def storm(*deeds, rate=30, outage_s=2.0, retries=3, timeout_s=TIMEOUT_S, seed=1, horizon_s=120):
    """Return the attempts of the chapter's storm, from the entry that the page calls."""
    outage = (20.0, "server", 0), (20.0 + outage_s, "server", 1)
    times, names, values = zip(*sorted([*outage, *deeds]), strict=True)
    columns = traced(
        seed, float(rate), 100.0, timeout_s, retries, float(horizon_s), 0.0, 10.0, 40_000,
        np.array(times, float), np.array([DEEDS.index(name) for name in names]),
        np.array(values, float),
    )  # fmt: skip
    return Attempts(*columns)


def in_line(trace, time_s):
    """Return the numbers of those who stand in line, the first first."""
    return np.flatnonzero((trace.asked_s <= time_s) & (time_s < trace.turn_s))


def waited_for(trace, time_s):
    """Say of each in line whether its client still waits."""
    return time_s < trace.asked_s[in_line(trace, time_s)] + TIMEOUT_S


def answers(trace):
    """Return the attempts answered in time, by the second in which they were sent."""
    return np.bincount(trace.asked_s[trace.fate == ANSWERED].astype(int), minlength=120)


def back(trace, since_s):
    """Return the first second from since_s on in which twenty answered attempts were sent."""
    seconds = np.flatnonzero(answers(trace)[since_s:] >= 20)
    return since_s + int(seconds[0]) if len(seconds) else None


def test_at_rest_every_request_is_answered():
    trace = storm()
    before = trace.asked_s < 20
    assert (before.sum(), (trace.fate[before] == ANSWERED).sum()) == (625, 625)
    assert len(in_line(trace, 10)) == 0
    assert round(answers(trace)[:20].mean(), 1) == 31.2  # 31.25, on 30 in the long run


def test_the_whole_storm_fits_on_the_stage():
    trace = storm()
    assert trace.rows == len(trace.fate) == 12_533
    assert sum(column.nbytes for column in trace[1:]) < 2e6
    assert (trace.tried == 0).sum() == 3602


@pytest.mark.parametrize(("time_s", "line"), [(22, 123), (30, 275), (60, 969), (119, 1977)])
def test_the_line_grows_and_hardly_anybody_waits(time_s, line):
    waits = waited_for(storm(), time_s)
    assert (len(waits), waits[:50].sum()) == (line, 0)
    if time_s in (22, 60):
        assert waits.sum() == waits[-55:].sum() == 55


@pytest.mark.parametrize(
    ("since_s", "until_s", "served"), [(22, 119, 9734), (55, 60, 484)]
)  # fmt: skip
def test_the_server_is_busy_for_nobody(since_s, until_s, served):
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


def test_an_outage_of_1400_ms_is_forgotten_in_two_seconds_and_one_of_1500_ms_never():
    short = storm(outage_s=1.4)
    assert (short.fate[short.asked_s >= 21.4 + 2] == ANSWERED).all()
    assert back(storm(outage_s=1.5), 20) is None


@pytest.mark.parametrize(
    ("outage_s", "recover"), [(1.0, 19), (1.1, 13), (1.2, 10), (1.3, 5), (1.4, 3), (1.5, 0)]
)
def test_how_many_of_twenty_seeds_recover(outage_s, recover):
    ends = [answers(storm(outage_s=outage_s, seed=seed))[-10:].sum() for seed in range(20)]
    assert sum(end > 0 for end in ends) == recover


def test_24_a_second_are_back_in_second_78():
    assert back(storm(rate=24), 20) == 78
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
def test_what_brings_it_back_at_60_s(deeds, second):
    assert back(storm(*deeds), 60) == second


def test_how_many_are_answered_at_once():
    """Who skips what is late answers some who had asked before, and wait."""
    assert answers(storm((60.0, "drop the line", 0)))[59:61].tolist() == [0, 69]
    assert answers(storm((60.0, "skip", 1)))[58:60].tolist() == [0, 48]


def test_with_one_retry_the_same_requests_are_all_answered_after_second_22():
    one, three = storm(retries=1), storm()
    first = [trace.asked_s[trace.tried == 0].tolist() for trace in (one, three)]
    assert first[0] == first[1]
    assert answers(one)[22] == 20
    assert (one.fate[one.asked_s >= 23] == ANSWERED).all()


def test_the_pages_entry_is_the_public_trace():
    deeds = [(60.0, "skip", 1), (70.0, "retries", 5)]
    public = trace_retry_storm(30, 100, seed=1, deeds=deeds)
    for column, same in zip(storm(*deeds)[1:], public[1:], strict=True):
        assert column.tolist() == same.tolist()


@pytest.mark.parametrize(
    ("times", "deeds", "message"),
    [([2.0, 1.0], [0, 0], "in the order"), ([1.0, np.nan], [0, 0], "in the order"),
     ([1.0], [7], "from 0 to 6"), ([1.0], [-1], "from 0 to 6")],
)  # fmt: skip
def test_the_pages_entry_refuses_what_is_no_list_of_deeds(times, deeds, message):
    with pytest.raises(ValueError, match=message):
        traced(
            1, 30.0, 100.0, 0.5, 3, 9.0, 0.0, 10.0, 9,
            np.array(times), np.array(deeds), np.zeros(len(deeds)),
        )  # fmt: skip
