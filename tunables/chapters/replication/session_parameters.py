"""Chapter 5: the parameters of the apply process, from the report of its sessions."""

from tunables.chapters.replication.session_predictor import IO_WAITS
from tunables.chapters.replication.session_report import report
from tunables.parts.model import Parameter


def _time(name, label, default, row, origin="published", low=0.0):
    source = "Problem, which problem? " + row
    return Parameter(name, label, "s", default, origin, source, low, 20_000)


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case; the calibrated one at what the report leaves."""
    busy = report()
    return (
        Parameter(
            name="replicats",
            label="Apply processes (Replicats)",
            unit="1",
            default=1,
            origin="assumed",
            source="the report adds up the sessions of each type; it does not say how many",
            low=1,
            high=32,
            whole=True,
        ),
        _time("user_io_s", "Waits for table I/O", busy.user_io_s, "Apply Server", low=1),
        _time("cpu_s", "Uses the CPU", busy.cpu_s, "Apply Server", low=1),
        _time("system_io_s", "Waits for other I/O", busy.system_io_s, "Apply Server"),
        Parameter(
            name="unaccounted_s",
            label="Unaccounted",
            unit="s",
            default=busy.unaccounted_s,
            origin="calibrated",
            source="what the three leave of the apply time",
            low=0,
            high=20_000,
        ),
        Parameter(
            name="io",
            label="A wait for I/O is a",
            unit="",
            default="queue",
            origin="assumed",
            source="for one disk; a report of waits does not say whether others wait behind",
            choices=IO_WAITS,
        ),
        _time("receiver_s", "Receiver busy", busy.receiver_s, "Propagation Receiver, sum", low=1),
        _time("reader_s", "Reader busy", busy.reader_s, "Apply Reader, sum", low=1),
        Parameter(
            name="lcrs",
            label="LCRs applied",
            unit="LCR",
            default=busy.lcrs,
            origin="published",
            source="GoldenGate Apply Server: 18.9M",
            low=1e6,
            high=1e8,
            scale="log",
        ),
    )
