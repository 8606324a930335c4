"""Chapter 1's fitted parameters, computed from the published table."""

import math
from functools import cache

from tunables.chapters.group_commit.predictor import calibrated_base
from tunables.evidence.published import Record, published
from tunables.parts.model import Setting

MS = 1e-3
ROWS = ("original", "flush", "both")


@cache
def data() -> dict[str, Record]:
    """Return the report's numbers by row id."""
    return published("rdu-batch-tuning")


def value(row_id: str) -> float:
    """Return one of the report's numbers."""
    return data()[row_id].value


def response_s(row: str) -> float:
    """Return the published mean response time of a row of the table."""
    return value(f"{row}-response") * MS


def row_settings(row: str) -> dict[str, Setting]:
    """Return the tunables of a row of the table: "original", "flush" or "both"."""
    return {
        "max_delay_s": value(f"{row}-flush-delay-max") * MS,
        "timeout_s": value(f"{row}-lease-timeout") * MS,
        "retries": int(value(f"{row}-lease-retries")),
    }


def think_time_s() -> float:
    """Return Z = N/X - R of row 3, the only row whose rounded throughput excludes Z = 0."""
    return value("concurrent-calls") / value("both-throughput") - response_s("both")


def caps_per_batch() -> float:
    """Return how many maximum delays rows 1 and 2 differ by: (R1 - R2) / (D1 - D2)."""
    delay_s = {row: value(f"{row}-flush-delay-max") * MS for row in ("original", "flush")}
    difference_s = response_s("original") - response_s("flush")
    return difference_s / (delay_s["original"] - delay_s["flush"])


def fitted_caps() -> str:
    """Return the hypothesis of that many caps a batch, as a whole number."""
    return {1: "one cap", 2: "two caps"}[round(caps_per_batch())]


def fitted_pool_threads() -> int:
    """Return the smallest pool in which lease queries alone queue no longer than row 1."""
    lease_s = value("lease-total-default")
    cycle_s = response_s("original") + think_time_s()
    return math.ceil(value("concurrent-calls") * lease_s / cycle_s)


def fitted_commit_threads() -> int:
    """Return the number of commit threads that comes nearest to row 1's response."""
    held_s = value("flush-delay-default") + fitted_base_s("one cap")
    cycle_s = response_s("original") + think_time_s()
    return round(value("concurrent-calls") * held_s / cycle_s)


def fitted_base_s(hypothesis: str) -> float:
    """Return the base b fitted to row 2's response, or for the thread pool to row 1's.

    A pool of 25 threads misses row 2 with any base: it was proposed for row 1.
    """
    row = "original" if hypothesis == "thread pool" else "flush"
    return calibrated_base(
        response_s(row),
        hypothesis=hypothesis,
        clients=value("concurrent-calls"),
        think_s=think_time_s(),
        pool_threads=fitted_pool_threads(),
        **row_settings(row),
    )
