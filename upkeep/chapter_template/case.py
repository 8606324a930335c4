"""Chapter 99: a shop's till."""

from functools import cache

import numpy as np

from tunables.chapters.SLUG import CASES
from tunables.chapters.SLUG.predictor import predict
from tunables.core.case import Baseline, Calibration, Case, Published, Simulation
from tunables.core.model import Output, Parameter, View
from tunables.evidence.published import published

CUSTOMERS = 20_000
RUNS = 5


@cache
def data():
    """Return the list's numbers by row id."""
    return published("SLUG")


def value(row_id: str) -> float:
    """Return one of the list's numbers."""
    return data()[row_id].value


def fitted_service_per_h() -> float:
    """Return the speed at which the quiet hour takes what the list says: u = a + 60/T."""
    return value("SLUG-quiet-arrivals") + 60 / value("SLUG-quiet-time")


def run(seed, *, arrivals_per_h, service_per_h) -> dict[str, float]:
    """Return the mean time of one long day, customer after customer (Lindley's recursion)."""
    rng = np.random.default_rng(seed)
    gaps = rng.exponential(60 / arrivals_per_h, CUSTOMERS)
    services = rng.exponential(60 / service_per_h, CUSTOMERS)
    wait, total = 0.0, 0.0
    for gap, service in zip(gaps, services, strict=True):
        wait = max(0.0, wait - gap)
        total += wait + service
        wait += service
    return {"time_min": total / CUSTOMERS}


def _time(row, label, status):
    settings = {"arrivals_per_h": value(f"SLUG-{row}-arrivals")}
    return Published(data()[f"SLUG-{row}-time"], label, status, "time_min", settings)


def _in_proportion() -> Baseline:
    """Return what a sceptic would say who knows no queue."""
    more = value("SLUG-busy-arrivals") / value("SLUG-quiet-arrivals")
    return Baseline(
        "the time in proportion to the customers",
        {"SLUG-busy-time": more * value("SLUG-quiet-time")},
        rows=("SLUG-quiet-time",),
    )


@cache
def case() -> Case:
    """Return all that is known of the list."""
    title, document = CASES["SLUG"]
    return Case(
        name="SLUG",
        chapter="SLUG",
        title=title,
        document=document,
        parameters=(
            Parameter(
                "arrivals_per_h",
                "Customers who come",
                "1/h",
                value("SLUG-quiet-arrivals"),
                "published",
                "the list, quiet",
                low=1,
                high=55,
            ),
            Parameter(
                "service_per_h",
                "Customers whom the clerk can serve",
                "1/h",
                fitted_service_per_h(),
                "calibrated",
                "the time in the quiet hour",
                low=56,
                high=120,
            ),
        ),
        outputs=(Output("time_min", "Mean time in the shop", "min", 2),),
        numbers=(
            _time("quiet", "Quiet hour", "calibrated"),
            _time("busy", "Busy hour", "predicted"),
        ),
        views=(View("arrivals_per_h", "time_min", "Mean time by customers"),),
        predict=predict,
        simulation=Simulation(run, RUNS),
        fits=(Calibration(("service_per_h",), ("SLUG-quiet-time",)),),
        baseline=_in_proportion(),
    )
