"""Chapter 2: a lease query that nobody answers, and the threads that wait for it."""

from typing import Any

from tunables.cases import rdu_calibration
from tunables.cases.case import Case, Output, Parameter, Published, View
from tunables.evidence.published import published
from tunables.predictors.lease_query import predict
from tunables.simulators.batches import experiment
from tunables.simulators.batches_core import run_batches
from tunables.simulators.interval import confidence_interval
from tunables.simulators.queries import simulate_queries

RUNS = 10

_data = published("rdu-batch-tuning")


def row_settings(row: str) -> dict[str, Any]:
    """Return time-out and retries of a row of the table: "original", "flush" or "both"."""
    settings = rdu_calibration.row_settings(row)
    return {name: settings[name] for name in ("timeout_s", "retries")}


def _run(seed, clients, threads, think_s, query):
    """Return the outputs of one run: the document's number of batches, each only a query."""
    batches = int(_data["batches"].value)
    queries = simulate_queries(**query, queries=batches, seed=seed)
    hole = simulate_queries(**query | {"failure_probability": 1.0}, queries=batches, seed=seed)
    draws, rules = experiment(
        clients=clients,
        batches=batches,
        think_time_s=think_s,
        commits=0,
        batch_threads=threads,
        seed=seed,
    )
    makespan_s, response_s = run_batches(draws._replace(lease_s=queries.latency_s), rules)
    return {
        "attempts": queries.attempts.mean(),
        "all_fail_probability": 1 - queries.answered.mean(),
        "latency_s": queries.latency_s.mean(),
        "longest_s": hole.latency_s.mean(),
        "throughput_per_s": batches / makespan_s,
        "response_s": response_s,
    }


def simulate(seed, *, clients, threads, think_s, **query):
    """Return outputs of `predict` as (mean, half-width); the percentile is left out."""
    runs = [
        _run(each, int(clients), int(threads), think_s, query)
        for each in range(RUNS * seed, RUNS * (seed + 1))
    ]
    return {output: confidence_interval([run[output] for run in runs]) for output in runs[0]}


def _total(row_id, label, row):
    return Published(_data[row_id], label, "identity", "longest_s", row_settings(row))


_ALONE = "the lease query alone, nothing fitted: chapter 1 finds the rest"


def _response(row, label):
    number = _data[f"{row}-response"]
    remark = f"a lower bound, {_ALONE}"
    return Published(number, label, "predicted", "response_s", row_settings(row), 1e-3, remark)


def _throughput(row, label):
    number = _data[f"{row}-throughput"]
    remark = f"an upper bound, {_ALONE}"
    return Published(
        number, label, "predicted", "throughput_per_s", row_settings(row), remark=remark
    )


RETRIES = Parameter(
    name="retries",
    label="Retries after the first attempt",
    unit="retries",
    default=_data["lease-retries-default"].value,
    origin="published",
    source="Lease Query Time Out, paragraph 2: 3 by default",
    high=8,
    whole=True,
)

CASE = Case(
    name="lease",
    chapter=2,
    title="Time-outs and the threads they hold",
    document="Cisco Systems, RDU Batch Processing Tuning, 2008",
    predictor="tunables.predictors.lease_query",
    parameters=(
        Parameter(
            name="failure_probability",
            label="Probability that an attempt fails",
            unit="1",
            default=_data["timed-out-share"].value / 100,
            origin="published",
            source="Performance Benchmark, paragraph 2: a time-out for every batch",
        ),
        Parameter(
            name="timeout_s",
            label="Time-out of one attempt",
            unit="s",
            default=_data["lease-timeout-default"].value / 1000,
            origin="published",
            source="Lease Query Time Out, paragraph 2: 1000 ms by default",
            low=0.2,
            high=3,
        ),
        RETRIES,
        Parameter(
            name="reply_s",
            label="Time of a reply that comes",
            unit="s",
            default=_data["lease-query-normal-high"].value / 1000,
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
            default=_data["concurrent-calls"].value,
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
            default=_data["concurrent-calls"].value,
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
            source="sustained load, paragraph 2; row 3 alone asks for 18 to 45 ms",
            high=2,
        ),
    ),
    outputs=(
        Output("attempts", "Attempts per query", "1", 2),
        Output("all_fail_probability", "Queries without a reply", "1", 4),
        Output("latency_s", "Mean time of a query", "s", 3),
        Output("latency_p99_s", "99th percentile of it", "s", 3),
        Output("longest_s", "Time if all attempts fail", "s", 3),
        Output("throughput_per_s", "Throughput", "batches/s", 2),
        Output("response_s", "Response time", "s", 3),
    ),
    numbers=(
        _total("lease-total-default", "Total time-out, default", "original"),
        _total("lease-total-recommended", "Total time-out, recommended", "both"),
        _throughput("original", "Throughput, row 1"),
        _response("original", "Response time, row 1"),
        _throughput("flush", "Throughput, row 2"),
        _response("flush", "Response time, row 2"),
        _throughput("both", "Throughput, row 3"),
        _response("both", "Response time, row 3"),
    ),
    views=(
        View("timeout_s", "response_s", "Response time against the time-out", 21),
        View(
            "failure_probability",
            "latency_p99_s",
            "The 99th percentile jumps by whole time-outs",
            101,
        ),
    ),
    predict=predict,
    simulate=simulate,
)
