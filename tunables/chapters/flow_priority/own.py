"""Chapter 4 with a reader's own flow log: do the flows share the port equally?"""

import numpy as np

from tunables.chapters.flow_priority.own_fit import (
    AHEAD_BYTES,
    BRING,
    COLUMNS,
    FEWEST_ROWS,
    MODEL,
    OUT,
    SIZES,
    WINDOWS,
    check,
    solved,
    told,
)
from tunables.parts.fit import Fit, Wanted
from tunables.parts.reading import read_columns
from tunables.plain.own.columns import wanted_text


def counted(data) -> dict:
    """Return what `solved` takes, of the columns of a log: means by window and class of size."""
    order = np.argsort(data["start_s"], kind="stable")
    start_s, size, duration_s = (
        data[name][order] for name in ("start_s", "size_bytes", "duration_s")
    )
    window = np.arange(len(size)) * WINDOWS // len(size)
    first = start_s[np.searchsorted(window, np.arange(WINDOWS))]
    window_s = np.diff([*first, start_s[-1]])
    edges = np.quantile(size[~np.isin(window, OUT)], np.arange(1, SIZES) / SIZES)
    cell = window * SIZES + np.searchsorted(edges, size, side="left")
    flows = np.bincount(cell, minlength=WINDOWS * SIZES)
    least_s, fewest = float(window_s.min()), int(flows.min())
    check(least_s, fewest)
    sizes, durations = (
        (np.bincount(cell, values, WINDOWS * SIZES) / flows).reshape(WINDOWS, SIZES).tolist()
        for values in (size, duration_s)
    )
    return {
        "least_s": least_s,
        "fewest": fewest,
        "sizes": sizes,
        "durations": durations,
        "loads": (8 * np.bincount(window, size, WINDOWS) / window_s).tolist(),
        "size": float(np.median(size)),
        "ahead": float(np.minimum(size, AHEAD_BYTES).sum() / size.sum()),
    }


def fit_flow_sizes(source) -> Fit:
    """Fit the port's capacity and the base time of a flow, and predict other loads.

    The log is cut, in order of time, into nine windows of as many flows, and by size into
    three classes. Held out: the mean durations of every third window, predicted from its load
    (bytes begun in it) and mean sizes. C and z are fitted to the others.
    Raises ValueError for what `read_columns` refuses, and fewer than 25 flows of one class in
    one window.
    """
    return told(solved(counted(read_columns(source, COLUMNS, FEWEST_ROWS))))


WANTED = Wanted(fit_flow_sizes, MODEL, BRING, wanted_text(COLUMNS))
