"""What the second stage of chapter 6 replays: ten neighbours' hold timers, beside a long task."""

from tunables.chapters.work_queues.stage_simulation import (
    MEAN_S,
    QUANTUM_S,
    SEED,
    SHAPE,
    hold_events,
)
from tunables.plain.arguments import choice, whole
from tunables.theory.slicing import hold_timer_expiry_probability

SESSIONS = 10
BEGIN_S = 30  # when the task begins
TIMERS = {"15/45": (15, 45), "60/180": (60, 180)}  # seconds: keepalive, hold time
WORKS = ("one piece", "slices")


def play(*, block, work, timers) -> dict:
    """Return what the stage replays: a task of so many seconds, in one piece or in slices.

    block: whole seconds; work: of `WORKS`; timers: of `TIMERS`. Times are in seconds, but "due",
    "sent" and "dropped" in whole nanoseconds: of each keepalive, by turns of the sessions, and of
    each session, -1 if it stays. "formula" is how many sessions the closed form loses on average.
    Raises ValueError for a setting outside its range.
    """
    block = whole("block", block, at_least=1, at_most=300)
    whole_piece = choice("work", work, WORKS) == "one piece"
    keepalive_s, hold_s = TIMERS[choice("timers", timers, TIMERS)]
    queue = {"items": round(block / MEAN_S), "item_cost_s": MEAN_S, "cost_shape": SHAPE}
    columns = hold_events(
        SEED,
        sessions=SESSIONS,
        keepalive_s=keepalive_s,
        hold_s=hold_s,
        begin_s=BEGIN_S,
        block_s=block if whole_piece else None,
        quantum_s=QUANTUM_S,
        rule="2005-05-06",
        granularity=1,
        **queue,
    )
    blocked_s = block if whole_piece else QUANTUM_S
    chance = hold_timer_expiry_probability(blocked_s, keepalive_s, hold_s, 1)
    told: dict = {"sessions": SESSIONS, "keepalive": keepalive_s, "hold": hold_s}
    told.update(begin=BEGIN_S, block=block, sliced=not whole_piece, formula=SESSIONS * chance)
    for n, name in enumerate(("due", "sent", "dropped")):
        told[name] = [round(1e9 * float(each)) if each >= 0 else -1 for each in columns[n]]
    return told
