import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import lambertw

from tunables.theory.caching import (
    CYCLIC_POLICIES,
    che_approximation,
    cliff_capacity,
    cycle_time,
    cyclic_hit_ratio,
    shuffled_hit_ratio,
    slowdown,
    zigzag_hit_ratio,
)

GRAPHS, CAPACITY, COST_RATIO = 40_000, 36_562, 20
exact = settings(deadline=None, derandomize=True, max_examples=100)
weights = st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=30)


@pytest.mark.parametrize(
    ("hit_ratio", "expected"),
    [
        (cyclic_hit_ratio(GRAPHS, CAPACITY, "lru"), 20),
        (shuffled_hit_ratio(CAPACITY / GRAPHS), 6.64),
        (cyclic_hit_ratio(GRAPHS, CAPACITY, "random"), 4.17),
        (cyclic_hit_ratio(GRAPHS, CAPACITY, "2q"), 4.01),
        (zigzag_hit_ratio(CAPACITY / GRAPHS), 2.63),
        (cyclic_hit_ratio(GRAPHS, CAPACITY, "opt"), 2.63),
    ],
)
def test_slowdown_just_over_the_capacity(hit_ratio, expected):
    assert slowdown(hit_ratio, COST_RATIO) == pytest.approx(expected, abs=0.005)


def test_random_keeps_nine_in_ten_at_a_capacity_where_lru_keeps_none():
    assert cyclic_hit_ratio(GRAPHS, 37_965, "random") >= 0.9
    assert cyclic_hit_ratio(GRAPHS, 37_964, "random") < 0.9
    assert cyclic_hit_ratio(GRAPHS, 37_965, "lru") == 0


@exact
@given(st.integers(2, 10**6), st.floats(1e-4, 0.999))
def test_random_is_the_lambert_w_form(objects, fraction):
    ratio = objects / (objects * fraction)
    expected = -lambertw(-ratio * np.exp(-ratio)).real / ratio
    capacity = objects * fraction
    h = cyclic_hit_ratio(objects, capacity, "random")
    assert h == (0 if capacity < 1 else pytest.approx(expected, rel=1e-6))


@pytest.mark.parametrize("excess", [1e-3, 1e-4, 1e-5, 1e-6])
def test_random_just_over_the_capacity_follows_its_series(excess):
    # h = exp(-r(1 - h)) with r = 1 + e: h = 1 - 2e + 8e^2/3 + O(e^3)
    h = cyclic_hit_ratio(10**9, 10**9 / (1 + excess), "random")
    assert h == pytest.approx(1 - 2 * excess + 8 * excess**2 / 3, abs=20 * excess**3 + 1e-9)


def test_random_far_over_the_capacity_goes_to_zero():
    assert cyclic_hit_ratio(10**6, 10, "random") == 0
    assert 0 < cyclic_hit_ratio(10**4, 100, "random") < 1e-40


@exact
@given(st.integers(1, 10**6), st.floats(0, 2), st.sampled_from(CYCLIC_POLICIES))
def test_no_admitting_policy_beats_opt_and_all_hit_once_everything_fits(objects, fraction, policy):
    h = cyclic_hit_ratio(objects, objects * fraction, policy)
    most = "bypass" if policy == "bypass" else "opt"
    bound = cyclic_hit_ratio(objects, objects * fraction, most)
    # 2q and random are limits of many objects, one part in the capacity above the finite cache
    slack = 3 / max(objects * fraction, 1) if policy in ("2q", "random") else 0
    assert 0 <= h <= bound + slack
    if fraction >= 1:
        assert h == 1


@pytest.mark.parametrize("policy", CYCLIC_POLICIES)
def test_an_empty_cache_hits_nothing(policy):
    assert cyclic_hit_ratio(10, 0, policy) == 0


@exact
@given(st.integers(2, 10**6), st.data())
def test_bypass_keeps_what_fits_and_beats_opt_by_the_place_that_opt_must_give_away(objects, data):
    capacity = data.draw(st.integers(1, objects - 1))
    h, opt = (cyclic_hit_ratio(objects, capacity, policy) for policy in ("bypass", "opt"))
    assert h == capacity / objects == zigzag_hit_ratio(capacity / objects)
    assert h - opt == pytest.approx((objects - capacity) / (objects * (objects - 1)), abs=1e-12)
    assert h > opt


def most_hits(files, places, admit_every_miss):
    """The best hit ratio of any policy on a cyclic scan, by searching all of them."""
    scans = 4 * files  # of the last of them the mean no longer depends on the start
    best: dict[frozenset, int] = {frozenset(): 0}
    total = []
    for now in range(scans * files):
        x = now % files
        after: dict[frozenset, int] = {}
        for held, hits in best.items():
            if x in held:
                reached = [held]
            else:
                full = len(held) == places
                reached = [(held - {y}) | {x} for y in held] if full else [held | {x}]
                reached += [] if admit_every_miss else [held]
            for state in reached:
                after[state] = max(after.get(state, 0), hits + (x in held))
        best = after
        total.append(max(best.values()))
    period = files * (files - 1)
    return (total[-1] - total[-1 - period]) / period


@pytest.mark.parametrize(("files", "places"), [(3, 1), (3, 2), (4, 2), (4, 3), (5, 3), (5, 4)])
def test_the_best_of_all_policies_on_a_small_scan(files, places):
    free, admitting = (most_hits(files, places, every) for every in (False, True))
    assert free == pytest.approx(cyclic_hit_ratio(files, places, "bypass"))
    assert admitting == pytest.approx(cyclic_hit_ratio(files, places, "opt"))


@exact
@given(st.floats(0, 1))
def test_orders_between_the_cliff_and_opt(fraction):
    shuffled, zigzag = shuffled_hit_ratio(fraction), zigzag_hit_ratio(fraction)
    assert -1e-15 <= shuffled <= zigzag == fraction


def test_shuffled_is_the_mean_over_the_two_positions_of_an_object():
    # An object at u in one scan and v in the next has u', v others in between: (1 - u) + v
    # minus those counted twice, (1 - u) v; a hit if that is at most c.
    positions = (np.arange(4000) + 0.5) / 4000
    since = (1 - positions)[:, None] + positions - (1 - positions)[:, None] * positions
    for fraction in (0.1, 0.5, 0.9):
        assert shuffled_hit_ratio(fraction) == pytest.approx((since <= fraction).mean(), abs=1e-3)


def test_shuffled_at_its_ends():
    assert shuffled_hit_ratio(0) == 0
    assert shuffled_hit_ratio(1) == 1


@exact
@given(st.floats(0, 1), st.floats(1, 1e6), st.integers(0, 10**6), st.floats(1e-9, 1))
def test_cycle_time_is_n_hits_times_the_slowdown(hit_ratio, cost_ratio, objects, hit_s):
    time = cycle_time(objects, hit_ratio, hit_s, cost_ratio * hit_s)
    assert time == pytest.approx(objects * hit_s * slowdown(hit_ratio, cost_ratio))


def test_is_the_scan_late():
    assert cycle_time(40_000, 0, 0.00025, 0.005) == pytest.approx(200)
    assert cycle_time(60_000, 0, 0.00025, 0.005) == pytest.approx(300)


def test_cliff_without_other_traffic_is_at_all_objects():
    assert cliff_capacity(30_000, [1, 2, 3], 0) == 30_000


@exact
@given(weights, st.floats(0.01, 0.99))
def test_cliff_lies_between_the_scan_and_everything(popularity, fraction):
    capacity = cliff_capacity(1000, popularity, fraction)
    assert 1000 <= capacity <= 1000 + len(popularity)
    assert capacity == pytest.approx(cliff_capacity(1000, [7 * p for p in popularity], fraction))


@exact
@given(weights, st.floats(0.01, 0.99), st.sampled_from(["lru", "fifo", "random"]))
def test_che_fills_the_cache(popularity, fraction, policy):
    p = np.array(popularity) / sum(popularity)
    capacity = fraction * len(p)
    hit_ratio, time = che_approximation(popularity, capacity, policy)

    def resident(at):
        return 1 - np.exp(-p * at) if policy == "lru" else p * at / (1 + p * at)

    top = 1.0
    while resident(top).sum() < capacity:
        top *= 2
    expected = brentq(lambda at: resident(at).sum() - capacity, 0, top, xtol=1e-12, rtol=1e-13)
    assert time == pytest.approx(expected, rel=1e-6)
    assert hit_ratio == pytest.approx(p @ resident(expected), rel=1e-6)


@pytest.mark.parametrize("policy", ["lru", "fifo", "random"])
def test_che_on_equal_popularity_hits_the_cached_share(policy):
    assert che_approximation([1] * 50, 20, policy)[0] == pytest.approx(0.4)


def test_che_at_its_ends():
    assert che_approximation([3, 2, 1], 0) == (0, 0)
    assert che_approximation([3, 2, 1, 0], 3) == (1, math.inf)


@exact
@given(weights, st.floats(0.05, 0.95))
def test_che_puts_lru_above_fifo(popularity, fraction):
    capacity = fraction * len(popularity)
    lru = che_approximation(popularity, capacity, "lru")[0]
    assert lru >= che_approximation(popularity, capacity, "fifo")[0] - 1e-9


NOT_NUMBERS = [math.nan, math.inf, -1, None, "many"]


@pytest.mark.parametrize("value", [*NOT_NUMBERS, 0, 2.5])
def test_bad_objects(value):
    with pytest.raises(ValueError, match="objects"):
        cyclic_hit_ratio(value, 10, "lru")
    with pytest.raises(ValueError, match="objects"):
        cliff_capacity(value, [1], 0.5)


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_bad_capacity(value):
    with pytest.raises(ValueError, match="capacity"):
        cyclic_hit_ratio(10, value, "lru")
    with pytest.raises(ValueError, match="capacity"):
        che_approximation([1, 2], value)


@pytest.mark.parametrize("value", ["lruu", "LRU", None, 3])
def test_bad_policy(value):
    with pytest.raises(ValueError, match="policy"):
        cyclic_hit_ratio(10, 5, value)
    with pytest.raises(ValueError, match="policy"):
        che_approximation([1, 2], 1, value)


@pytest.mark.parametrize("value", [*NOT_NUMBERS, 1.001])
def test_bad_fractions(value):
    for function in (zigzag_hit_ratio, shuffled_hit_ratio):
        with pytest.raises(ValueError, match="fraction"):
            function(value)
    with pytest.raises(ValueError, match="hit_ratio"):
        slowdown(value, 20)
    with pytest.raises(ValueError, match="hit_ratio"):
        cycle_time(10, value, 0.1, 0.2)
    with pytest.raises(ValueError, match="independent_fraction"):
        cliff_capacity(10, [1], value)


def test_all_traffic_independent_has_no_scan():
    with pytest.raises(ValueError, match="independent_fraction"):
        cliff_capacity(10, [1], 1)


@pytest.mark.parametrize("value", [*NOT_NUMBERS, 0])
def test_bad_cost_ratio(value):
    with pytest.raises(ValueError, match="cost_ratio"):
        slowdown(0.5, value)


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_bad_times(value):
    with pytest.raises(ValueError, match="hit_s"):
        cycle_time(10, 0.5, value, 0.1)
    with pytest.raises(ValueError, match="miss_s"):
        cycle_time(10, 0.5, 0.1, value)


@pytest.mark.parametrize("value", [[], [0, 0], [1, -1], [1, math.nan], [math.inf], "12", None, 3])
def test_bad_popularity(value):
    with pytest.raises(ValueError, match="popularity"):
        che_approximation(value, 1)
    with pytest.raises(ValueError, match="popularity"):
        cliff_capacity(10, value, 0.5)
