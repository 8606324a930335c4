"""Chapter 6's run of a map: a queue whose items drift in cost."""

from tunables.chapters.work_queues.simulation import settings_ns
from tunables.chapters.work_queues.validity_experiment import drifting_lateness
from tunables.plain.arguments import number, run_seed

RUNS = 8
ITEMS = 20_000


def run(seed, *, items, item_cost_s, cost_shape, quantum_s, rule, granularity, drift, **_) -> dict:
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
            f"item_cost_s = {item_cost_s!r} and cost_shape = {cost_shape!r}: must be such that "
            "all items take more than a nanosecond"
        ) from None
    return {"lateness_s": late_s}
