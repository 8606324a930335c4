"""What chapter 8 fits to the article's numbers, and to a reader's own."""

import math
from functools import cache
from itertools import pairwise

import numpy as np

from tunables.base.roots import bisect
from tunables.base.user_data.columns import wanted_text
from tunables.chapters.hedged_requests.fit import (
    BRING,
    COLUMNS,
    EVERY,
    FEWEST_ROWS,
    HELD_OUT,
    MODEL,
    SHARES,
    SLOW,
    report,
    solve,
)
from tunables.chapters.hedged_requests.predictor import PERCENTILES, leaf_tail, predict_tied
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import read_columns
from tunables.evidence.published import Record, published
from tunables.theory.hedging import hedged_quantile, slowest_leaf_share
from tunables.theory.latency_tails import tail_at, tail_points, time_at

SCENES = {"idle": "Idle", "sort": "With the sort"}
WORDS = {"p50": "50th", "p90": "90th", "p95": "95th", "p99": "99th", "p999": "99.9th"}


@cache
def data() -> dict[str, Record]:
    """Return the article's numbers by row id."""
    return published("hedged_requests")


def value(row_id: str) -> float:
    """Return one of the article's numbers."""
    return data()[row_id].value


def scene_settings(scene: str) -> dict[str, float]:
    """Return the percentiles without a second request, of "idle" or "sort"."""
    times = {name: value(f"{scene}-once-{name}") for name in PERCENTILES}
    ratios = {
        f"{name}_ratio": times[name] / times[before] for before, name in pairwise(PERCENTILES)
    }
    return {"p50_ms": times["p50"]} | ratios


@cache
def fitted_shared() -> float:
    """Return the share c that gives the idle cluster's 99th percentile with tied requests."""
    settings = scene_settings("idle") | {"delay_ms": value("tied-delay")}
    printed = value("idle-tied-p99")
    return bisect(lambda c: predict_tied(shared=c, **settings)["hedged_p99_ms"] >= printed, 0, 1)


@cache
def fitted_floor_ms() -> float:
    """Return the least latency that gives the idle cluster's median with tied requests."""
    settings = scene_settings("idle") | {
        "delay_ms": value("tied-delay"),
        "shared": fitted_shared(),
    }
    printed = value("idle-tied-p50")
    return bisect(
        lambda ms: predict_tied(floor_ms=ms, **settings)["hedged_p50_ms"] >= printed,
        0,
        settings["p50_ms"],
    )


def independent_copies() -> dict[str, float]:
    """Return what two independent copies of the whole read would give for table 2, by row."""
    return {
        f"{scene}-tied-{name}": predict_tied(delay_ms=value("tied-delay"), **scene_settings(scene))[
            f"hedged_{name}_ms"
        ]
        for scene in SCENES
        for name in PERCENTILES
    }


def leaf() -> dict[str, float]:
    """Return the percentiles of one random leaf of table 1."""
    return _leaf(value("leaf-p50"), value("leaf-p95"), value("leaf-p99"))


def _leaf(p50: float, p95: float, p99: float) -> dict[str, float]:
    return {"leaf_p50_ms": p50, "leaf_p95_ratio": p95 / p50, "leaf_p99_ratio": p99 / p95}


def table_leaves() -> int:
    """Return the number of leaves that gives the median of all leaves in table 1."""
    points = leaf_tail(*leaf().values())
    share = tail_at(points, value("all-p50"), power_from=value("leaf-p95"))
    return round(math.log(0.5) / math.log(1 - share))


def benchmark_leaf(each="keys") -> dict[str, float]:
    """Return the BigTable benchmark's leaf: a power law through 2% at 10 ms and the 1,800 ms.

    The slowest of 1,000 keys, or of 100 servers (each = "key-servers"), exceeds 1,800 ms once in
    1,000 times. The median is half of the 95th percentile: nothing that is printed depends on it.
    """
    delay, extra = value("hedge-delay"), value("hedge-extra-load") / 100
    far = slowest_leaf_share(0.001, int(value(each)))
    exponent = math.log(value("unhedged-p999") / delay) / math.log(far / extra)
    p95, p99 = (delay * (share / extra) ** exponent for share in (0.05, 0.01))
    return _leaf(p95 / 2, p95, p99)


def exponential_benchmark_ms() -> float:
    """Return the hedged benchmark's time with an exponential tail instead of the power law."""
    delay, extra = value("hedge-delay"), value("hedge-extra-load") / 100
    far = slowest_leaf_share(0.001, int(value("keys")))
    points = tail_points([(delay, extra), (value("unhedged-p999"), far)])
    return hedged_quantile(
        lambda time: tail_at(points, time), lambda share: time_at(points, share), far, delay
    )


def least_slow_share() -> float:
    """Return the least share of all leaves that takes 12 ms or more by table 1's middle row.

    In half of the requests, at least 5% of the leaves do. The first row says that 1% exceed 10 ms.
    """
    return 0.5 * 0.05


def count(data) -> dict:
    """Return what `solve` takes from the columns of a table."""
    first, second = data["first_s"], data["second_s"]
    out = np.arange(len(first)) % EVERY == EVERY - 1
    copies = np.concatenate([first[~out], second[~out]])
    later = np.minimum(first[out], second[out])
    both = np.minimum(first[~out], second[~out])
    edges = [float(np.quantile(copies, 1 - slow)) for slow in (SLOW, 0.5)]
    return {
        "points": [[float(np.quantile(copies, 1 - share)), share] for share in SHARES],
        "both": [[float(np.mean(copies > edge)), float(np.mean(both > edge))] for edge in edges],
        "measured": [[share, float(np.quantile(later, 1 - share))] for share in HELD_OUT],
    }


def fit_copies(source) -> Fit:
    """Learn what the copies share from two thirds of the rows; predict the faster copy in the rest.

    The tail S of one copy and the share c (`shared_share`, by the slowest tenth) come from the
    fitted rows. Every third row is held out. The model predicts the times that 50, 20, 10, 5 and
    2% of the requests held out exceed if both copies are sent at once.
    Raises ValueError for what `read_columns` refuses, and for times that are all equal.
    """
    return report(solve(count(read_columns(source, COLUMNS, FEWEST_ROWS))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_copies, MODEL, BRING, wanted_text(COLUMNS))
