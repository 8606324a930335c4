"""Chapter 3 with a reader's own key trace: independent requests with a scan among them."""

import math

import numpy as np

from tunables.own.fit import COUNTED, Fit, HeldOut, Model, Parameter, elasticities, judged
from tunables.own.text import delimiter_of, refuse, rows_of, text_of
from tunables.own.trace import HEADER_WORDS, read_keys
from tunables.own.traffic import cliff, learn, miss_ratio
from tunables.simulators.stack import stack_distances

MODEL = Model(
    chapter=3,
    law="Che's approximation: independent requests, with a cyclic scan of n keys among them",
    baseline="a straight line: room for a tenth of the keys saves a tenth of the misses",
    band=0.05,
    error="difference",
)
_FEWEST_REQUESTS = 500
_SHARES = tuple((2 * tenth + 1) / 20 for tenth in range(10))  # capacities, of the keys


def read_trace(source) -> np.ndarray:
    """Return the requests of a trace as ids; a column is found by its heading (key, url, ...).

    Raises ValueError for what `read_keys` refuses, and for several columns of which not
    exactly one is called as a key is.
    """
    text = text_of(source)
    delimiter = delimiter_of(text)
    line, first = next(rows_of(text, delimiter, "keys"))
    column = None
    if len(first) > 1:
        named = [cell for cell in first if cell.lower() in HEADER_WORDS]
        if len(named) != 1:
            refuse(
                line,
                f"the columns found are {', '.join(first)}; wanted is one of the name key "
                f"(or {', '.join(sorted(HEADER_WORDS - {'key'}))}): change its heading",
            )
        column = named[0]
    ids = read_keys(text + "\n", column, delimiter).ids
    if len(ids) < _FEWEST_REQUESTS:
        raise ValueError(
            f"{len(ids)} requests are too few: this fit needs at least {_FEWEST_REQUESTS}"
        )
    return ids


def _reason(ids, split, traffic):
    new = np.count_nonzero(~np.isin(ids[split:], ids[:split])) / (len(ids) - split)
    if new > traffic.one_timers + 0.1:
        return (
            f"{100 * new:.0f} % of the later requests are for keys that the first half never "
            "saw: what is popular moves, and yesterday's popularity does not predict it."
        )
    return (
        "The first half has the same keys, but not as independent requests would come: "
        "look for scans in another order, or bursts of the same key."
    )


def fit_key_trace(source) -> Fit:
    """Learn the traffic from the first half of a trace; predict LRU's misses in the second.

    Held out: the exact miss ratio of the second half (stack distances, the cache warmed by
    the first) at ten capacities, 5 %, 15 %, ..., 95 % of the keys.
    Raises ValueError as `read_trace` does.
    """
    ids = read_trace(source)
    split = len(ids) // 2
    traffic = learn(ids[:split])
    depths = stack_distances(ids)[split:]
    capacities = sorted({max(1, round(share * traffic.keys)) for share in _SHARES})
    rows = []
    for capacity in capacities:
        measured = float(np.mean((depths == 0) | (depths > capacity)))
        line = 1 - (1 - traffic.one_timers) * capacity / traffic.keys
        what = f"miss ratio with room for {capacity:,} keys"
        rows.append(HeldOut(what, "", measured, miss_ratio(traffic, capacity), line))
    middle = max(1, traffic.keys // 2)

    def at_the_middle(C, n, g):
        period = traffic.period_requests * n / traffic.scan_keys if traffic.scan_keys else math.inf
        return miss_ratio(traffic._replace(scan_keys=n, period_requests=period, one_timers=g), C)

    parameters = [
        Parameter("keys", "distinct", traffic.keys, "", COUNTED),
        Parameter("n", "keys scanned", traffic.scan_keys, "", COUNTED),
        Parameter("g", "requests for keys seen once", traffic.one_timers, "", COUNTED),
    ]
    notes = []
    if traffic.scan_keys:
        tau = traffic.period_requests
        parameters.append(Parameter("tau", "period of the scan", tau, "requests", COUNTED))
        notes.append(f"The scan starts to hit at {cliff(traffic):,.0f} keys: its cliff.")
    return judged(
        MODEL,
        parameters,
        rows,
        _reason(ids, split, traffic),
        f"miss ratio with room for C = {middle:,} keys",
        elasticities(at_the_middle, {"C": middle, "n": traffic.scan_keys, "g": traffic.one_timers}),
        notes,
    )
