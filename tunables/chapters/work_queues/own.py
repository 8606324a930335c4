"""Chapter 6 with a reader's own daemon: its counters tell how long its slices last."""

from tunables.chapters.work_queues.own_fit import BRING, COLUMNS, MODEL, counted, solved, told
from tunables.parts.fit import Fit, Wanted
from tunables.parts.text import text_of


def fit_work_queues(source) -> Fit:
    """Fit the mean cost of an item to a daemon's counts, and predict its times.

    The cost c is the one with which the granularity chain makes the printed number of runs
    of the items done by the first snapshot; the growth rule the one whose granularity is then
    nearest. Times are never fitted. Held out: the mean length of a run in every snapshot, and
    from the second on the runs since the first and the granularity.
    Raises ValueError for what `text_of` and `counted` refuse, and where no cost gives the
    counts.
    """
    return told(solved(counted(text_of(source))))


WANTED = Wanted(fit_work_queues, MODEL, BRING, COLUMNS)
