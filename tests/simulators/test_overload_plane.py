"""Alleged cures of a retry storm, tried over the whole plane of load and retries.

Loads from 0.3 to 0.95 of the server's capacity, 0 to 8 retries, from rest and from an outage of
ten seconds: where a cure works, and where not. The server handles 100 requests/s, the timeout is
0.5 s.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest

from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.theory.deadlines import deadline_safe_load

LOADS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
RETRIES = range(9)
PLANE = [(load, retries) for load in LOADS for retries in RETRIES]
STARTS = (0.0, 10.0)  # seconds of outage
ACT_S = 60  # when someone intervenes

AHEAD: dict[str, dict[str, Any]] = {
    "nothing": {},
    "skips what is late": {"drop": "stale"},
    "skips what has three services left": {"drop": "stale", "margin_s": 0.03},
    "skips what cannot end in time": {"drop": "remaining"},
    "a queue of half a timeout": {"queue_limit": 25},
    "a budget of a tenth": {"retry_budget": 0.1},
}
TONIGHT: dict[str, dict[str, Any]] = {
    "retries off": {"retries_off_s": ACT_S},
    "queue purged": {"purge_s": ACT_S},
    "retries off and queue purged": {"retries_off_s": ACT_S, "purge_s": ACT_S},
}


@cache
def share_answered(rule, load, retries, outage_s, seed=1):
    """Return the share of new requests answered in the last two of seven minutes."""
    rules = (AHEAD | TONIGHT)[rule]
    answered = simulate_retry_storm(
        100 * load, 100, 0.5, retries, outage_s=outage_s, horizon_s=420, seed=seed, **rules
    )[1]
    return answered[-120:].mean() / (100 * load)


def failures(rule, outage_s, cells=PLANE):
    """Return the cells in which fewer than seven of ten requests are answered.

    Without any retry 0.95 of capacity is late in one request of twelve on average, and in one of
    four for minutes on end.
    """
    return {cell for cell in cells if share_answered(rule, *cell, outage_s) < 0.7}


@pytest.mark.sampled
@pytest.mark.parametrize("outage_s", STARTS)
@pytest.mark.parametrize("rule", list(AHEAD)[2:5])
def test_what_wastes_no_service_holds_on_the_whole_plane(rule, outage_s):
    assert failures(rule, outage_s) == set()


@pytest.mark.slow
def test_without_a_rule_an_outage_is_survived_below_capacity_over_attempts():
    expected = {(load, r) for load, r in PLANE if load * (r + 1) >= 1}
    assert failures("nothing", 10.0) == expected


@pytest.mark.long
def test_near_capacity_retries_tip_the_server_from_rest():
    found = failures("nothing", 0.0)
    assert {(0.95, r) for r in RETRIES if r > 0} <= found
    assert not any(r == 0 or load < 0.9 for load, r in found)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("outage_s", STARTS)
def test_skipping_what_is_late_holds_below_its_safe_load_and_not_on_the_plane(outage_s):
    found = failures("skips what is late", outage_s)
    assert found
    for load, retries in found:
        assert 100 * load > deadline_safe_load(100, retries)
    assert {(0.95, r) for r in range(3, 9)} <= found


@pytest.mark.long
def test_skipping_what_is_late_is_no_cure_at_eight_retries_from_seven_tenths():
    assert {(load, 8) for load in (0.7, 0.8, 0.9, 0.95)} <= failures("skips what is late", 10.0)
    for load, goodput in ((0.7, 22), (0.8, 17)):  # a rare run leaves its state
        ends = [
            100 * load * share_answered("skips what is late", load, 8, 2.0, s) for s in range(8)
        ]
        assert np.median(ends) == pytest.approx(goodput, rel=0.1)


@pytest.mark.long
def test_a_budget_holds_below_capacity_over_one_and_its_share():
    """l (1 + 0.1) < u, whatever the retries; at 0.99 the queue drains too slowly, at 1/s."""
    expected = {(load, r) for load, r in PLANE if load * 1.1 > 0.95 and r > 0}
    found = failures("a budget of a tenth", 10.0)
    assert found - {(0.95, 0)} == expected
    rest = failures("a budget of a tenth", 0.0)
    assert {load for load, r in rest if r > 0} == {0.95}


def test_a_purge_alone_holds_while_the_storm_is_below_twice_the_capacity():
    """For one timeout after it the storm goes on, and must wait for less than another timeout:
    (l (r + 1) - u) T < u T. From there to 1.5 times that, chance decides."""
    calm = [(load, r) for load, r in PLANE if load <= 0.8]
    found = failures("queue purged", 10.0, calm)
    assert not any(load * (r + 1) < 1.9 for load, r in found)
    assert {(load, r) for load, r in calm if load * (r + 1) > 3} <= found


@pytest.mark.long
def test_retries_off_drains_the_queue_in_time_but_slowly():
    """A backlog of l (r + 1) 10 + (l (r + 1) - u) 30 leaves at u - l; four minutes are left."""

    def drain_time_s(load, retries):
        storm = load * (retries + 1)
        return (10 * storm + 30 * (storm - 1)) / (1 - load)

    clear = [
        (load, r)
        for load, r in PLANE
        if load * (r + 1) > 1.05 and not 200 < drain_time_s(load, r) < 330
    ]
    expected = {cell for cell in clear if drain_time_s(*cell) > 240}
    assert failures("retries off", 10.0, clear) == expected
    assert expected


@pytest.mark.long
def test_retries_off_and_a_purge_hold_on_the_whole_plane():
    assert failures("retries off and queue purged", 10.0) == set()


SHED_UNTIL_S = 240


@cache
def shed_to_half(load, retries, purge):
    """Return the shares served while and after new requests are cut to u / (2 (r + 1)).

    All attempts are then at most half of what the server can do, even if every one is late. The
    first share is of those let in, in the last two of three minutes, the second of all, later.
    """
    admitted = min(load, 0.5 / (retries + 1))
    rules: dict[str, Any] = {"purge_s": ACT_S} if purge else {}
    answered = simulate_retry_storm(
        100 * load,
        100,
        0.5,
        retries,
        outage_s=10.0,
        horizon_s=420,
        seed=1,
        shed_share=1 - admitted / load,
        shed_from_s=ACT_S,
        shed_until_s=SHED_UNTIL_S,
        **rules,
    )[1]
    while_shed = answered[SHED_UNTIL_S - 120 : SHED_UNTIL_S].mean() / (100 * admitted)
    return while_shed, answered[-120:].mean() / (100 * load)


def test_shedding_to_half_with_a_purge_holds_on_the_whole_plane_while_it_lasts():
    assert all(shed_to_half(*cell, True)[0] > 0.9 for cell in PLANE)
    stays = {cell for cell in PLANE if shed_to_half(*cell, True)[1] > 0.7}
    assert stays >= {(load, r) for load, r in PLANE if load <= 0.8}
    assert not stays & {(0.95, r) for r in RETRIES if r > 0}, "they tip from rest, too"


@pytest.mark.long
def test_shedding_without_a_purge_has_to_drain_first():
    """The queue leaves at u/2: where that takes longer than the shedding, nothing has changed."""

    def drain_time_s(load, retries):
        storm = load * (retries + 1)
        return (10 * storm + (ACT_S - 30) * max(0, storm - 1)) / 0.5

    late = {cell for cell in PLANE if drain_time_s(*cell) > 1.3 * (SHED_UNTIL_S - ACT_S)}
    assert late
    for cell in late:
        assert shed_to_half(*cell, False) == (0.0, 0.0)
    for cell in PLANE:
        if cell[0] <= 0.8 and drain_time_s(*cell) < 0.8 * (SHED_UNTIL_S - ACT_S):
            assert shed_to_half(*cell, False)[1] > 0.7, cell


def minutes_to_recover(share):
    """Return when 30 requests/s are served again, with shedding from the 300th second on."""
    times = []
    for seed in range(3):
        answered = simulate_retry_storm(
            30, 100, 0.5, 3, horizon_s=3000, seed=seed, shed_share=share, shed_from_s=300
        )[1]
        good = answered[300:].reshape(-1, 60).mean(axis=1) > 0.8 * 30 * (1 - share)
        times.append(int(good.argmax()) + 1 if good.any() else None)
    return times


@pytest.mark.long
def test_shedding_just_below_the_safe_load_does_not_end_a_storm_in_an_hour_and_half_does():
    """30 requests/s are 120 attempts/s; the tipping rate of an empty queue is 99.7."""
    assert minutes_to_recover(0.18) == [None] * 3  # 98.4 attempts/s
    assert all(20 < minutes < 30 for minutes in minutes_to_recover(0.20))
    assert all(minutes <= 4 for minutes in minutes_to_recover(0.50))
