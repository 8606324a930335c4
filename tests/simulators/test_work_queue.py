"""The drain against the daemon's own trajectories, its plain reference, SimPy and closed forms."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simpy_work_queue import simpy_drain
from tunables.simulators.nanoseconds import nanosecond_array
from tunables.simulators.work_queue import Drain, drain_work_queue, growth_rule
from tunables.simulators.work_queue_reference import drain_reference
from tunables.theory.slicing import (
    GROWTH_RULES,
    cycles_per_run,
    expected_cycles_per_run,
    slice_moments,
)

exact = settings(deadline=None, derandomize=True, max_examples=200)
rules = st.sampled_from(sorted(GROWTH_RULES))
costs_ns = st.lists(st.integers(0, 3_000_000), min_size=1, max_size=300)

# runs, final granularity, best, longest slice in ms, checks: recorded from the daemon's own
# C code, run under a fake clock with a quantum of 10 ms
TRAJECTORIES = {
    (5e-6, 300_000, "2005-05-06"): (145, 291, 2280, 11.400, 7011),
    (5e-6, 300_000, "2005-05-23"): (133, 760, 2664, 13.320, 4448),
    (5e-6, 300_000, "2010"): (143, 504, 2500, 12.500, 3341),
    (217e-6, 300_000, "2005-05-06"): (5999, 25, 69, 14.973, 12084),
    (217e-6, 300_000, "2005-05-23"): (6250, 24, 66, 14.322, 12583),
    (217e-6, 300_000, "2010"): (6251, 12, 48, 10.416, 25053),
    (0.015, 400, "2005-05-06"): (400, 1, 1, 15.0, 400),
    (0.015, 400, "2005-05-23"): (400, 1, 1, 15.0, 400),
    (0.015, 400, "2010"): (400, 1, 1, 15.0, 400),
}


@pytest.mark.parametrize(("cost_s", "items", "rule"), TRAJECTORIES)
def test_equals_the_trajectory_of_the_daemons_c_code(cost_s, items, rule):
    drain = drain_work_queue([cost_s] * items, rule=rule)
    assert (
        len(drain.cycles),
        drain.granularity[-1],
        drain.best[-1],
        round(drain.slice_s.max() * 1000, 6),
        drain.checks.sum(),
    ) == TRAJECTORIES[cost_s, items, rule]


def test_the_first_runs_of_the_published_rule():
    drain = drain_work_queue([217e-6] * 1000)
    assert drain.cycles[:8].tolist() == [47, 48, 50, 49, 54, 55, 52, 60]


@pytest.mark.parametrize(
    ("rule", "runs"), [("2005-05-06", 6112), ("2005-05-23", 6367), ("2010", 6368)]
)
def test_runs_of_the_exercise(rule, runs):
    assert len(drain_work_queue([217e-6] * 305_620, rule=rule).cycles) == runs


def rows(drain):
    slice_ns = np.rint(drain.slice_s * 1e9).astype(np.int64)
    columns = (drain.cycles, drain.granularity, drain.best, slice_ns, drain.checks)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@exact
@given(costs_ns, st.integers(0, 20_000_000), rules, st.integers(1, 40), st.integers(0, 100_000))
def test_kernel_equals_reference(costs, quantum, rule, granularity, check):
    fast = drain_work_queue([c / 1e9 for c in costs], quantum / 1e9, rule, granularity, check / 1e9)
    plain = drain_reference(costs, quantum, growth_rule(rule), granularity, check)
    assert rows(fast) == plain


@exact
@given(costs_ns, st.integers(0, 20_000_000), rules)
def test_equals_simpy(costs, quantum, rule):
    fast = drain_work_queue([c / 1e9 for c in costs], quantum / 1e9, rule)
    assert rows(fast) == simpy_drain(costs, quantum, *GROWTH_RULES[rule])


def test_equals_simpy_on_the_published_queue():
    costs_s = np.random.default_rng(6).gamma(0.8, 0.00036 / 0.8, 320_975)
    peer = simpy_drain(nanosecond_array("costs_s", costs_s).tolist(), 10_000_000, 2, False)
    assert rows(drain_work_queue(costs_s)) == peer


@exact
@given(costs_ns, st.integers(0, 20_000_000), rules, st.integers(1, 40))
def test_every_item_runs_once_and_granularity_never_falls(costs, quantum, rule, granularity):
    drain = drain_work_queue([c / 1e9 for c in costs], quantum / 1e9, rule, granularity)
    assert drain.cycles.sum() == len(costs)
    assert round(drain.slice_s.sum() * 1e9) == sum(costs)
    assert (np.diff([granularity, *drain.granularity]) >= 0).all()
    before = np.array([granularity, *drain.granularity[:-1]])
    assert (drain.cycles[:-1] % before[:-1] == 0).all()  # a run yields at a multiple of it
    assert (drain.checks == drain.cycles // before).all()


@pytest.mark.parametrize("granularity", [1, 7, 29, 300])
def test_equal_costs_take_the_cycles_of_the_closed_form(granularity):
    drain = drain_work_queue([217e-6] * 20_000, rule="fixed", granularity=granularity)
    expected = cycles_per_run(granularity, 217e-6, 0.010)
    assert set(drain.cycles[:-1].tolist()) == {expected}


@pytest.mark.parametrize("granularity", [1, 29])
def test_gamma_costs_give_the_moments_of_the_closed_form(granularity):
    costs_s = np.random.default_rng(8).gamma(0.8, 0.00033 / 0.8, 400_000)
    drain = drain_work_queue(costs_s, rule="fixed", granularity=granularity)
    cycles, lengths = drain.cycles[:-1], drain.slice_s[:-1]
    mean, square = slice_moments(granularity, 0.00033, 0.8, 0.010)
    for closed, sample in (
        (expected_cycles_per_run(granularity, 0.00033, 0.8, 0.010), cycles),
        (mean, lengths),
        (square, lengths**2),
    ):
        assert abs(closed - sample.mean()) < 4 * sample.std() / math.sqrt(len(sample))


def test_fast_items_then_slow_ones_meet_the_ratchet():
    costs_s = [5e-6] * 200_000 + [1e-3] * 2000
    longest_s = {
        rule: drain_work_queue(costs_s, rule=rule).slice_s.max()
        for rule in ("2005-05-06", "2005-05-23", "2010")
    }
    assert longest_s == {"2005-05-06": 0.197, "2005-05-23": 0.666, "2010": 0.504}


def test_a_function_runs_as_a_rule():
    def capped_rule(cycles, granularity):
        return min(8, growth_rule("2010")(cycles, granularity))

    drain = drain_work_queue([5e-6] * 200_000 + [1e-3] * 2000, rule=capped_rule)
    assert drain.granularity.max() == 8
    assert drain.slice_s.max() <= 0.010 + 8 * 1e-3
    assert isinstance(drain, Drain)


def test_a_named_rule_and_its_function_do_the_same():
    costs_s = np.random.default_rng(3).gamma(0.8, 0.0004, 5000)
    fast, plain = (drain_work_queue(costs_s, rule=r) for r in ("2010", growth_rule("2010")))
    assert rows(fast) == rows(plain)


def test_checks_of_the_clock_take_their_cost():
    drain = drain_work_queue([1e-3] * 100, check_cost_s=1e-3, rule="fixed")
    assert drain.cycles[0] == 6  # 6 items and 6 checks: the first sum above 10 ms
    assert drain.slice_s[0] == 0.012


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from tunables.simulators.work_queue import drain_work_queue
drain = drain_work_queue([217e-6] * 1000, rule="2010")
print([column.tolist() for column in drain])
"""


def test_the_same_without_numba():
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], check=True, capture_output=True, text=True
    )
    drain = drain_work_queue([217e-6] * 1000, rule="2010")
    assert run.stdout.strip() == str([column.tolist() for column in drain])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"costs_s": []}, r"costs_s = \[\]: must be a non-empty sequence"),
        ({"costs_s": None}, "costs_s = None: must be a non-empty sequence"),
        ({"costs_s": 0.5}, "costs_s = 0.5: must be a non-empty sequence"),
        ({"costs_s": "abc"}, "costs_s = 'abc': must be a non-empty sequence"),
        ({"costs_s": [[1.0, 2.0]]}, r"costs_s = \[\[1.0, 2.0\]\]: must be a non-empty sequence"),
        ({"costs_s": [1e-3, -1e-9]}, r"costs_s\[1\] = -1e-09: must be .* at least 0"),
        ({"costs_s": [math.nan]}, r"costs_s\[0\] = nan: must be"),
        ({"costs_s": [1.0, math.inf]}, r"costs_s\[1\] = inf: must be"),
        ({"costs_s": [3e9, 3e9]}, "sum of costs_s = .*6000000000.*: must be"),
        ({"quantum_s": -0.01}, "quantum_s = -0.01: must be"),
        ({"quantum_s": math.nan}, "quantum_s = nan: must be"),
        ({"rule": "2011"}, "rule = '2011': must be one of"),
        ({"rule": None}, "rule = None: must be one of"),
        ({"rule": lambda cycles, g: 0}, r"rule\(cycles, granularity\) = 0: must be a whole"),
        ({"granularity": 0}, "granularity = 0: must be a whole"),
        ({"granularity": 2.5}, "granularity = 2.5: must be a whole"),
        ({"check_cost_s": -1}, "check_cost_s = -1: must be"),
        ({"check_cost_s": 3e9}, "check_cost_s = .*: must add up to at most"),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        drain_work_queue(**({"costs_s": [1e-3, 2e-3]} | arguments))
