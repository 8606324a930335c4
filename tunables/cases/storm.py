"""Chapter 2: clients that time out and retry, and the overload that they keep alive."""

from tunables.cases.case import Case, Output, Parameter, Published, View
from tunables.cases.lease import RETRIES, row_settings
from tunables.evidence.published import published
from tunables.predictors.retry_storm import predict
from tunables.simulators.interval import confidence_interval
from tunables.simulators.retry_storm import simulate_retry_storm

RUNS = 10
OUTAGE_S = 10.0  # longer than any time-out that the case allows
HORIZON_S = 600
LAST_S = 100  # the seconds that are measured

_data = published("rdu-batch-tuning")


def _ends(rates, seeds, outage_s):
    """Return intervals of attempts and answers a second in the last seconds of each run."""
    runs = [
        simulate_retry_storm(*rates, outage_s=outage_s, horizon_s=HORIZON_S, seed=each)
        for each in seeds
    ]
    return [
        confidence_interval([run[series][-LAST_S:].mean() for run in runs]) for series in (0, 1)
    ]


def simulate(seed, *, arrival_rate_per_s, service_rate_per_s, timeout_s, retries):
    """Return the loads from rest and after an outage of 10 s as (mean, half-width)."""
    rates = arrival_rate_per_s, service_rate_per_s, timeout_s, int(retries)
    seeds = range(RUNS * seed, RUNS * (seed + 1))
    offered, goodput = _ends(rates, seeds, 0.0)
    offered_after, goodput_after = _ends(rates, seeds, OUTAGE_S)
    return {
        "offered_per_s": offered,
        "goodput_per_s": goodput,
        "offered_after_overload_per_s": offered_after,
        "goodput_after_overload_per_s": goodput_after,
    }


def _total(row, label):
    number = _data[f"{row}-lease-total"]
    return Published(number, label, "identity", "longest_s", row_settings(row))


CASE = Case(
    name="storm",
    chapter=2,
    title="The retry storm",
    document="Cisco Systems, RDU Batch Processing Tuning, 2008: its time-outs and retries",
    predictor="tunables.predictors.retry_storm",
    parameters=(
        Parameter(
            name="arrival_rate_per_s",
            label="New requests",
            unit="1/s",
            default=30.0,
            origin="assumed",
            source="well below what the server can do",
            low=1,
            high=120,
        ),
        Parameter(
            name="service_rate_per_s",
            label="Requests that the server can do",
            unit="1/s",
            default=100.0,
            origin="assumed",
            source="a round number",
            low=20,
            high=200,
        ),
        Parameter(
            name="timeout_s",
            label="Time-out of one attempt",
            unit="s",
            default=_data["lease-timeout-recommended"].value / 1000,
            origin="published",
            source="Lease Query Time Out, paragraph 4: 500 ms recommended",
            low=0.05,
            high=5,
            scale="log",
        ),
        RETRIES,
    ),
    outputs=(
        Output("offered_per_s", "Attempts from rest", "1/s", 1),
        Output("goodput_per_s", "Answered from rest", "1/s", 1),
        Output("offered_after_overload_per_s", "Attempts after an overload", "1/s", 1),
        Output("goodput_after_overload_per_s", "Answered after an overload", "1/s", 1),
        Output("tipping_per_s", "Attempts that tip it over", "1/s", 2),
        Output("safe_arrivals_per_s", "Load that always recovers", "1/s", 1),
        Output("longest_s", "Time if all attempts fail", "s", 3),
    ),
    numbers=(
        _total("flush", "Total time-out, row 2"),
        _total("both", "Total time-out, row 3"),
    ),
    views=(
        View(
            "arrival_rate_per_s",
            "goodput_after_overload_per_s",
            "Answered requests after an overload",
            41,
        ),
        View("retries", "safe_arrivals_per_s", "Load that always recovers, by retries", 9),
    ),
    predict=predict,
    simulate=simulate,
)
