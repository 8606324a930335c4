"""Chapter 2: clients that time out and retry, and the overload that they keep alive."""

from functools import cache

from tunables.chapters.time_outs import CASES
from tunables.chapters.time_outs.lease_parameters import data, retries, row_settings
from tunables.chapters.time_outs.storm_predictor import predict
from tunables.chapters.time_outs.storm_simulation import RUNS, run
from tunables.parts.case import Case, Published
from tunables.parts.model import Output, Parameter, View
from tunables.parts.origin import Baseline
from tunables.parts.replication import Simulation


def _total(row, label):
    number = data()[f"{row}-lease-total"]
    remark = "the total of the lease query, repeated in the table"
    return Published(number, label, "identity", "longest_s", row_settings(row), remark=remark)


def _retries_read_as_attempts(row):
    settings = row_settings(row)
    return settings["retries"] * settings["timeout_s"]


@cache
def case() -> Case:
    """Return all that is known of the note's totals, and what a storm makes of them."""
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
                default=data()["lease-timeout-recommended"].value / 1000,
                origin="published",
                source="Lease Query Time Out, paragraph 4: 500 ms recommended",
                low=0.05,
                high=5,
                scale="log",
            ),
            retries(),
        ),
        outputs=(
            Output("offered_per_s", "Attempts from rest", "1/s", 1),
            Output("goodput_per_s", "Answered from rest", "1/s", 1),
            Output("offered_after_overload_per_s", "Attempts after an overload", "1/s", 1),
            Output("goodput_after_overload_per_s", "Answered after an overload", "1/s", 1),
            Output("tipping_per_s", "Attempts that tip an empty server", "1/s", 2),
            Output("safe_arrivals_per_s", "Load that always recovers", "1/s", 1),
            Output("longest_s", "Time if all attempts fail", "s", 3),
        ),
        numbers=(
            _total("flush", "Total time-out, row 2"),
            _total("both", "Total time-out, row 3"),
        ),
        main_outputs=("goodput_per_s", "goodput_after_overload_per_s", "safe_arrivals_per_s"),
        main_parameters=("retries", "timeout_s", "arrival_rate_per_s"),
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
        simulation=Simulation(run, RUNS),
        baseline=Baseline(
            "r retries read as r attempts",
            {f"{row}-lease-total": _retries_read_as_attempts(row) for row in ("flush", "both")},
            earns="What it earns is the right count of attempts. The note prints nothing of a "
            "storm.",
        ),
    )
