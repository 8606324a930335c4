"""Closed forms of slices against exact enumeration, quadrature, sampling and the daemon's rules."""

import math
from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.special import gammainc

from tunables.theory.slicing import (
    GROWTH_RULES,
    RULE_NAMES,
    can_have_made,
    continuation_probabilities,
    cycles_per_run,
    expected_cycles_per_run,
    expected_unique_fraction,
    hold_timer_expiry_probability,
    least_longest_run,
    limiting_granularity,
    mean_timer_lateness,
    slice_moments,
    timer_lateness_survival,
    unique_fraction_alone,
)

exact = settings(deadline=None, derandomize=True, max_examples=200)
RULES = ("2005-05-06", "2005-05-23", "2010")
costs_ns = st.integers(1_000, 20_000_000)
quanta_ns = st.integers(0, 100_000_000)


def grow(rule, cycles, g):
    """The rules as their comments put them, apart from the package's own function."""
    if rule == "2005-05-06":
        return g + 2 if cycles > 2 * g else g
    if rule == "2005-05-23":
        return g * 2 if cycles > 4 * g else g + 2 if cycles > 2 * g else g
    return g * 4 if cycles > 16 * g else g + 4 if cycles > 4 * g else g


@exact
@given(costs_ns, quanta_ns, st.sampled_from(RULES), st.integers(1, 50))
def test_limiting_granularity_is_where_the_rule_stops(cost, quantum, rule, start):
    g = start
    while True:
        cycles = g
        while cycles * cost <= quantum:
            cycles += g
        if grow(rule, cycles, g) == g:
            break
        g = grow(rule, cycles, g)
    assert limiting_granularity(cost / 1e9, quantum / 1e9, rule, start) == g
    assert cycles_per_run(g, cost / 1e9, quantum / 1e9) == cycles


@exact
@given(costs_ns, quanta_ns)
def test_the_published_rule_stops_at_the_smallest_odd_granularity_above_half(cost, quantum):
    g = limiting_granularity(cost / 1e9, quantum / 1e9, "2005-05-06")
    m = quantum // cost
    assert g % 2 == 1
    assert g > m / 2
    assert g == 1 or g - 2 <= m / 2


@exact
@given(costs_ns, quanta_ns, st.integers(1, 2000))
def test_a_slice_lasts_more_than_the_quantum_and_at_most_a_block_more(cost, quantum, g):
    length = cycles_per_run(g, cost / 1e9, quantum / 1e9) * cost
    assert quantum < length <= quantum + g * cost


@pytest.mark.parametrize("rule", RULES)
def test_the_longest_run_is_at_least_what_the_granularity_takes(rule):
    # every path of whole blocks from 1, the longest run of each kept as short as it can be
    longest = {1: 1}
    coming = [1]
    while coming:
        g = coming.pop()
        for checks in range(1, 18):
            after, run = grow(rule, checks * g, g), max(longest[g], checks * g)
            if g < after <= 300 and run < longest.get(after, math.inf):
                longest[after] = run
                coming.append(after)
    assert len(longest) > 50
    for g, run in longest.items():
        assert least_longest_run(g, rule) <= run, g
    if rule == "2005-05-06":
        assert {g: least_longest_run(g, rule) for g in longest} == longest


def test_the_longest_run_by_hand():
    # By a step of 2 in a run of 3 (g - 2), or by the ramp from g/2 in one of 5 g/2: the shorter.
    runs = [least_longest_run(g, "2005-05-23") for g in (1, 2, 3, 4, 6, 12, 16, 17)]
    assert runs == [1, 5, 3, 6, 12, 30, 40, 45]
    assert [least_longest_run(g, "2010") for g in (4, 5, 8, 32)] == [17, 5, 20, 136]


@exact
@given(st.sampled_from(RULES), st.integers(17, 5_000), st.lists(st.integers(1, 40), max_size=30))
def test_a_queue_with_a_long_first_run_shows_what_it_can_have_made(rule, first, checks):
    g = grow(rule, first, 1)
    for k in checks:
        assert can_have_made(g, rule)
        g = grow(rule, k * g, g)


def test_what_a_rule_cannot_make():
    assert {rule for rule in RULES if can_have_made(995, rule)} == {"2005-05-06"}
    assert {rule for rule in RULES if can_have_made(24, rule)} == {"2005-05-23", "2010"}
    assert can_have_made(1, "fixed")
    assert not can_have_made(3, "fixed")
    assert set(RULE_NAMES) == set(GROWTH_RULES)
    assert RULE_NAMES["2005-05-23"] == date(2005, 5, 23).strftime("%d %B %Y")
    assert RULE_NAMES["2010"] == date(2010, 1, 1).strftime("%B %Y")  # on what day, no message says


def test_a_fixed_granularity_stays():
    assert limiting_granularity(5e-6, 0.010, "fixed", 8192) == 8192
    assert least_longest_run(8192, "fixed") == 8192


@pytest.mark.parametrize(
    ("g", "mean", "shape"), [(1, 0.0004, 0.8), (29, 0.00033, 0.8), (7, 2e-3, 3)]
)
def test_expected_cycles_is_the_sum_of_incomplete_gammas(g, mean, shape):
    j = np.arange(1, 2000)
    oracle = g * (1 + gammainc(j * g * shape, 0.010 * shape / mean).sum())
    assert expected_cycles_per_run(g, mean, shape, 0.010) == pytest.approx(oracle, rel=1e-9)


def sampled_slices(g, mean, shape, quantum, runs, seed):
    blocks = np.random.default_rng(seed).gamma(g * shape, mean / shape, (runs, 60)).cumsum(axis=1)
    checks = (blocks > quantum).argmax(axis=1)
    assert (blocks[:, -1] > quantum).all()
    return blocks[np.arange(runs), checks], (checks + 1) * g


@pytest.mark.parametrize(
    ("g", "mean", "shape"), [(3, 0.0008, 0.8), (29, 0.00033, 0.8), (23, 4e-4, 2)]
)
def test_moments_lie_within_four_standard_errors_of_a_million_sampled_items(g, mean, shape):
    lengths, cycles = sampled_slices(g, mean, shape, 0.010, 40_000, seed=6)
    first, second = slice_moments(g, mean, shape, 0.010)
    for closed, sample in (
        (first, lengths),
        (second, lengths**2),
        (expected_cycles_per_run(g, mean, shape, 0.010), cycles),
    ):
        assert abs(closed - sample.mean()) < 4 * sample.std() / math.sqrt(len(sample))


def test_the_mean_slice_is_that_of_walds_equation():
    mean, _ = slice_moments(29, 0.00033, 0.8, 0.010)
    cycles = expected_cycles_per_run(29, 0.00033, 0.8, 0.010)
    assert mean == pytest.approx(cycles * 0.00033, rel=1e-14)


def test_nearly_constant_costs_give_the_constant_slice():
    mean, square = slice_moments(25, 0.000217, 1e7, 0.010)
    assert mean == pytest.approx(cycles_per_run(25, 0.000217, 0.010) * 0.000217, rel=1e-9)
    assert square == pytest.approx(mean**2, rel=1e-6)


def test_continuation_falls_from_one():
    p = continuation_probabilities(5, 0.0004, 0.8, 0.010)
    assert p[0] == 1
    assert p == sorted(p, reverse=True)
    assert p[-1] < 1e-11 < p[-2]


turns = st.lists(st.floats(0.0, 10.0), min_size=1, max_size=30).filter(lambda c: sum(c) > 1e-3)


@exact
@given(turns)
def test_mean_lateness_is_the_integral_of_its_survival(cycles):
    edges = sorted({0.0, *cycles})
    area = sum(
        integrate.quad(lambda x: timer_lateness_survival(cycles, x), low, high)[0]
        for low, high in pairwise(edges)
    )
    assert area == pytest.approx(mean_timer_lateness(cycles), rel=1e-6)
    assert timer_lateness_survival(cycles, 0) == pytest.approx(1)
    assert timer_lateness_survival(cycles, max(cycles)) == 0


def test_lateness_of_timers_thrown_at_random_on_the_turns():
    cycles = np.random.default_rng(1).gamma(3, 0.005, 500)
    ends = cycles.cumsum()
    due = np.random.default_rng(2).uniform(0, ends[-1], 200_000)
    late = ends[np.searchsorted(ends, due)] - due
    error = late.std() / math.sqrt(len(late))
    assert abs(late.mean() - mean_timer_lateness(cycles)) < 4 * error
    share = timer_lateness_survival(cycles, 0.010)
    assert abs((late > 0.010).mean() - share) < 4 * math.sqrt(share * (1 - share) / len(late))


def test_hold_timers_of_the_chapter():
    assert hold_timer_expiry_probability(40, 15, 45, 10) == pytest.approx(1 - (1 / 3) ** 10)
    assert hold_timer_expiry_probability(40, 60, 180, 10) == 0
    assert hold_timer_expiry_probability(46, 15, 45) == 1


def test_hold_timer_expiry_is_the_share_of_phases_at_which_the_neighbour_gives_up():
    ages = np.linspace(0, 15, 100_001)  # since the last keepalive, when the block begins
    share = (ages + 37.2 > 45).mean()
    assert hold_timer_expiry_probability(37.2, 15, 45) == pytest.approx(share, abs=1e-4)


@exact
@given(st.floats(0, 50), st.floats(0, 10))
def test_unique_fraction_is_first_changes_over_changes(rate, hold_s):
    x = rate * hold_s
    expected = -math.expm1(-x) / x if x > 1e-300 else 1.0
    assert expected_unique_fraction(rate, hold_s) == pytest.approx(expected, rel=1e-10)


def gathered_share(rates, hold_s, horizon_s, seed):
    """Share of the first prefix's changes that a queue processes: hold from the first change."""
    draw = np.random.default_rng(seed)
    changes = sorted(
        (time_s, prefix)
        for prefix, rate in enumerate(rates)
        for time_s in draw.uniform(0, horizon_s, draw.poisson(rate * horizon_s))
    )
    seen: set[int] = set()
    done, closes_s = 0, -1.0
    for time_s, prefix in changes:
        if time_s > closes_s:
            closes_s, seen = time_s + hold_s, set()
        done += prefix == 0 and prefix not in seen
        seen.add(prefix)
    return done / sum(prefix == 0 for _, prefix in changes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hold_s", "many", "alone"),
    [pytest.param(0.1, 0.952, 0.909, marks=pytest.mark.long), (0.5, 0.787, 0.667)],
)
def test_gathering_among_many_prefixes_and_alone(hold_s, many, alone):
    assert expected_unique_fraction(1, hold_s) == pytest.approx(many, abs=5e-4)
    assert unique_fraction_alone(1, hold_s) == pytest.approx(alone, abs=5e-4)
    assert gathered_share([1], hold_s, 40_000, seed=1) == pytest.approx(alone, rel=0.01)
    assert gathered_share([1] + [4] * 50, hold_s, 4_000, seed=2) == pytest.approx(many, rel=0.015)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: limiting_granularity(0, 0.010, "2010"), "cost_s = 0: must be"),
        (lambda: limiting_granularity(math.nan, 0.010, "2010"), "cost_s = nan: must be"),
        (lambda: limiting_granularity(1e-6, -1, "2010"), "quantum_s = -1: must be"),
        (lambda: limiting_granularity(1e-6, 0.010, "2011"), "rule = '2011': must be one of"),
        (lambda: limiting_granularity(1e-6, 0.010, "2010", 0), "granularity = 0: must be"),
        (lambda: least_longest_run(0, "2010"), "granularity = 0: must be"),
        (lambda: least_longest_run(5, "2011"), "rule = '2011': must be one of"),
        (lambda: cycles_per_run(1.5, 1e-6, 0.010), "granularity = 1.5: must be a whole"),
        (lambda: expected_cycles_per_run(0, 1e-6, 1, 0.010), "granularity = 0: must be"),
        (lambda: expected_cycles_per_run(1, 0, 1, 0.010), "mean_cost_s = 0: must be"),
        (lambda: expected_cycles_per_run(1, 1e-6, -1, 0.010), "shape = -1: must be"),
        (lambda: slice_moments(1, 1e-6, 1, math.inf), "quantum_s = inf: must be"),
        (lambda: mean_timer_lateness([]), r"cycles_s = \[\]: must be a non-empty"),
        (lambda: mean_timer_lateness([1, -1]), r"cycles_s\[1\] = -1: must be"),
        (lambda: mean_timer_lateness([0, 0]), "sum of cycles_s = 0.0: must be"),
        (lambda: timer_lateness_survival([1], -1), "lateness_s = -1: must be"),
        (lambda: hold_timer_expiry_probability(-1, 15, 45), "block_s = -1: must be"),
        (lambda: hold_timer_expiry_probability(1, 0, 45), "keepalive_s = 0: must be"),
        (lambda: hold_timer_expiry_probability(1, 15, 14), "hold_s = 14: must be .* at least 15"),
        (lambda: hold_timer_expiry_probability(1, 15, 45, 0), "sessions = 0: must be"),
        (lambda: expected_unique_fraction(-1, 1), "rate = -1: must be"),
        (lambda: expected_unique_fraction(1, "x"), "hold_s = 'x': must be"),
        (lambda: unique_fraction_alone(1, -1), "hold_s = -1: must be"),
        (lambda: can_have_made(0, "2010"), "granularity = 0: must be"),
        (lambda: can_have_made(3, "2011"), "rule = '2011': must be one of"),
    ],
)
def test_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_rules_have_the_names_of_their_dates():
    assert set(GROWTH_RULES) == {*RULES, "fixed"}
