"""Operator's card of chapter 6: how long a slice lasts, and how late the timers run."""

import math

from tunables.plain.arguments import number, whole
from tunables.theory.slicing import (
    cycles_per_run,
    hold_timer_expiry_probability,
    limiting_granularity,
)


def _verdict(turn_s, blocked_s, silence_s):
    if turn_s >= silence_s:
        return "Over the knee: one turn of the loop is longer than the neighbours will wait."
    if blocked_s >= silence_s:
        return "Below the knee, by slicing: in one piece this work would drop sessions."
    return "Below the knee: even in one piece this work would drop nobody."


def predict(
    *,
    items,
    usual_item_us,
    dearest_item_us,
    quantum_ms,
    rule,
    queues,
    keepalive_s,
    hold_s,
    sessions,
) -> dict:
    """Return slices, turns and the chance of a lost session for a loop of equal work queues.

    - "granularity": g that the rule reaches on items of usual_item_us, and never leaves
    - "usual_slice_ms": k g c with these items; "dearest_slice_ms": with dearest_item_us, at
      the same g; at most Q + g c
    - "lateness_ms": mean wait of a timer, half a turn of `queues` usual slices;
      "worst_turn_ms": a turn of dearest slices
    - "bound": the granularity to bound g to, so that a block of dear items fits into the
      quantum, Q/c, at least 1; "bounded_turn_ms": the longest turn under that bound,
      queues (Q + g c)
    - "look_ms": ten times that, worth a look by day; "page_s": a tenth of the silence
    - "silence_s": H - K, a block that drops nobody
    - "most_granularity": largest g whose worst turn, at most queues (Q + g c), stays within the
      silence; 0 where none does
    - "blocked_s": all items in one piece; "blocked_items": the most that one piece may have
    - "blocked_drop_percent", "sliced_drop_percent": chance that one of the sessions drops
    - "verdict": which side of the knee

    Raises ValueError for a number out of its range, by its name.

    >>> loop = {"items": 160_000, "quantum_ms": 10, "rule": "2005-05-06", "queues": 1}
    >>> timers = {"keepalive_s": 15, "hold_s": 45, "sessions": 10}
    >>> card = predict(usual_item_us=5, dearest_item_us=1000, **loop, **timers)
    >>> card["granularity"], round(card["usual_slice_ms"], 3), round(card["dearest_slice_ms"])
    (1001.0, 10.01, 1001)
    """
    usual_s = number("usual_item_us", usual_item_us, at_least=1e-3) / 1e6
    dearest_s = number("dearest_item_us", dearest_item_us, at_least=usual_item_us) / 1e6
    quantum_s = number("quantum_ms", quantum_ms, at_least=0) / 1000
    n = whole("queues", queues, at_least=1)
    granularity = limiting_granularity(usual_s, quantum_s, rule)
    usual_slice = cycles_per_run(granularity, usual_s, quantum_s) * usual_s
    dearest_slice = cycles_per_run(granularity, dearest_s, quantum_s) * dearest_s
    bound = max(1, math.floor(quantum_s / dearest_s + 1e-9))
    bounded_turn = n * (quantum_s + min(bound, granularity) * dearest_s)
    blocked_s = n * whole("items", items, at_least=1) * usual_s
    timers = (keepalive_s, hold_s, sessions)
    blocked_drop = hold_timer_expiry_probability(blocked_s, *timers)
    sliced_drop = hold_timer_expiry_probability(n * dearest_slice, *timers)
    silence = hold_s - keepalive_s
    return {
        "verdict": _verdict(n * dearest_slice, blocked_s, silence),
        "granularity": float(granularity),
        "usual_slice_ms": 1000 * usual_slice,
        "dearest_slice_ms": 1000 * dearest_slice,
        "lateness_ms": 1000 * n * usual_slice / 2,
        "worst_turn_ms": 1000 * n * dearest_slice,
        "bound": float(bound),
        "bounded_turn_ms": 1000 * bounded_turn,
        "look_ms": 10_000 * bounded_turn,
        "silence_s": float(silence),
        "page_s": silence / 10,
        "most_granularity": float(max(0, math.floor((silence / n - quantum_s) / dearest_s))),
        "blocked_s": blocked_s,
        "blocked_items": float(math.floor(silence / (n * usual_s))),
        "blocked_drop_percent": 100 * blocked_drop,
        "sliced_drop_percent": 100 * sliced_drop,
    }
