"""A work queue that drains in slices, as in the routing daemon Quagga and its successor FRR."""

from functools import partial
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import choice, in_short, integer
from tunables.base.kinds import Numbers
from tunables.base.refusals import refusal
from tunables.simulators.arrays import Floats, Integers, describe
from tunables.simulators.compiled import plain
from tunables.simulators.nanoseconds import LONGEST_S, nanosecond_array, nanoseconds
from tunables.simulators.work_queue_kernel import drain, grow
from tunables.simulators.work_queue_reference import Growth, drain_reference
from tunables.theory.slicing import GROWTH_RULES


class Drain(NamedTuple):
    """One entry per run, in order.

    `cycles`: items taken; `granularity` and `best` (most items in a run so far): values after the
    run; `slice_s`: length of the run; `checks`: checks of the clock.
    """

    cycles: Integers
    granularity: Integers
    best: Integers
    slice_s: Floats
    checks: Integers

    def __repr__(self) -> str:
        return describe(self)


def growth_rule(rule: str) -> Growth:
    """Return a rule of `GROWTH_RULES` as a function of (cycles, granularity).

    >>> growth_rule("2010")(40, 8)
    12
    """
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    return partial(plain(grow), factor=factor, ramp=ramp)


def drain_work_queue(
    costs_s: Numbers,
    quantum_s: float = 0.010,
    rule: str | Growth = "2005-05-06",
    granularity: int = 1,
    check_cost_s: float = 0.0,
) -> Drain:
    """Drain a work queue whose items take costs_s (seconds, in order), run by run.

    A run takes items, checks the clock whenever the number taken is a multiple of the
    granularity, and yields if more than quantum_s has passed. The rule then sets the
    granularity of the next run: a name of `GROWTH_RULES`, or a function (cycles, granularity)
    -> granularity, called after each run of at least granularity items (plain Python, slow).
    Times are rounded to nanoseconds and then added exactly.

    Raises ValueError for empty costs, a time that is negative, not finite or above 4e9 s in
    sum, an unknown rule, or a granularity that is not a whole number at least 1.
    Source: Quagga and FRRouting, lib/workqueue.c, versions of the rule's date.

    >>> drain = drain_work_queue([0.000217] * 300_000)
    >>> drain.cycles[:8].tolist(), len(drain.cycles), int(drain.granularity[-1])
    ([47, 48, 50, 49, 54, 55, 52, 60], 5999, 25)
    >>> drain = drain_work_queue([0.000217] * 300, quantum_s=0.010, check_cost_s=1e-6)
    >>> drain.cycles.tolist()
    [46, 48, 50, 49, 54, 53]
    """
    costs_ns = nanosecond_array("costs_s", costs_s)
    quantum_ns = nanoseconds("quantum_s", quantum_s)
    check_ns = nanoseconds("check_cost_s", check_cost_s)
    granularity = integer("granularity", granularity, at_least=1, at_most=2**31)
    if len(costs_ns) * check_ns > LONGEST_S * 1e9:
        raise refusal(
            f"check_cost_s = {in_short(check_cost_s)}: must add up to at most {LONGEST_S:g} "
            "s over all checks"
        )
    if callable(rule):
        listed = drain_reference(costs_ns.tolist(), quantum_ns, rule, granularity, check_ns)
        rows = np.array(listed, dtype=np.int64).T
    else:
        factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
        rows = np.empty((5, len(costs_ns)), dtype=np.int64)
        settings = (quantum_ns, factor, ramp, granularity, check_ns)
        runs, _, _ = drain(costs_ns, *settings, rows, np.empty(0, dtype=np.int64))
        rows = rows[:, :runs].copy()
    cycles, after, best, slice_ns, checks = rows
    return Drain(cycles, after, best, slice_ns / 1e9, checks)
