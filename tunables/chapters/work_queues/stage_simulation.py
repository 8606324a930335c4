"""What chapter 6's stage replays, for settings of the case."""

from tunables.chapters.work_queues.predictor import predict
from tunables.chapters.work_queues.simulation import LONGEST_S, settings_ns
from tunables.chapters.work_queues.stage_experiment import hold_trace, slice_trace
from tunables.plain.arguments import choice, number, run_seed, whole

ROWS = 15_000  # runs that are kept, and half the looks
MOST_EVENTS = 20_000
MOST_ROWS = 100_000
MOST_GRANULARITY = 2**31

SEED = 6
QUANTUM_S = 0.010
TIMERS = 400
MEAN_S, SHAPE = 358e-6, 0.8  # of an item of the clear queue, as fitted, to a microsecond
WORKS = {  # what the queues hold
    "drawn": {
        "items": 40_000,
        "item_cost_s": MEAN_S,
        "cost_shape": SHAPE,
        "dear_from": 40_000,
        "dear_cost_s": 0,
    },
    "cheap, then dear": {
        "items": 202_000,
        "item_cost_s": 5e-6,
        "cost_shape": 0,
        "dear_from": 200_000,
        "dear_cost_s": 1e-3,
    },
}
BOUNDS = {"none": MOST_GRANULARITY, "15": 15}


def _parts(settings, queues):
    names = ("items", "item_cost_s", "quantum_s", "rule", "granularity")
    return settings_ns(queues=queues, **{name: settings[name] for name in names})


def slice_events(
    seed,
    *,
    timers=MOST_EVENTS,
    dear_from=None,
    dear_cost_s=0.0,
    most_granularity=MOST_GRANULARITY,
    rows=ROWS,
    **settings,
) -> tuple:
    """Return the columns of `slice_trace`: the loop of a run, with more timers.

    A cost_shape of 0 gives each item its mean cost. From item dear_from on that is dear_cost_s.
    Raises ValueError for a setting outside its range, by its name.
    """
    parts = _parts(settings, settings["queues"])
    shape = number("cost_shape", settings["cost_shape"], at_least=0)
    items = parts[0]
    dear_from = items if dear_from is None else whole("dear_from", dear_from, 0, items)
    dear_s = number("dear_cost_s", dear_cost_s, at_least=0, at_most=LONGEST_S / items / 100)
    most = whole("most_granularity", most_granularity, 1, MOST_GRANULARITY)
    timers = whole("timers", timers, 0, MOST_EVENTS)
    rows = whole("rows", rows, 0, MOST_ROWS)
    return slice_trace(run_seed(seed), *parts, shape, dear_from, dear_s, most, timers, rows)


def hold_events(
    seed, *, sessions=10, keepalive_s=15.0, hold_s=45.0, begin_s=30.0, block_s=None, **settings
) -> tuple:
    """Return the columns of `hold_trace`: a queue in slices, or a block of block_s in one piece.

    Raises ValueError for a setting outside its range, by its name, and for neither of the two.
    """
    if block_s is None and "items" not in settings:
        raise ValueError("block_s = None: must be a time where there is no queue of items")
    if block_s is not None:
        settings = dict(settings)
        settings.update(items=1, item_cost_s=block_s, cost_shape=0)
    *parts, _ = _parts(settings, 1)
    shape = number("cost_shape", settings["cost_shape"], at_least=0)
    begin_s = number("begin_s", begin_s, at_least=0, at_most=LONGEST_S / 100)
    sessions = whole("sessions", sessions, 1, 100)
    keepalive_s = number("keepalive_s", keepalive_s, above=0)
    hold_s = number("hold_s", hold_s, at_least=keepalive_s)
    end_s = begin_s + parts[0] * parts[1] + hold_s
    number("keepalives", sessions * (end_s / keepalive_s + 1), at_most=MOST_EVENTS)
    return hold_trace(run_seed(seed), *parts, shape, begin_s, sessions, keepalive_s, hold_s)


def _closed_form(settings):
    """Return the outputs of `predict` for a queue that begins here."""
    names = ("items", "item_cost_s", "cost_shape", "quantum_s", "rule", "granularity", "queues")
    counters = {"runs_before": 0, "items_before": 0, "entry_bytes": 1}
    counters.update({name: settings[name] for name in names})
    return predict(**counters)


def play(*, work, rule, most, queues) -> dict:
    """Return what the stage replays: some seconds of a loop that drains so many equal queues.

    work: of `WORKS`, shared out among the queues; rule: of `GROWTH_RULES`; most: of `BOUNDS`.
    Times are whole nanoseconds. A row a run: "length", "queue", "items", "granularity" while it
    lasts, "looks"; "look" is when each was, from the run's beginning; "due" and "late" are the
    timers'. "formula" and "late_formula" are the mean slice and the mean lateness of the closed
    form, or None where it has none. Raises ValueError for a setting outside its range.
    """
    queues = whole("queues", queues, at_least=1)
    settings = dict(WORKS[choice("work", work, WORKS)])
    for name in ("items", "dear_from"):
        settings[name] //= queues
    settings.update(quantum_s=QUANTUM_S, rule=rule, granularity=1, queues=queues)
    bound = BOUNDS[choice("most", most, BOUNDS)]
    events = slice_events(SEED, timers=TIMERS, most_granularity=bound, **settings)
    _, _, _, length, queue, items, granularity, looks, _, look, due, late = events
    told: dict = {"quantum": round(1e9 * QUANTUM_S), "queues": queues}
    for name, column in (("length", length), ("look", look), ("due", due), ("late", late)):
        told[name] = [round(1e9 * float(each)) for each in column]
    counts = (("queue", queue), ("items", items), ("granularity", granularity), ("looks", looks))
    for name, column in counts:
        told[name] = [int(each) for each in column]
    told["formula"] = told["late_formula"] = None
    if work == "drawn" and most == "none":
        closed = _closed_form(settings)
        told["formula"] = round(1e9 * closed["slice_s"])
        told["late_formula"] = round(1e9 * closed["lateness_s"])
    return told
