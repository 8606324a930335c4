"""Chapter 8's fit to the times of both copies of a reader's requests. It runs in the page too."""

from tunables.base.user_data.columns import Column
from tunables.core.fit import (
    COUNTED,
    Fit,
    FittedModel,
    FittedParameter,
    HeldOut,
    elasticities,
    judge,
)
from tunables.theory.hedging import hedged_quantile
from tunables.theory.latency_tails import tail_at, tail_points, time_at

COLUMNS = (
    Column("first_s", "time until the first server answered", above=0),
    Column("second_s", "time until the second server answered the same request", above=0),
)
BRING = "the times of both copies of your requests"
MODEL = FittedModel(
    chapter="hedged_requests",
    law="if one copy takes longer than t with probability S, the faster of two does with "
    "probability S (c + (1 - c) S)",
    baseline="the time of one copy",
    band=0.1,
)
FEWEST_ROWS = 1000
EVERY = 3  # each third row is held out
SHARES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005)  # that are longer
SLOW = 0.1  # copies that count as slow
HELD_OUT = (0.5, 0.2, 0.1, 0.05, 0.02)
_APART = 0.15  # two values of c that one share does not describe


def wanted() -> dict:
    """Return what the page needs to know to read and count a reader's times."""
    return {
        "kind": "table",
        "fewest": FEWEST_ROWS,
        "every": EVERY,
        "shares": list(SHARES),
        "slow": [SLOW, 0.5],
        "held": list(HELD_OUT),
    }


def shared_share(slow, both) -> float:
    """Return the share c with which both copies are slow that often: both = S (c + (1 - c) S).

    slow = S: how often a single copy is slow; the result is from 0 to 1, and 1 without slow copies.

    >>> round(shared_share(0.1, 0.01), 6), round(shared_share(0.1, 0.055), 6)
    (0.0, 0.5)
    """
    if not 0 < slow < 1:
        return 1.0
    return min(max((both / slow - slow) / (1 - slow), 0.0), 1.0)


def _points(counted):
    """Return the tail of one copy; times that are equal count once, with their smallest share."""
    kept: list = []
    for time, share in counted["points"]:
        if kept and kept[-1][0] == time:
            kept.pop()
        kept.append((time, share))
    return tail_points(kept)


def _exceeded(points, share, c):
    """Return the time that a share of the requests exceeds, if both copies are sent at once."""
    return hedged_quantile(
        lambda time: tail_at(points, time), lambda part: time_at(points, part), share, 0.0, c
    )


def solve(counted) -> dict:
    """Return the numbers of the fit, which `report` puts into words.

    counted: "points", [[time, share of the fitted copies that take longer], ...]; "both",
    [[share of the fitted copies that are slow, share of the requests with both slow], ...] for
    the slowest tenth and the slower half; "measured", [[share, time that it exceeds], ...] of the
    faster copies in the rows held out.
    Raises ValueError for times that are all equal.
    """
    points = _points(counted)
    if len(points) < 3:
        raise ValueError("all copies take the same time: log the times with more digits")
    c, of_half = [shared_share(slow, both) for slow, both in counted["both"]]
    median_s = time_at(points, 0.5)

    def last_s(c, m):
        return _exceeded(points, HELD_OUT[-1], min(c, 1.0)) * m / median_s

    return {
        "c": c,
        "c_half": of_half,
        "m": median_s,
        "rows": [
            [share, measured, _exceeded(points, share, c), time_at(points, share)]
            for share, measured in counted["measured"]
        ],
        "sensitivity": [[n, e] for n, e in elasticities(last_s, [("c", c), ("m", median_s)])],
    }


def _reason(c, of_half):
    if abs(c - of_half) > _APART:
        return (
            f"The slowest tenth of the copies gives c = {c:.2f}, but the slower half gives "
            f"c = {of_half:.2f}. So a single share can't describe what the copies have in common."
        )
    return "The held-out rows differ from the fitted rows, so the servers must have changed."


def report(result) -> Fit:
    """Return the Fit made of the numbers that `solve` returned."""
    rows = [
        HeldOut(f"time that {100 * share:g}% of the requests exceed", "s", measured, by_law, once)
        for share, measured, by_law, once in result["rows"]
    ]
    parameters = (
        FittedParameter(
            "c",
            "share of requests that take the same time at every server",
            result["c"],
            "",
            COUNTED,
        ),
        FittedParameter("m", "median time of one copy", result["m"], "s", COUNTED),
    )
    where = f"time that {100 * HELD_OUT[-1]:g}% of the requests exceed"
    reason = _reason(result["c"], result["c_half"])
    held = "third of the rows that was held out"
    return judge(MODEL, parameters, rows, reason, where, result["sensitivity"], held=held)
