"""Chapter 5: what the report of the sessions says of receiver, reader and apply process."""

from functools import cache
from typing import NamedTuple

from tunables.evidence.published import Record, published
from tunables.plain.adding import added


class Session(NamedTuple):
    """Seconds of the apply process by what it did, those of receiver and reader, and its LCRs."""

    user_io_s: float
    cpu_s: float
    system_io_s: float
    unaccounted_s: float
    apply_s: float
    receiver_s: float
    reader_s: float
    lcrs: float


@cache
def data() -> dict[str, Record]:
    """Return the report's numbers by row id."""
    return published("wlcg-session")


def _busy_s(process: str) -> float:
    """Return the seconds of CPU and of waits for I/O of a process that only passes LCRs on."""
    columns = ("cpu", "user-io-wait", "system-io-wait")
    return added(data()[f"{process}-{column}"].value for column in columns)


@cache
def report() -> Session:
    """Return the report's seconds; unaccounted is what the three leave of the apply time."""
    user_io_s, cpu_s, system_io_s, apply_s = (
        data()[row].value
        for row in (
            "apply-server-user-io-wait",
            "apply-server-cpu",
            "apply-server-system-io-wait",
            "server-apply-time",
        )
    )
    return Session(
        user_io_s=user_io_s,
        cpu_s=cpu_s,
        system_io_s=system_io_s,
        unaccounted_s=apply_s - user_io_s - cpu_s - system_io_s,
        apply_s=apply_s,
        receiver_s=_busy_s("propagation-receiver"),
        reader_s=_busy_s("apply-reader"),
        lcrs=data()["server-lcrs-applied"].value * 1e6,
    )
