"""What chapter 3 and its lesson claim beside their numbers, and the model answers."""

from itertools import pairwise

import numpy as np
import pytest

from tests.assignments.submissions import model_answers
from tests.chapters.cache_cliff.prose import (
    C80,
    C98,
    CAPACITY,
    ENTRIES,
    HALF_DIGIT,
    LEAST_BYTES,
    LEAST_X,
    MOST_BYTES,
    MOST_X,
    SCHEMES,
    THERE_AND_BACK,
    N,
    R,
    after_growth,
    depths,
    fifo_keeps_half,
    first_of_two,
    from_empty,
    hits,
    room,
    width_percent,
    zipf,
)
from tunables.chapters.cache_cliff.case import miss_cost_of_a_slope, proportion
from tunables.chapters.cache_cliff.exam import exam
from tunables.chapters.cache_cliff.predictor import GIB_BYTES
from tunables.core.registry import find_case
from tunables.simulators.caches import (
    cyclic_trace,
    grown_trace,
    shuffled_trace,
    simulate_policy,
    stack_distances,
    zigzag_trace,
)
from tunables.theory.cache_memory import grown_hit_ratio
from tunables.theory.caching import (
    cliff_capacity,
    cyclic_hit_ratio,
    shuffled_hit_ratio,
    slowdown,
)


def test_90_000_is_inside_the_bracket_and_900_000_far_outside():
    least, most = 8 * GIB_BYTES / MOST_BYTES, 8 * GIB_BYTES / LEAST_BYTES
    assert least <= C98 <= most
    assert 10 * C98 / most == pytest.approx(8, abs=0.5)


def test_two_points_fix_two_parameters_and_zero_is_among_their_offsets():
    assert LEAST_X < 0 < MOST_X


def test_the_prediction_is_missed_by_less_than_its_digits_allow_and_more_than_half_of_that():
    assert HALF_DIGIT / 2 < abs(room(8, 80) - C80) < HALF_DIGIT


def test_one_number_is_predicted():
    [predicted] = [n.value for n in find_case("rrd").numbers if n.status == "predicted"]
    assert predicted == C80


def test_the_numbers_that_the_lesson_calls_fitted_are():
    assert {n.value for n in find_case("rrd").numbers if n.status == "calibrated"} == {R, C98}


def test_the_rule_of_three_gives_the_room_and_needs_a_costly_miss():
    assert int(proportion()["graphs-at-80-percent"]) == room(8, 80)
    assert slowdown(CAPACITY / N, miss_cost_of_a_slope()) == pytest.approx(R, rel=1e-3)


@pytest.mark.parametrize("policy", ["fifo", "clock", "sieve"])
@pytest.mark.parametrize("entry", ["end", "middle", "quarter"])
def test_the_simulated_table_agrees_with_the_closed_forms(policy, entry):
    expected = grown_hit_ratio(N, CAPACITY, ENTRIES[entry], policy)
    assert after_growth(policy, N, entry) == pytest.approx(expected, abs=1e-9)


def test_lru_and_arc_forget_their_history_and_2q_loses_by_it():
    for policy in ("lru", "arc"):
        assert {after_growth(policy, N, entry) for entry in ENTRIES} == {from_empty(policy, N)}
    start = from_empty("2q", N)
    assert all(after_growth("2q", N, entry) < start for entry in ENTRIES if entry != "end")
    assert after_growth("2q", N, "end") == pytest.approx(start, abs=0.002)


def test_clock_still_hits_after_sixty_rounds_with_one_file_too_many():
    assert after_growth("clock", CAPACITY + 1, "middle") == pytest.approx(0.5, abs=1e-4)


def test_fifo_keeps_half_of_its_hits_wherever_both_sides_have_as_many_files_as_are_new():
    keeps = fifo_keeps_half()
    assert keeps == list(range(keeps[0], keeps[-1] + 1))


def test_new_files_spread_evenly_leave_fifo_half_of_its_hits_below_twice_the_room():
    below, at = (
        simulate_policy(grown_trace(100, n, "spread", 80), 100, "fifo", 200 + 60 * n)
        for n in (199, 200)
    )
    assert (below / (20 * 199), at) == (0.5, 0)


def test_a_new_file_between_two_leaves_fifo_two_hits_and_one_in_turn():
    """The chapter calls them 1, N, 2; the trace has two scans before the new file."""
    trace = grown_trace(2, 3, 1, 6)
    found = [simulate_policy(trace[:n], 2, "fifo") for n in range(4, len(trace) + 1)]
    outcomes = [after - before for before, after in pairwise(found)]
    assert outcomes == [1, 0, 1, 0, 1, 0] * 3
    assert simulate_policy(cyclic_trace(3, 8), 2, "fifo") == 0  # after a restart


def test_2q_falls_to_zero_above_one_and_a_half_times_its_room():
    at, above = (
        simulate_policy(cyclic_trace(files, 60), 400, "2q", warmup=20 * files)
        for files in (600, 601)
    )
    assert at > 0.4 * 40 * 600
    assert above == 0
    assert cyclic_hit_ratio(int(1.5 * CAPACITY), CAPACITY, "2q") > 0
    assert cyclic_hit_ratio(int(1.5 * CAPACITY) + 1, CAPACITY, "2q") == 0


def test_four_files_and_room_for_three():
    assert simulate_policy(zigzag_trace(4, 12), 3, "lru", warmup=16) == 6 / 8 * 32


def test_which_policies_and_orders_turn_the_cliff_into_a_slope():
    """Simulate a twentieth too many files."""
    files, places = 420, 400
    orders = {
        "same": cyclic_trace(files, 40),
        "backwards": zigzag_trace(files, 40),
        "shuffled": shuffled_trace(files, 40, seed=1),
    }

    def share(policy, order="same"):
        found = simulate_policy(orders[order], places, policy, warmup=10 * files, seed=1)
        return found / (30 * files)

    for same_cliff in ("lru", "fifo", "clock", "sieve", "arc"):
        assert share(same_cliff) == 0
    slopes = [share(policy) for policy in ("mru", "random", "bypass")]
    slopes += [share("lru", order) for order in ("backwards", "shuffled")]
    assert min(slopes) > 0.75


@pytest.mark.parametrize(
    ("files", "popularity"),
    [(3_000, zipf(2_000)), (100, zipf(60)), (20, [1] * 50)],
)
def test_other_traffic_moves_the_cliff(files, popularity):
    step = cliff_capacity(files, popularity, 0.3)
    assert depths(files, tuple(popularity)).mean() == pytest.approx(step, rel=0.005)


def test_other_traffic_hardly_softens_the_cliff_if_the_files_are_many():
    many, few, fewest = (
        width_percent(*traffic)
        for traffic in ((3_000, zipf(2_000)), (100, zipf(60)), (20, [1] * 50))
    )
    assert many < 2 < few < fewest


def test_each_of_two_collectors_keeps_its_cliff():
    """They take turns at random, nine to one; the first one's cliff is steep."""
    own, others, share = 3_000, 1_000, 0.9
    turns = np.random.default_rng(5).random(90_000) < share
    trace = np.where(turns, np.cumsum(turns) % own, own + np.cumsum(~turns) % others)
    found = stack_distances(trace)[30_000:]
    first, second = found[turns[30_000:]], found[~turns[30_000:]]
    cliff = first_of_two(own, share)
    assert np.mean(first) == pytest.approx(cliff, rel=0.003)
    low, high = np.quantile(first, [0.05, 0.95])
    assert (high - low) / cliff < 0.03, "a slope as wide as its share of the traffic would be 0.1"
    assert np.quantile(second, 0.05) == own + others


def test_eleven_schemes_simulate_to_the_digits_of_their_formulas_and_2q_to_1_per_cent():
    case = find_case("rrd")
    off = {}
    for scheme in SCHEMES:
        settings = case.settings(scheme=scheme)
        mean, half_width = case.simulate(1, **settings)["slowdown"]
        off[scheme] = abs(mean - case.predict(**settings)["slowdown"]) - half_width
    assert [scheme for scheme in SCHEMES if off[scheme] > 0.005] == ["2q"]
    assert off["2q"] < 0.01 * case.predict(**case.settings(scheme="2q"))["slowdown"]


def test_in_the_lessons_game_nobody_is_sitting_unless_every_second_round_runs_backwards():
    """Four students, three chairs."""
    assert hits([1, 2, 3, 4] * 3) == 0
    second, third = (hits(THERE_AND_BACK * n) - hits(THERE_AND_BACK * (n - 1)) for n in (2, 3))
    assert second / 8 == third / 8 == 3 / 4


def test_the_fourth_and_the_eighth_call_of_the_lessons_second_round_miss():
    warm = THERE_AND_BACK * 2
    missed = [k for k in range(1, 9) if hits(warm[: 8 + k]) == hits(warm[: 7 + k])]
    assert missed == [4, 8]


def test_the_model_answers_to_the_open_questions():
    shares = (CAPACITY / N, *(cyclic_hit_ratio(N, CAPACITY, policy) for policy in ("random", "2q")))
    reverse, chance, queues = (f"{slowdown(h, R):.2f}" for h in shares)
    shuffled = f"{slowdown(shuffled_hit_ratio(CAPACITY / N), R):.2f}"
    assert f"{cyclic_hit_ratio(N, CAPACITY, 'bypass'):.6f}" == f"{CAPACITY / N:.6f}"
    answer = f"reverse, bypass and MRU {reverse}, random {chance}, 2Q {queues}, shuffle {shuffled}"
    assert answer in model_answers("cache_cliff")


def test_the_exam_asks_for_the_mean_capacity():
    """With few objects the capacity at which the scan hits varies by a third per round."""
    assert "on average" in exam()["company"].text
    assert "give the mean" in model_answers("cache_cliff")
