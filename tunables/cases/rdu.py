"""Chapter 1: the flush delay of the RDU's batches (Cisco, 2008)."""

from tunables.cases.case import Case, Output, Parameter, Published, Setting, View
from tunables.cases.rdu_calibration import (
    MS,
    fitted_base_s,
    fitted_caps,
    fitted_commit_threads,
    fitted_pool_threads,
    row_settings,
    think_time_s,
)
from tunables.cases.rdu_simulation import simulate
from tunables.evidence.published import published
from tunables.predictors.rdu import HYPOTHESES, predict

_data = published("rdu-batch-tuning")


def _value(row_id: str) -> float:
    return _data[row_id].value


def rival(hypothesis: str, row: str = "original", **changes: Setting) -> dict[str, Setting]:
    """Return the parameters of a hypothesis with its own base, at a row's tunables."""
    base_s = fitted_base_s(hypothesis)
    chosen = row_settings(row) | changes
    return CASE.settings(hypothesis=hypothesis, base_s=base_s, **chosen)


def _number(row, quantity, label, status, output, factor=1.0, remark=""):
    record = _data[f"{row}-{quantity}"]
    return Published(record, label, status, output, row_settings(row), factor, remark)


def _throughput(row, label, status, remark):
    return _number(row, "throughput", f"Throughput, {label}", status, "throughput_per_s", 1, remark)


def _response(row, label, status, remark):
    return _number(row, "response", f"Response, {label}", status, "response_s", MS, remark)


_FIRST, _SECOND, _THIRD = "row 1", "row 2", "row 3"
_LITTLE = "follows from the published response by Little's law"
_NORMAL = "no model here has the normal load; it lies above the recommended maximum of 25 ms"

CASE = Case(
    name="rdu",
    chapter=1,
    title="Group commit",
    document="Cisco Systems, RDU Batch Processing Tuning, 2008",
    predictor="tunables.predictors.rdu",
    parameters=(
        Parameter(
            name="hypothesis",
            label="Where the time goes",
            unit="",
            default=fitted_caps(),
            origin="calibrated",
            source="two caps: fitted to row 1's 8072 ms, given row 2's 4126 ms",
            choices=HYPOTHESES,
        ),
        Parameter(
            name="max_delay_s",
            label="Maximum flush delay D",
            unit="s",
            default=_value("flush-delay-default"),
            origin="published",
            source="section on flushing: by default 2 seconds",
            low=0,
            high=3,
        ),
        Parameter(
            name="timeout_s",
            label="Lease query time-out T",
            unit="s",
            default=_value("lease-timeout-default") * MS,
            origin="published",
            source="section on lease queries: 1000 msec",
            low=0.1,
            high=2,
        ),
        Parameter(
            name="retries",
            label="Lease query retries r",
            unit="1",
            default=_value("lease-retries-default"),
            origin="published",
            source="section on lease queries: 3 retries",
            low=0,
            high=5,
            whole=True,
        ),
        Parameter(
            name="clients",
            label="Concurrent calls N",
            unit="calls",
            default=_value("concurrent-calls"),
            origin="published",
            source="section on the benchmark: 50 concurrent calls",
            low=1,
            high=200,
            whole=True,
        ),
        Parameter(
            name="base_s",
            label="Base time b of a batch",
            unit="s",
            default=fitted_base_s(fitted_caps()),
            origin="calibrated",
            source="fitted to row 2's response; each hypothesis has its own",
            low=0,
            high=0.5,
        ),
        Parameter(
            name="think_s",
            label="Think time Z",
            unit="s",
            default=think_time_s(),
            origin="calibrated",
            source="fitted to row 3's throughput",
            low=0,
            high=0.5,
        ),
        Parameter(
            name="pool_threads",
            label="Threads of the thread pool",
            unit="threads",
            default=fitted_pool_threads(),
            origin="calibrated",
            source="for that hypothesis alone: fitted to row 1's response",
            low=1,
            high=100,
            whole=True,
        ),
        Parameter(
            name="commit_threads",
            label="Threads of the commit stage",
            unit="threads",
            default=fitted_commit_threads(),
            origin="calibrated",
            source="for that hypothesis alone: fitted to row 1's response",
            low=1,
            high=100,
            whole=True,
        ),
    ),
    outputs=(
        Output("throughput_per_s", "Throughput", "batches/s", 3),
        Output("response_s", "Mean response time", "s", 4),
    ),
    numbers=(
        _throughput("original", _FIRST, "identity", _LITTLE),
        _response("original", _FIRST, "calibrated", "fitted by a whole number, which leaves 4 ms"),
        _throughput("flush", _SECOND, "identity", _LITTLE),
        _response("flush", _SECOND, "calibrated", ""),
        _throughput("both", _THIRD, "calibrated", "gives the think time"),
        _response("both", _THIRD, "predicted", "missed by 5 ms, ten times what rounding allows"),
        Published(
            _data["flush-delay-normal-low"], "Normal flush delay, lowest", "unexplained",
            remark=_NORMAL,
        ),
        Published(
            _data["flush-delay-normal-high"], "Normal flush delay, highest", "unexplained",
            remark=_NORMAL,
        ),
    ),
    views=(
        View("max_delay_s", "response_s", "Response time against the maximum flush delay", 31),
        View("clients", "response_s", "Response time against the number of clients", 41),
    ),
    predict=predict,
    simulate=simulate,
)  # fmt: skip
