"""Chapter 5 with a reader's own transfers: which law of the round trip, which stage."""

from tunables.chapters.replication.own_fit import BRING, COLUMNS, FEWEST_ROWS, MODEL, solved, told
from tunables.parts.fit import Fit, Wanted
from tunables.parts.reading import read_columns
from tunables.plain.own.columns import wanted_text


def fit_stage_rates(source) -> Fit:
    """Fit each law to two thirds of the runs, keep the best, and predict the others.

    S is the rate of all that knows no round trip: the slowest of the stages where their own
    rates are given, otherwise fitted. "window": W/RTT (Reno at a fixed loss looks the same);
    "cubic": `cubic_throughput` at a fixed loss, segments of 1460 bytes; "stop-and-wait": W
    bytes, then a round trip. The law with the least error on the fitted runs is kept. Held
    out: every third run in order of RTT, from the second on.
    Raises ValueError for what `read_columns` refuses and fewer than six rows.
    """
    columns = read_columns(source, COLUMNS, FEWEST_ROWS)
    return told(solved({name: values.tolist() for name, values in columns.items()}))


WANTED = Wanted(fit_stage_rates, MODEL, BRING, wanted_text(COLUMNS))
