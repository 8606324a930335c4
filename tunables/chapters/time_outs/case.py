"""Chapter 2's cases: a lease query that nobody answers, and the storm that retries sustain.

The parameters from the report, both cases, and the map of where the storm's closed form breaks.
"""

from functools import cache
from typing import Any

from tunables.chapters.time_outs import CASES
from tunables.chapters.time_outs.predictor import predict_lease, predict_storm
from tunables.chapters.time_outs.simulation import (
    LEASE_RUNS,
    RUNS_OF_MAP,
    STORM_RUNS,
    run_lease,
    run_of_map,
    run_storm,
)
from tunables.core.case import Baseline, Case, Published, Simulation
from tunables.core.model import Output, Parameter, View
from tunables.core.validity import MapAxis, ValidityMap
from tunables.evidence.published import Record, published


@cache
def data() -> dict[str, Record]:
    """Return the report's numbers by row id."""
    return published("rdu-batch-tuning")


def row_settings(row: str) -> dict[str, Any]:
    """Return the timeout and retries of a row of the table: "original", "flush" or "both"."""
    return {
        "timeout_s": data()[f"{row}-lease-timeout"].value / 1000,
        "retries": int(data()[f"{row}-lease-retries"].value),
    }


def _retries() -> Parameter:
    """Return the parameter that both cases share."""
    return Parameter(
        name="retries",
        label="Retries after the first attempt",
        unit="retries",
        default=data()["lease-retries-default"].value,
        origin="published",
        source="Lease Query Time Out, paragraph 2: 3 retries by default",
        high=8,
        integer=True,
    )


def _lease_parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the lease query, with the report's values as defaults."""
    return (
        Parameter(
            name="failure_probability",
            label="Probability that an attempt fails",
            unit="1",
            default=data()["timed-out-share"].value / 100,
            origin="published",
            source="Performance Benchmark, paragraph 2: every batch times out",
        ),
        Parameter(
            name="timeout_s",
            label="Timeout of one attempt",
            unit="s",
            default=data()["lease-timeout-default"].value / 1000,
            origin="published",
            source="Lease Query Time Out, paragraph 2: 1000 ms by default",
            low=0.2,
            high=3,
        ),
        _retries(),
        Parameter(
            name="reply_s",
            label="Time until a reply, if one arrives",
            unit="s",
            default=data()["lease-query-normal-high"].value / 1000,
            origin="published",
            source="Lease Query Time Out, paragraph 2: no more than 50–100 ms",
            low=0.001,
            high=0.2,
        ),
        Parameter(
            name="backoff_base_s",
            label="Backoff: upper limit of the first pause",
            unit="s",
            default=0.0,
            origin="assumed",
            source="the report mentions no pause",
            high=2,
        ),
        Parameter(
            name="backoff_cap_s",
            label="Backoff: upper limit of any pause",
            unit="s",
            default=8.0,
            origin="assumed",
            source="has no effect without a first pause",
            high=20,
        ),
        Parameter(
            name="threads",
            label="Threads that can wait at the same time",
            unit="threads",
            default=data()["concurrent-calls"].value,
            origin="assumed",
            source="one per call, because the report gives no pool size",
            low=1,
            high=100,
            integer=True,
        ),
        Parameter(
            name="clients",
            label="Concurrent calls",
            unit="calls",
            default=data()["concurrent-calls"].value,
            origin="published",
            source="Performance Benchmark, paragraph 2: 50 concurrent calls",
            low=1,
            high=200,
            integer=True,
        ),
        Parameter(
            name="think_s",
            label="Think time between calls",
            unit="s",
            default=0.0,
            origin="assumed",
            source="Performance Benchmark, paragraph 2: sustained load; only row 3 shows a pause, "
            "of tens of ms",
            high=2,
        ),
    )


def _printed_total(row_id, label, row):
    return Published(data()[row_id], label, "identity", "longest_s", row_settings(row))


_ALONE = "only the lease query's share of the batch's time; chapter 1 explains the rest"
_TOTALS = {
    "original": "lease-total-default",
    "flush": "lease-total-default",
    "both": "lease-total-recommended",
}


def _response(row, label):
    """Bound a response time from below by the query's total timeout, which is published."""
    return Published(
        data()[f"{row}-response"],
        label,
        "bound",
        "response_s",
        row_settings(row),
        1e-3,
        _ALONE,
        rests_on=(_TOTALS[row],),
        side="at least",
    )


def _throughput(row, label):
    """Bound a throughput from above: by Little's law it is N over the response."""
    return Published(
        data()[f"{row}-throughput"],
        label,
        "bound",
        "throughput_per_s",
        row_settings(row),
        remark="50 calls divided by the shortest possible response time (Little's law)",
        rests_on=(_TOTALS[row],),
        side="at most",
    )


def _proportional() -> dict[str, float]:
    """Return rows 2 and 3 if the response were proportional to the total timeout, from row 1."""
    first = row_settings("original")
    total_s = (first["retries"] + 1) * first["timeout_s"]
    calls = data()["concurrent-calls"].value
    values: dict[str, float] = {}
    for row in ("flush", "both"):
        settings = row_settings(row)
        share = (settings["retries"] + 1) * settings["timeout_s"] / total_s
        response_s = share * (data()["original-response"].value / 1000)
        values |= {f"{row}-response": response_s, f"{row}-throughput": calls / response_s}
    return values


def _refutation() -> str:
    rival = _proportional()
    errors = [
        100 * (1000 * rival[row] / data()[row].value - 1)
        for row in ("flush-response", "both-response")
    ]
    return (
        "For the six numbers in the table, the model gives only bounds, which hold. The numbers "
        "refute this baseline, and a pool of 25 threads as well. The baseline is off by "
        f"{errors[0]:.0f}% in row 2 and by {errors[1]:.0f}% in row 3."
    )


@cache
def lease_case() -> Case:
    """Return the case of a lease query that nobody answers, and the threads that wait for it."""
    title, document = CASES["lease"]
    return Case(
        name="lease",
        chapter="time_outs",
        title=title,
        document=document,
        parameters=_lease_parameters(),
        outputs=(
            Output("attempts", "Attempts per query", "1", 2),
            Output("all_fail_probability", "Share of queries without a reply", "1", 4),
            Output("latency_s", "Mean query time", "s", 3),
            Output("latency_p99_s", "99th percentile of the query time", "s", 3),
            Output("longest_s", "Time until the client gives up", "s", 3),
            Output("throughput_per_s", "Throughput", "batches/s", 2),
            Output("response_s", "Response time", "s", 3),
        ),
        numbers=(
            _printed_total("lease-total-default", "Total timeout, default", "original"),
            _printed_total("lease-total-recommended", "Total timeout, recommended", "both"),
            _throughput("original", "Throughput, row 1"),
            _response("original", "Response time, row 1"),
            _throughput("flush", "Throughput, row 2"),
            _response("flush", "Response time, row 2"),
            _throughput("both", "Throughput, row 3"),
            _response("both", "Response time, row 3"),
        ),
        main_outputs=("response_s", "latency_s", "latency_p99_s"),
        main_parameters=("timeout_s", "retries", "failure_probability"),
        views=(
            View("timeout_s", "response_s", "Response time against the timeout", 21),
            View(
                "failure_probability",
                "latency_p99_s",
                "The 99th percentile jumps by whole timeouts",
                101,
            ),
        ),
        predict=predict_lease,
        simulation=Simulation(run_lease, LEASE_RUNS),
        baseline=Baseline(
            "a response time proportional to the total timeout, scaled from row 1",
            _proportional(),
            rows=("original-response",),
            earns=_refutation(),
        ),
    )


def _repeated_total(row, label):
    number = data()[f"{row}-lease-total"]
    remark = "the lease query's total timeout, repeated in the table"
    return Published(number, label, "identity", "longest_s", row_settings(row), remark=remark)


def _retries_read_as_attempts(row):
    settings = row_settings(row)
    return settings["retries"] * settings["timeout_s"]


@cache
def storm_case() -> Case:
    """Return the case of clients that time out and retry, and the overload they sustain."""
    title, document = CASES["storm"]
    return Case(
        name="storm",
        chapter="time_outs",
        title=title,
        document=document,
        parameters=(
            Parameter(
                name="arrival_rate_per_s",
                label="New requests",
                unit="1/s",
                default=30.0,
                origin="assumed",
                source="well below what the server can handle",
                low=1,
                high=120,
            ),
            Parameter(
                name="service_rate_per_s",
                label="Requests that the server can handle",
                unit="1/s",
                default=100.0,
                origin="assumed",
                source="a round number",
                low=20,
                high=200,
            ),
            Parameter(
                name="timeout_s",
                label="Timeout of one attempt",
                unit="s",
                default=data()["lease-timeout-recommended"].value / 1000,
                origin="published",
                source="Lease Query Time Out, paragraph 4: 500 ms recommended",
                low=0.05,
                high=5,
                scale="log",
            ),
            _retries(),
        ),
        outputs=(
            Output("offered_per_s", "Attempts after an idle start", "1/s", 1),
            Output("goodput_per_s", "Answered in time after an idle start", "1/s", 1),
            Output("offered_after_overload_per_s", "Attempts after an overload", "1/s", 1),
            Output("goodput_after_overload_per_s", "Answered in time after an overload", "1/s", 1),
            Output("tipping_per_s", "Attempts that overload an idle server", "1/s", 2),
            Output(
                "safe_arrivals_per_s",
                "Load below which the server always recovers",
                "1/s",
                1,
            ),
            Output("longest_s", "Time until the client gives up", "s", 3),
        ),
        numbers=(
            _repeated_total("flush", "Total timeout, row 2"),
            _repeated_total("both", "Total timeout, row 3"),
        ),
        main_outputs=("goodput_per_s", "goodput_after_overload_per_s", "safe_arrivals_per_s"),
        main_parameters=("retries", "timeout_s", "arrival_rate_per_s"),
        views=(
            View(
                "arrival_rate_per_s",
                "goodput_after_overload_per_s",
                "Requests answered in time after an overload",
                41,
            ),
            View(
                "retries",
                "safe_arrivals_per_s",
                "Load below which the server always recovers, by number of retries",
                9,
            ),
        ),
        predict=predict_storm,
        simulation=Simulation(run_storm, STORM_RUNS),
        baseline=Baseline(
            "a client with r retries makes r attempts",
            {f"{row}-lease-total": _retries_read_as_attempts(row) for row in ("flush", "both")},
            earns="The model improves on the baseline only by counting the attempts correctly, "
            "because the report gives no numbers for a storm.",
        ),
    )


@cache
def validity() -> ValidityMap:
    """Return the map of new requests and timeout for the storm from rest.

    Retries do not arrive at random, so the queue tips over before the formula says so.
    """
    return ValidityMap(
        case=storm_case(),
        title="Attempts per second between 100 s and 200 s into the run",
        x=MapAxis(
            "arrival_rate_per_s",
            "New requests",
            "the rate of new requests",
            "1/s",
            (20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100),
        ),
        y=MapAxis(
            "timeout_s",
            "Timeout of one attempt",
            "the timeout",
            "s",
            (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0),
        ),
        output="offered_per_s",
        simulation=Simulation(run_of_map, RUNS_OF_MAP),
        why="With a short timeout, one chance pile-up in the queue is enough to tip a load that "
        "the formula calls healthy into a storm. Near the edge it is a matter of chance: some runs "
        "collapse within 200 seconds and others don't, so those cells are undecided.",
    )
