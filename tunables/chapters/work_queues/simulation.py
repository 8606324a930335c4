"""Chapter 6's simulation: the exact drain of a work queue, and the timers beside it."""

from tunables.chapters.work_queues.experiment import experiment
from tunables.plain.arguments import choice, number, run_seed, whole
from tunables.theory.slicing import GROWTH_RULES, least_longest_run

RUNS = 10
TIMERS = 2_000
MOST_ITEMS = 20_000_000  # of all queues: 160 MB
MOST_COUNTED = 10**15
MOST_TIMERS = 1_000_000
LONGEST_S = 4e9  # twice as many nanoseconds still fit into 64 bits
_BEGINNING = (0, 0, 0, 0)  # of a stream of random numbers
# What was drawn last, and the number of the next run and where it begins in the stream.
_next: list = [None, 0, _BEGINNING]


def settings_ns(items, item_cost_s, quantum_s, rule, granularity, queues) -> tuple:
    """Return what the compiled experiments take of these settings, checked.

    (items, mean cost in seconds, quantum in nanoseconds, factor, ramp, granularity, queues)
    Raises ValueError for a setting outside its range, by its name.
    """
    queues = whole("queues", queues, at_least=1)
    items = whole("items", items, at_least=1)
    whole("items * queues", items * queues, at_most=MOST_ITEMS)
    mean_s = number("item_cost_s", item_cost_s, at_least=0)
    number("items * queues * item_cost_s, s", items * queues * mean_s, at_most=LONGEST_S / 100)
    quantum_ns = round(number("quantum_s", quantum_s, at_least=0, at_most=LONGEST_S) * 1e9)
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    granularity = whole("granularity", granularity, at_least=1, at_most=2**31)
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
    """Drain the queues once, in slices and in one piece, with timers due all the while.

    RUNS seeds, from a multiple of RUNS on, share one stream of random numbers, one after another.
    Raises ValueError for a setting outside its range, by its name.
    """
    items, mean_s, *loop = settings_ns(items, item_cost_s, quantum_s, rule, granularity, queues)
    timers = whole("timers", timers, at_least=1, at_most=MOST_TIMERS)
    runs_before = whole("runs_before", runs_before, at_most=MOST_COUNTED)
    items_before = whole("items_before", items_before, at_most=MOST_COUNTED)
    number("entry_bytes", entry_bytes, above=0)
    shape = number("cost_shape", cost_shape, above=0)
    first, number_of_run = run_seed(seed) // RUNS, run_seed(seed) % RUNS
    drawn = (first, items, mean_s, shape, loop[-1], timers)
    follows = _next[:2] == [drawn, number_of_run]
    skipped, place = (0, _next[2]) if follows else (number_of_run, _BEGINNING)
    found = experiment(first, skipped, *place, items, mean_s, shape, *loop, timers)
    slice_s, lateness_s, drain_s, blocked_s, blocked_lateness_s, last, best, drained = found[:8]
    _next[:] = [drawn, number_of_run + 1, tuple(found[8:])]
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
