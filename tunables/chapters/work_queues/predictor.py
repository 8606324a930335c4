"""Chapter 6 in closed form: what a work queue's counters show, and how late the timers run.

`predict` is the model of the case, `predict_headroom` that of the operator's card.
"""

import math

from tunables.base.arguments import integer, number
from tunables.base.portable import plain_sum
from tunables.theory.granularity import granularity_runs
from tunables.theory.slicing import (
    cycles_per_run,
    hold_timer_expiry_probability,
    least_longest_run,
    limiting_granularity,
)

MIB_BYTES = 2**20

# "small": nothing bounds the granularity as advised, but with these items no turn gets longer
STATES = ("over", "over-item", "item", "unbounded", "small", "bounded")
LOOK_S = 1e-6  # a look at the clock: a system call in 2005, dozens of times faster today
LOOKS = 0.05  # with the advised bound, looks take at most this share of the work
BATCH = 10_000  # prefixes in an item of FRRouting 4.0 to 10.2: ARBITRARY_PROCESS_QLEN
_SHAPE = 1.0  # costs are drawn from an exponential distribution
TIMES_MEAN = 15  # with such costs, one item in three million costs more than 15 times the mean
_MANY = 1e6  # with more usual items than this in a quantum their costs average out
_ITEMS = 1000  # arbitrary: the mean slice at a fixed granularity does not depend on it


def predict(
    *,
    items,
    item_cost_s,
    cost_shape,
    quantum_s,
    rule,
    granularity,
    queues,
    runs_before,
    items_before,
    entry_bytes,
) -> dict:
    """Return slices, lateness and counters of an event loop that drains equal work queues.

    Each of `queues` holds `items` items. Their costs are independent and gamma distributed (mean
    item_cost_s, shape cost_shape). The queues start at the given granularity, with runs_before and
    items_before on their counters, and follow the rule of `GROWTH_RULES`.

    - "slice_s": mean length of a run
    - "lateness_s": mean wait of a timer, E[C^2]/(2 E[C]) for turns C of one slice per queue
    - "drain_s": time until all queues are empty; "blocked_s": time of one queue in one piece
    - "blocked_lateness_s": mean wait of a timer that falls due during that piece
    - "granularity": the likeliest at the end; "limiting_granularity": for a constant cost
    - "best": the least possible longest run, see `least_longest_run`
    - "runs": counter of one queue at the end; "mean_cycles": items over runs, rounded down
    - "memory_mib": memory of one queue's items, entry_bytes each

    Raises ValueError for a parameter outside its range, by its name.

    >>> clear = {"items": 320_975, "item_cost_s": 0.00033, "cost_shape": 0.8, "queues": 1}
    >>> clear.update(granularity=1, runs_before=0, items_before=0, entry_bytes=20)
    >>> result = predict(quantum_s=0.010, rule="2005-05-06", **clear)
    >>> result["granularity"], round(1000 * result["slice_s"], 1), round(result["blocked_s"])
    (29.0, 15.4, 106)
    """
    items = integer("items", items, at_least=1)
    cost_s = number("item_cost_s", item_cost_s, at_least=1e-9)
    shape = number("cost_shape", cost_shape, above=0)
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    n = integer("queues", queues, at_least=1)
    runs_before = integer("runs_before", runs_before, at_least=0)
    items_before = integer("items_before", items_before, at_least=0)
    entry_bytes = integer("entry_bytes", entry_bytes, at_least=1)
    limit = limiting_granularity(cost_s, quantum_s, rule, granularity)
    runs, chances, square = granularity_runs(items, cost_s, shape, quantum_s, rule, granularity)
    likeliest = max(chances, key=lambda each: chances[each])
    total = plain_sum(runs.values())
    blocked_s = items * cost_s
    mean = blocked_s / total
    variance = square - mean * mean
    if total < 1:  # the whole queue fits into one slice
        total, mean, variance = 1.0, blocked_s, items * cost_s * cost_s / shape
    return {
        "slice_s": mean,
        "lateness_s": n * mean / 2 + variance / (2 * mean),
        "drain_s": n * blocked_s,
        "blocked_s": blocked_s,
        "blocked_lateness_s": blocked_s / 2,
        "granularity": float(likeliest),
        "limiting_granularity": float(limit),
        "best": float(least_longest_run(likeliest, rule)),
        "runs": runs_before + total,
        "mean_cycles": float(math.floor((items_before + items) / (runs_before + total))),
        "memory_mib": items * entry_bytes / MIB_BYTES,
    }


def _usual_slice(granularity, cost_s, quantum_s):
    """Return mean and mean square (s, s^2) of a slice of usual items at this granularity."""
    if quantum_s > _MANY * cost_s:
        slice_s = cycles_per_run(granularity, cost_s, quantum_s) * cost_s
        return slice_s, slice_s * slice_s
    drawn = (_ITEMS, cost_s, _SHAPE, quantum_s, "fixed", granularity)
    runs, _, square = granularity_runs(*drawn)
    return _ITEMS * cost_s / plain_sum(runs.values()), square


_WORTH_A_PATCH = 0.9  # of the longest turn; a smaller gain is not worth a restart


def _state(turn_s, bounded_turn_s, silence_s, enough, kept):
    """Return the state of the loop, one of `STATES`: it decides which advice is safe to follow.

    enough: whether a bound is; kept: whether the build keeps the granularity within it.
    """
    if turn_s >= silence_s:
        return "over" if enough else "over-item"
    if not enough:
        return "item"
    if bounded_turn_s < _WORTH_A_PATCH * turn_s:
        return "unbounded"
    return "bounded" if kept else "small"


def _verdict(state, blocked_s, silence_s):
    if state in ("over", "over-item"):
        return "Past the knee: a turn of the loop can last longer than the neighbours will wait."
    if state == "item":
        return (
            "Below the knee, but one item can take longer than the quantum: no bound on the "
            "granularity can keep a slice within the quantum."
        )
    if blocked_s >= silence_s:
        return "Below the knee, thanks to slicing: in one piece, this work would drop sessions."
    return (
        "Below the knee: even in one piece, this work wouldn't drop any session if each item had "
        "the usual cost."
    )


def predict_headroom(
    *,
    items,
    usual_item_us,
    dearest_item_us,
    quantum_ms,
    rule,
    granularity_now,
    queues,
    keepalive_s,
    hold_s,
    sessions,
) -> dict:
    """Return slices, turns and the chance of a lost session for a loop of equal work queues.

    - "granularity": the g that the rule reaches from granularity_now with items that all cost
      usual_item_us, and never leaves; a streak of cheaper items raises it further
    - "usual_slice_ms": mean slice at that g, with costs from an exponential distribution of mean
      usual_item_us; "lateness_ms": mean wait of a timer for a turn of `queues` such slices
    - "dearest_slice_ms": the longest slice, Q + g c with c = dearest_item_us, the most that an
      item costs: a look just before the quantum is over, and then g such items. No slice takes
      longer than all items, items c; "worst_turn_ms": `queues` times the longest slice
    - "bound": the upper bound to set on g, so that a block of the most expensive items fits
      into the quantum, Q/c, and the looks at the clock, 1 us each, take at most 5% of the work;
      it is never more than "most_granularity", or than 1 if that is 0, except where no turn is as
      long as the silence only because the items are few
    - "bounded_turn_ms": the longest turn with that bound
    - "batch": prefixes in an item, from 1 to 10,000, for which a batch fits into the quantum, if
      the most expensive item is a batch of 10,000
    - "alert_slice_ms": the geometric mean of bounded turn and silence, at most the silence, over
      `queues`: a longer slice shows that the advised bound is not in force, before a session drops
    - "cost_alert_us": the geometric mean of the usual and the highest cost: if items cost more on
      average, single ones may well cost more than the highest
    - "silence_s": H - K, the longest block that drops no session
    - "most_granularity": the largest g whose longest turn is shorter than the silence, however
      many items there are; 0 if none is
    - "blocked_s": time of all items at the usual cost, in one piece or in slices;
      "long_drain_s": twice that
    - "blocked_items": the most items in each queue for which one piece drops no session
    - "blocked_drop_percent", "sliced_drop_percent": chance that at least one session drops, in
      one piece at the usual cost and in the longest turn
    - "state": one of `STATES`; "verdict": which side of the knee

    Raises ValueError for a number outside its range, by its name.

    >>> loop = {"items": 160_000, "quantum_ms": 10, "rule": "2005-05-06", "granularity_now": 1}
    >>> timers = {"queues": 1, "keepalive_s": 15, "hold_s": 45, "sessions": 10}
    >>> card = predict_headroom(usual_item_us=5, dearest_item_us=1000, **loop, **timers)
    >>> card["granularity"], round(card["usual_slice_ms"], 2), round(card["dearest_slice_ms"])
    (1001.0, 12.44, 1011)
    """
    usual_us = number("usual_item_us", usual_item_us, at_least=1e-3)
    usual_s = usual_us / 1e6
    dearest_s = number("dearest_item_us", dearest_item_us, at_least=usual_us) / 1e6
    quantum_s = number("quantum_ms", quantum_ms, at_least=0) / 1000
    n = integer("queues", queues, at_least=1)
    g_now = integer("granularity_now", granularity_now, at_least=1)
    g = limiting_granularity(usual_s, quantum_s, rule, g_now)
    usual_slice, square = _usual_slice(g, usual_s, quantum_s)
    items = integer("items", items, at_least=1)

    def longest_slice(granularity):
        return min(quantum_s + granularity * dearest_s, items * dearest_s)

    longest = longest_slice(g)
    fit = math.floor(quantum_s / dearest_s + 1e-9)
    blocked_s = n * items * usual_s
    keepalive_s = number("keepalive_s", keepalive_s, above=0)
    hold_s = number("hold_s", hold_s, above=keepalive_s)
    timers = (keepalive_s, hold_s, sessions)
    blocked_drop = hold_timer_expiry_probability(blocked_s, *timers)
    sliced_drop = hold_timer_expiry_probability(n * longest, *timers)
    silence = hold_s - keepalive_s
    most = max(0, math.ceil((silence / n - quantum_s) / dearest_s - 1e-9) - 1)
    few_looks = math.ceil(LOOK_S / (LOOKS * usual_s) - 1e-9)
    bound = max(1, fit, few_looks)
    if most or n * longest >= silence:  # else all the work there is fits into the silence
        bound = max(1, min(bound, most))
    bounded_turn = n * longest_slice(min(bound, g))
    enough = dearest_s <= quantum_s and bounded_turn < silence
    kept = rule == "fixed" and g <= bound
    state = _state(n * longest, bounded_turn, silence, enough, kept)
    return {
        "verdict": _verdict(state, blocked_s, silence),
        "state": state,
        "granularity": float(g),
        "usual_slice_ms": 1000 * usual_slice,
        "dearest_slice_ms": 1000 * longest,
        "lateness_ms": 500 * (n * usual_slice + square / usual_slice - usual_slice),
        "worst_turn_ms": 1000 * n * longest,
        "bound": float(bound),
        "bounded_turn_ms": 1000 * bounded_turn,
        "batch": float(min(BATCH, max(1, math.floor(BATCH * quantum_s / dearest_s + 1e-9)))),
        "alert_slice_ms": 1000 * min(math.sqrt(bounded_turn * silence), silence) / n,
        "cost_alert_us": 1e6 * math.sqrt(usual_s * dearest_s),
        "silence_s": float(silence),
        "most_granularity": float(most),
        "blocked_s": blocked_s,
        "long_drain_s": 2 * blocked_s,
        "blocked_items": float(math.floor(silence / (n * usual_s))),
        "blocked_drop_percent": 100 * blocked_drop,
        "sliced_drop_percent": 100 * sliced_drop,
    }
