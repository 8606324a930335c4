"""Chapter 2's published time-outs and retries, and the parameters of the lease query."""

from functools import cache
from typing import Any

from tunables.evidence.published import Record, published
from tunables.parts.model import Parameter


@cache
def data() -> dict[str, Record]:
    """Return the note's numbers by row id."""
    return published("rdu-batch-tuning")


def row_settings(row: str) -> dict[str, Any]:
    """Return time-out and retries of a row of the table: "original", "flush" or "both"."""
    return {
        "timeout_s": data()[f"{row}-lease-timeout"].value / 1000,
        "retries": int(data()[f"{row}-lease-retries"].value),
    }


def retries() -> Parameter:
    """Return the parameter that the lease query and the storm share."""
    return Parameter(
        name="retries",
        label="Retries after the first attempt",
        unit="retries",
        default=data()["lease-retries-default"].value,
        origin="published",
        source="Lease Query Time Out, paragraph 2: 3 by default",
        high=8,
        whole=True,
    )


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case, at what the note prints."""
    return (
        Parameter(
            name="failure_probability",
            label="Probability that an attempt fails",
            unit="1",
            default=data()["timed-out-share"].value / 100,
            origin="published",
            source="Performance Benchmark, paragraph 2: a time-out for every batch",
        ),
        Parameter(
            name="timeout_s",
            label="Time-out of one attempt",
            unit="s",
            default=data()["lease-timeout-default"].value / 1000,
            origin="published",
            source="Lease Query Time Out, paragraph 2: 1000 ms by default",
            low=0.2,
            high=3,
        ),
        retries(),
        Parameter(
            name="reply_s",
            label="Time of a reply that comes",
            unit="s",
            default=data()["lease-query-normal-high"].value / 1000,
            origin="published",
            source="Lease Query Time Out, paragraph 2: no more than 50–100 ms",
            low=0.001,
            high=0.2,
        ),
        Parameter(
            name="backoff_base_s",
            label="Backoff: bound of the first pause",
            unit="s",
            default=0.0,
            origin="assumed",
            source="the document names no pause",
            high=2,
        ),
        Parameter(
            name="backoff_cap_s",
            label="Backoff: bound of every pause",
            unit="s",
            default=8.0,
            origin="assumed",
            source="without a first pause it does nothing",
            high=20,
        ),
        Parameter(
            name="threads",
            label="Threads that can wait at once",
            unit="threads",
            default=data()["concurrent-calls"].value,
            origin="assumed",
            source="one for each call; the document gives no size of a pool",
            low=1,
            high=100,
            whole=True,
        ),
        Parameter(
            name="clients",
            label="Concurrent calls",
            unit="calls",
            default=data()["concurrent-calls"].value,
            origin="published",
            source="Performance Benchmark, paragraph 2: 50",
            low=1,
            high=200,
            whole=True,
        ),
        Parameter(
            name="think_s",
            label="Think time between calls",
            unit="s",
            default=0.0,
            origin="assumed",
            source="sustained load, paragraph 2; only row 3 shows a pause, of tens of ms",
            high=2,
        ),
    )
