"""Chapter 6's simulations, around the compiled functions of `experiment`; the page runs them too.

`run` simulates the case: the exact drain of work queues, and timers beside it. `run_of_map`
simulates a point of the validity map. `play_slices` and `play_sessions` return what the two
animations replay.
"""

from tunables.base.arguments import choice, integer, number, run_seed
from tunables.chapters.work_queues.experiment import (
    drifting_lateness,
    hold_trace,
    simulate_loop,
    slice_trace,
)
from tunables.chapters.work_queues.predictor import predict
from tunables.theory.slicing import GROWTH_RULES, hold_timer_expiry_probability, least_longest_run

RUNS = 10
TIMERS = 2_000
MOST_ITEMS = 20_000_000  # in all queues together: 160 MB
MOST_COUNTED = 10**15
MOST_TIMERS = 1_000_000
LONGEST_S = 4e9  # twice as many nanoseconds still fit into 64 bits

MAP_RUNS = 8
MAP_ITEMS = 20_000

ROWS = 15_000  # runs that are kept; twice as many looks
MOST_EVENTS = 20_000
MOST_ROWS = 100_000
MOST_GRANULARITY = 2**31

SEED = 6
QUANTUM_S = 0.010
SHOWN_TIMERS = 400
MEAN_S, SHAPE = 358e-6, 0.8  # the fitted costs of the clear queue's items, to a microsecond
WORKS = {  # what the queues hold
    "drawn": {
        "items": 40_000,
        "item_cost_s": MEAN_S,
        "cost_shape": SHAPE,
        "costly_from": 40_000,
        "costly_cost_s": 0,
    },
    "cheap, then dear": {
        "items": 202_000,
        "item_cost_s": 5e-6,
        "cost_shape": 0,
        "costly_from": 200_000,
        "costly_cost_s": 1e-3,
    },
}
BOUNDS = {"none": MOST_GRANULARITY, "15": 15}

SESSIONS = 10
BEGIN_S = 30  # when the task begins
HOLD_TIMERS = {"15/45": (15, 45), "60/180": (60, 180)}  # seconds: keepalive, hold time
WORK_MODES = ("one piece", "slices")

_BEGINNING = (0, 0, 0, 0)  # the place at which a stream of random numbers begins
# What was drawn last, the index of the next run, and its place in the stream.
_next: list = [None, 0, _BEGINNING]


def settings_ns(items, item_cost_s, quantum_s, rule, granularity, queues) -> tuple:
    """Check these settings and return them as the compiled functions take them.

    (items, mean cost in seconds, quantum in nanoseconds, factor, ramp, granularity, queues)
    Raises ValueError for a setting outside its range, by its name.

    >>> settings_ns(3000, 0.0002, 0.010, "2005-05-06", 1, 2)
    (3000, 0.0002, 10000000, 2, False, 1, 2)
    """
    queues = integer("queues", queues, at_least=1)
    items = integer("items", items, at_least=1)
    integer("items * queues", items * queues, at_most=MOST_ITEMS)
    mean_s = number("item_cost_s", item_cost_s, at_least=0)
    number("items * queues * item_cost_s, s", items * queues * mean_s, at_most=LONGEST_S / 100)
    quantum_ns = round(number("quantum_s", quantum_s, at_least=0, at_most=LONGEST_S) * 1e9)
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    granularity = integer("granularity", granularity, at_least=1, at_most=2**31)
    return items, mean_s, quantum_ns, factor, ramp, granularity, queues


def run(
    seed,
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
    timers=TIMERS,
) -> dict:
    """Drain the queues once, in slices and in one piece, while timers fall due.

    RUNS consecutive seeds, from a multiple of RUNS on, share one stream of random numbers.
    Raises ValueError for a setting outside its range, by its name.
    """
    items, mean_s, *loop = settings_ns(items, item_cost_s, quantum_s, rule, granularity, queues)
    timers = integer("timers", timers, at_least=1, at_most=MOST_TIMERS)
    runs_before = integer("runs_before", runs_before, at_most=MOST_COUNTED)
    items_before = integer("items_before", items_before, at_most=MOST_COUNTED)
    number("entry_bytes", entry_bytes, above=0)
    shape = number("cost_shape", cost_shape, above=0)
    first, run_index = run_seed(seed) // RUNS, run_seed(seed) % RUNS
    drawn = (first, items, mean_s, shape, loop[-1], timers)
    follows = _next[:2] == [drawn, run_index]
    skipped, place = (0, _next[2]) if follows else (run_index, _BEGINNING)
    outcome = simulate_loop(first, skipped, *place, items, mean_s, shape, *loop, timers)
    slice_s, lateness_s, drain_s, blocked_s, blocked_lateness_s, last, best, drained = outcome[:8]
    _next[:] = [drawn, run_index + 1, tuple(outcome[8:])]
    runs = drained + runs_before
    return {
        "slice_s": slice_s,
        "lateness_s": lateness_s,
        "drain_s": drain_s,
        "blocked_s": blocked_s,
        "blocked_lateness_s": blocked_lateness_s,
        "granularity": float(last),
        "best": float(max(best, least_longest_run(granularity, rule))),
        "runs": float(runs),
        "mean_cycles": float((items_before + items) // runs),
    }


def run_of_map(
    seed, *, items, item_cost_s, cost_shape, quantum_s, rule, granularity, drift, **_
) -> dict:
    """Return the mean lateness of a timer, E[S^2]/(2 E[S]) over the slices of a drain.

    The second half of the items costs drift times as much as the first, at the same mean.
    Raises ValueError for a setting outside its range, by its name.
    """
    items, mean_s, *loop, _ = settings_ns(items, item_cost_s, quantum_s, rule, granularity, 1)
    number("item_cost_s", mean_s, above=0)
    shape, drift = number("cost_shape", cost_shape, above=0), number("drift", drift, above=0)
    first_s = 2 * mean_s / (1 + drift)
    try:
        late_s = drifting_lateness(run_seed(seed), items, first_s, drift * first_s, shape, *loop)
    except ZeroDivisionError:
        raise ValueError(
            f"item_cost_s = {item_cost_s!r} and cost_shape = {cost_shape!r}: together, the "
            "items must take more than a nanosecond; raise item_cost_s"
        ) from None
    return {"lateness_s": late_s}


def _checked_settings(settings, queues):
    names = ("items", "item_cost_s", "quantum_s", "rule", "granularity")
    return settings_ns(queues=queues, **{name: settings[name] for name in names})


def slice_events(
    seed,
    *,
    timers=MOST_EVENTS,
    costly_from=None,
    costly_cost_s=0.0,
    most_granularity=MOST_GRANULARITY,
    rows=ROWS,
    **settings,
) -> tuple:
    """Return the columns of `slice_trace`: the loop of a run, with more timers.

    With a cost_shape of 0 each item has the mean cost, which from item costly_from on is
    costly_cost_s. Raises ValueError for a setting outside its range, by its name.

    >>> queues = {"items": 3000, "queues": 2, "item_cost_s": 0.0002, "cost_shape": 0.8}
    >>> rules = {"quantum_s": 0.010, "rule": "2005-05-06", "granularity": 1}
    >>> costly = {"costly_from": 5, "costly_cost_s": 0.01, "most_granularity": 64}
    >>> runs, looks, *_ = slice_events(1, timers=20, rows=90, **costly, **queues, **rules)
    >>> int(runs), int(looks)
    (1753, 1963)
    """
    parts = _checked_settings(settings, settings["queues"])
    shape = number("cost_shape", settings["cost_shape"], at_least=0)
    items = parts[0]
    costly_from = items if costly_from is None else integer("costly_from", costly_from, 0, items)
    costly_s = number("costly_cost_s", costly_cost_s, at_least=0, at_most=LONGEST_S / items / 100)
    most = integer("most_granularity", most_granularity, 1, MOST_GRANULARITY)
    timers = integer("timers", timers, 0, MOST_EVENTS)
    rows = integer("rows", rows, 0, MOST_ROWS)
    return slice_trace(run_seed(seed), *parts, shape, costly_from, costly_s, most, timers, rows)


def hold_events(
    seed, *, sessions=10, keepalive_s=15.0, hold_s=45.0, begin_s=30.0, block_s=None, **settings
) -> tuple:
    """Return the columns of `hold_trace`: a queue in slices, or a block of block_s in one piece.

    Raises ValueError for a setting outside its range, by its name, and if both are missing.

    >>> sessions = {"sessions": 10, "keepalive_s": 15.0, "hold_s": 45.0}
    >>> rules = {"quantum_s": 0.010, "rule": "2005-05-06", "granularity": 1}
    >>> *_, dropped_s = hold_events(1, begin_s=30.0, block_s=40.0, **sessions, **rules)
    >>> len(dropped_s), float(max(dropped_s))
    (10, 68.243905315)
    """
    if block_s is None and "items" not in settings:
        raise ValueError("block_s = None: must be a time in seconds, unless items is given")
    if block_s is not None:
        settings = dict(settings)
        settings.update(items=1, item_cost_s=block_s, cost_shape=0)
    *parts, _ = _checked_settings(settings, 1)
    shape = number("cost_shape", settings["cost_shape"], at_least=0)
    begin_s = number("begin_s", begin_s, at_least=0, at_most=LONGEST_S / 100)
    sessions = integer("sessions", sessions, 1, 100)
    keepalive_s = number("keepalive_s", keepalive_s, above=0)
    hold_s = number("hold_s", hold_s, at_least=keepalive_s)
    end_s = begin_s + parts[0] * parts[1] + hold_s
    number("keepalives", sessions * (end_s / keepalive_s + 1), at_most=MOST_EVENTS)
    return hold_trace(run_seed(seed), *parts, shape, begin_s, sessions, keepalive_s, hold_s)


def _closed_form(settings):
    """Return the outputs of `predict` for a queue whose counters start at 0."""
    names = ("items", "item_cost_s", "cost_shape", "quantum_s", "rule", "granularity", "queues")
    counters = {"runs_before": 0, "items_before": 0, "entry_bytes": 1}
    counters.update({name: settings[name] for name in names})
    return predict(**counters)


def play_slices(*, work, rule, most, queues) -> dict:
    """Return what the first animation replays: some seconds of a loop that drains equal queues.

    work: a key of `WORKS`, divided among the queues; rule: of `GROWTH_RULES`; most: of `BOUNDS`.
    Times are integer nanoseconds. One row per run: "length", "queue", "items", "granularity"
    during the run, "looks". "look" is the time of each look since its run began; "due" and "late"
    are those of the timers. "formula" and "late_formula" are the mean slice and the mean lateness
    of the closed form, or None if it has none. Raises ValueError for a setting outside its range.
    """
    queues = integer("queues", queues, at_least=1)
    settings = dict(WORKS[choice("work", work, WORKS)])
    for name in ("items", "costly_from"):
        settings[name] //= queues
    settings.update(quantum_s=QUANTUM_S, rule=rule, granularity=1, queues=queues)
    bound = BOUNDS[choice("most", most, BOUNDS)]
    events = slice_events(SEED, timers=SHOWN_TIMERS, most_granularity=bound, **settings)
    _, _, _, length, queue, items, granularity, looks, _, look, due, late = events
    replay: dict = {"quantum": round(1e9 * QUANTUM_S), "queues": queues}
    for name, column in (("length", length), ("look", look), ("due", due), ("late", late)):
        replay[name] = [round(1e9 * float(each)) for each in column]
    counts = (("queue", queue), ("items", items), ("granularity", granularity), ("looks", looks))
    for name, column in counts:
        replay[name] = [int(each) for each in column]
    replay["formula"] = replay["late_formula"] = None
    if work == "drawn" and most == "none":
        closed = _closed_form(settings)
        replay["formula"] = round(1e9 * closed["slice_s"])
        replay["late_formula"] = round(1e9 * closed["lateness_s"])
    return replay


def play_sessions(*, block, work, timers) -> dict:
    """Return what the second animation replays: a task of `block` seconds, whole or in slices.

    block: an integer; work: of `WORK_MODES`; timers: a key of `HOLD_TIMERS`. Times are in seconds,
    except "due" and "sent" of each keepalive, with the sessions in turn, and "dropped" of each
    session, -1 if it stays up, which are in integer nanoseconds. "formula" is the mean number of
    sessions that drop by the closed form. Raises ValueError for a setting outside its range.
    """
    block = integer("block", block, at_least=1, at_most=300)
    in_one_piece = choice("work", work, WORK_MODES) == "one piece"
    keepalive_s, hold_s = HOLD_TIMERS[choice("timers", timers, HOLD_TIMERS)]
    queue = {"items": round(block / MEAN_S), "item_cost_s": MEAN_S, "cost_shape": SHAPE}
    columns = hold_events(
        SEED,
        sessions=SESSIONS,
        keepalive_s=keepalive_s,
        hold_s=hold_s,
        begin_s=BEGIN_S,
        block_s=block if in_one_piece else None,
        quantum_s=QUANTUM_S,
        rule="2005-05-06",
        granularity=1,
        **queue,
    )
    blocked_s = block if in_one_piece else QUANTUM_S
    chance = hold_timer_expiry_probability(blocked_s, keepalive_s, hold_s, 1)
    replay: dict = {"sessions": SESSIONS, "keepalive": keepalive_s, "hold": hold_s}
    replay.update(begin=BEGIN_S, block=block, sliced=not in_one_piece, formula=SESSIONS * chance)
    for n, name in enumerate(("due", "sent", "dropped")):
        replay[name] = [round(1e9 * float(each)) if each >= 0 else -1 for each in columns[n]]
    return replay
