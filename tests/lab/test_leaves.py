"""Leaves with real sockets: what is drawn is what stalls, and what is asked again."""

import math

import pytest

from tunables.lab.leaves import LeafSetting, draw_stalls, run
from tunables.theory.hedging import any_slow, hedged_tail

FAST = LeafSetting(quick_s=0.001, stall_s=0.1, stall_probability=0.02)


def test_stalls_come_as_often_as_the_setting_says():
    for shared in (0.0, 0.5):
        setting = LeafSetting(stall_probability=0.1, shared=shared)
        stalls = [leaf for each in draw_stalls(100, 500, setting, seed=3) for leaf in each]
        first = sum(one for one, _ in stalls) / len(stalls)
        both = sum(one and other for one, other in stalls) / len(stalls)
        assert first == pytest.approx(0.1, rel=0.05)
        assert both == pytest.approx(hedged_tail(0.1, 0.1, shared), rel=0.1)


def test_the_share_of_slow_requests_is_the_closed_form():
    stalls = draw_stalls(100, 1000, LeafSetting(), seed=4)
    slow = sum(any(first for first, _ in each) for each in stalls)
    assert slow / 1000 == pytest.approx(any_slow(100, 0.01), abs=0.05)


@pytest.mark.parametrize("delay_s", [math.inf, 0.02])
def test_what_must_be_slow_is_slow_and_second_questions_are_asked_only_after_the_delay(delay_s):
    stalls = draw_stalls(20, 12, FAST, seed=5)
    answers = list(run(stalls, FAST, delay_s))
    assert len(answers) == 12
    for each, mine in zip(answers, stalls, strict=True):
        must = any(first and (second or math.isinf(delay_s)) for first, second in mine)
        assert each.took_s >= (0.099 if must else 0.001)
        if math.isinf(delay_s):
            assert each.copies == 0
        if each.copies:
            assert each.took_s >= delay_s
    if not math.isinf(delay_s):
        assert sum(each.copies for each in answers) >= sum(
            first for mine in stalls for first, _ in mine
        )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: draw_stalls(0, 1, FAST), "leaves = 0"),
        (lambda: draw_stalls(10, 0, FAST), "requests = 0"),
        (lambda: draw_stalls(1, 1, LeafSetting(stall_probability=2)), "stall_probability = 2"),
        (lambda: draw_stalls(1, 1, LeafSetting(shared=-1)), "shared = -1"),
        (lambda: draw_stalls(1, 1, FAST, seed=-1), "seed = -1"),
        (lambda: run([[(False, False)]], LeafSetting(quick_s=-1)), "quick_s = -1"),
        (lambda: run([[(False, False)]], LeafSetting(stall_s=0.001)), "stall_s = 0.001"),
        (lambda: run([[(False, False)]], FAST, math.nan), "delay_s = nan"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
