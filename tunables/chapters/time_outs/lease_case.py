"""Chapter 2: a lease query that nobody answers, and the threads that wait for it."""

from functools import cache

from tunables.chapters.time_outs import CASES
from tunables.chapters.time_outs.lease_parameters import data, parameters, row_settings
from tunables.chapters.time_outs.lease_predictor import predict
from tunables.chapters.time_outs.lease_simulation import RUNS, run
from tunables.parts.case import Case, Published
from tunables.parts.model import Output, View
from tunables.parts.origin import Baseline
from tunables.parts.replication import Simulation


def _total(row_id, label, row):
    return Published(data()[row_id], label, "identity", "longest_s", row_settings(row))


_ALONE = "the lease query alone: chapter 1 finds the rest"
_TOTALS = {
    "original": "lease-total-default",
    "flush": "lease-total-default",
    "both": "lease-total-recommended",
}


def _response(row, label):
    """Bind a response time, which the row's total time-out bounds: no other number moves it."""
    return Published(
        data()[f"{row}-response"],
        label,
        "identity",
        "response_s",
        row_settings(row),
        1e-3,
        f"the total again, as a lower bound; {_ALONE}",
        rests_on=(_TOTALS[row],),
    )


def _throughput(row, label):
    """Bind a throughput: by Little's law the bound of the response once more, N over it."""
    return Published(
        data()[f"{row}-throughput"],
        label,
        "identity",
        "throughput_per_s",
        row_settings(row),
        remark="50 calls over the bound of the response, by Little's law: an upper bound",
        rests_on=(_TOTALS[row], f"{row}-response"),
    )


def _proportional() -> dict[str, float]:
    """Return the rows if a response is in proportion to the total time-out, from row 1."""
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


@cache
def case() -> Case:
    """Return all that is known of the note's numbers."""
    title, document = CASES["lease"]
    return Case(
        name="lease",
        chapter="time_outs",
        title=title,
        document=document,
        parameters=parameters(),
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
        main_outputs=("response_s", "latency_s", "latency_p99_s"),
        main_parameters=("timeout_s", "retries", "failure_probability"),
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
        simulation=Simulation(run, RUNS),
        baseline=Baseline(
            "a response in proportion to the total time-out, from row 1",
            _proportional(),
            rows=("original-response",),
            earns="The model is a bound, not a prediction: it earns that this rival, and with it a "
            "pool of 25 threads, is refuted.",
        ),
    )
