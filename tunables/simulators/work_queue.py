"""A work queue that drains in slices, as the routing daemon Quagga and its heir FRR do it."""

from functools import partial
from typing import NamedTuple

import numpy as np

from tunables.arguments import choice, whole
from tunables.simulators.compiled import compiled
from tunables.simulators.nanoseconds import LONGEST_S, nanosecond_array, nanoseconds
from tunables.simulators.work_queue_reference import Growth, drain_reference
from tunables.theory.slicing import GROWTH_RULES


class Drain(NamedTuple):
    """One entry a run, in order.

    `cycles`: items taken; `granularity` and `best` (most items of a run so far): as they stand
    after the run; `slice_s`: length of the run; `checks`: looks at the clock.
    """

    cycles: np.ndarray
    granularity: np.ndarray
    best: np.ndarray
    slice_s: np.ndarray
    checks: np.ndarray


def grow(cycles: int, granularity: int, factor: int, ramp: bool) -> int:
    """Return the granularity after a run of so many items; see `GROWTH_RULES`."""
    if cycles < granularity:  # the queue ran empty before its first look at the clock
        return granularity
    if ramp and cycles > factor * factor * granularity:
        return granularity * factor
    if cycles > factor * granularity:
        return granularity + factor
    return granularity


def growth_rule(rule: str) -> Growth:
    """Return a rule of `GROWTH_RULES` as a function of (cycles, granularity).

    >>> growth_rule("2010")(40, 8)
    12
    """
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    return partial(grow, factor=factor, ramp=ramp)


grow_compiled = compiled(grow)


@compiled
def run_slice(costs_ns, start, stop, granularity, quantum_ns, check_ns):
    """Take items from start on, look at the clock after every granularity of them, and yield
    if more than the quantum has passed. A look costs check_ns and shows the time at its end.

    Returns (items taken, nanoseconds, looks). Ends at stop, the end of the queue, at the latest.
    """
    elapsed = checks = 0
    position = start
    while position < stop:
        block = min(position + granularity, stop)
        for index in range(position, block):
            elapsed += costs_ns[index]
        whole_block = block - position == granularity
        position = block
        if whole_block:
            checks += 1
            elapsed += check_ns
            if elapsed > quantum_ns:
                break
    return position - start, elapsed, checks


@compiled
def _drain(costs_ns, quantum_ns, factor, ramp, granularity, check_ns):
    items = len(costs_ns)
    rows = np.empty((5, items), dtype=np.int64)
    position = run = best = 0
    while position < items:
        cycles, elapsed, checks = run_slice(
            costs_ns, position, items, granularity, quantum_ns, check_ns
        )
        position += cycles
        if cycles >= granularity:
            best = max(best, cycles)
        granularity = grow_compiled(cycles, granularity, factor, ramp)
        rows[0, run] = cycles
        rows[1, run] = granularity
        rows[2, run] = best
        rows[3, run] = elapsed
        rows[4, run] = checks
        run += 1
    return rows[:, :run].copy()


def drain_work_queue(
    costs_s,
    quantum_s: float = 0.010,
    rule: str | Growth = "2005-05-06",
    granularity: int = 1,
    check_cost_s: float = 0.0,
) -> Drain:
    """Drain a work queue whose items take costs_s (seconds, in order), run after run.

    A run takes items, looks at the clock whenever the number taken is a multiple of the
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
    """
    costs_ns = nanosecond_array("costs_s", costs_s)
    quantum_ns = nanoseconds("quantum_s", quantum_s)
    check_ns = nanoseconds("check_cost_s", check_cost_s)
    granularity = whole("granularity", granularity, at_least=1, at_most=2**31)
    if len(costs_ns) * check_ns > LONGEST_S * 1e9:
        raise ValueError(
            f"check_cost_s = {check_cost_s!r}: must be at most {LONGEST_S:g} s in all checks"
        )
    if callable(rule):
        runs = drain_reference(costs_ns.tolist(), quantum_ns, rule, granularity, check_ns)
        rows = np.array(runs, dtype=np.int64).T
    else:
        factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
        rows = _drain(costs_ns, quantum_ns, factor, ramp, granularity, check_ns)
    cycles, after, best, slice_ns, checks = rows
    return Drain(cycles, after, best, slice_ns / 1e9, checks)
