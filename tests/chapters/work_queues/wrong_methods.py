"""Wrong ways through the problems of chapter 6."""

import math

GROWTH = {"2005-05-06": 2, "2005-05-23": 2, "2010": 4}


def _affordable(given):
    return math.floor(given["quantum_s"] / given["cost_s"] + 1e-9)


def the_quantum(given):
    return 1000 * given["quantum_s"]


def quantum_and_a_block(given):
    return 1000 * (given["quantum_s"] + given["granularity"] * given["cost_s"])


def quantum_and_half_a_block(given):
    return 1000 * (given["quantum_s"] + given["granularity"] * given["cost_s"] / 2)


def blocks_that_fit(given):
    g = given["granularity"]
    return 1000 * (_affordable(given) // g) * g * given["cost_s"]


def runs_of_a_quantum(given):
    return math.ceil(given["items"] / _affordable(given))


def runs_of_a_block(given):
    return math.ceil(given["items"] / given["granularity"])


def runs_of_blocks_that_fit(given):
    g = given["granularity"]
    return math.ceil(given["items"] / max(g, _affordable(given) // g * g))


def runs_of_a_block_too_many(given):
    return given["items"] / (_affordable(given) + given["granularity"])


def all_that_fit(given):
    return _affordable(given)


def fit_over_the_factor(given):
    return _affordable(given) // GROWTH[given["rule"]]


def p_of(given, fill):
    n = given["sessions"]
    return 100 * (1 - (1 - min(1, fill)) ** n)


def _one_session(given):
    k = given["keepalive_s"]
    return (given["block_s"] - (given["hold_s"] - k)) / k


def one_session_only(given):
    return 100 * _one_session(given)


def chances_added(given):
    return 100 * min(1, given["sessions"] * _one_session(given))


def all_sessions_at_once(given):
    return 100 * _one_session(given) ** given["sessions"]


def block_over_hold(given):
    return p_of(given, given["block_s"] / given["hold_s"])


def _changes(given):
    return given["rate"] * given["hold_s"]


def windows_begun_by_a_change(given):
    return 100 / (1 + _changes(given))


def chance_of_no_change(given):
    return 100 * math.exp(-_changes(given))


def chance_of_a_change(given):
    return 100 * (1 - math.exp(-_changes(given)))


def half_the_mean_turn(given):
    return 1000 * sum(given["cycles_s"]) / len(given["cycles_s"]) / 2


def half_the_longest_turn(given):
    return 1000 * max(given["cycles_s"]) / 2


def the_mean_turn_met(given):
    squares = sum(turn * turn for turn in given["cycles_s"])
    return 1000 * squares / sum(given["cycles_s"])


WRONG = {
    "slice-length": (the_quantum, quantum_and_a_block, quantum_and_half_a_block, blocks_that_fit),
    "runs": (runs_of_a_quantum, runs_of_a_block, runs_of_blocks_that_fit, runs_of_a_block_too_many),
    "limit": (all_that_fit, fit_over_the_factor),
    "hold-timers": (one_session_only, chances_added, all_sessions_at_once, block_over_hold),
    "gather": (windows_begun_by_a_change, chance_of_no_change, chance_of_a_change),
    "timer-lateness": (half_the_mean_turn, half_the_longest_turn, the_mean_turn_met),
}


def steps_forgotten(given):
    """Take the first number that is large enough, whether the rule gets there or not."""
    return _affordable(given) // GROWTH[given["rule"]] + 1


BLIND = {"limit": (steps_forgotten,)}
