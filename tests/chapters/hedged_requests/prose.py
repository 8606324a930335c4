"""Names for the expressions in the text of chapter 8, its lab and its lesson."""

import math

import numpy as np

from tests.chapters.words import words
from tunables.chapters.hedged_requests.calibration import (
    benchmark_leaf,
    exponential_benchmark_ms,
    fitted_floor_ms,
    fitted_shared,
    independent_copies,
    table_leaves,
    value,
)
from tunables.chapters.hedged_requests.case import fanout_case, tied_case
from tunables.chapters.hedged_requests.predictor import predict_duplicates, predict_fanout
from tunables.core.ledger import fair_errors
from tunables.simulators.hedged_requests import simulate_hedged_requests
from tunables.theory.duplicates import copy_fixed_points as points
from tunables.theory.duplicates import least_delay, safe_budget
from tunables.theory.hedging import any_slow

__all__ = [
    "BENCHMARK_BY_SERVER_MS",
    "BENCHMARK_MS",
    "BENCHMARK_POWER",
    "EXPONENTIAL_MS",
    "FLOOR",
    "LEAVES",
    "RMS",
    "SHARED",
    "answer",
    "any_slow",
    "copies",
    "fanout",
    "hung",
    "independent",
    "least_delay",
    "percentile",
    "points",
    "safe_budget",
    "tied",
    "value",
    "words",
]

SHARED, FLOOR = fitted_shared(), fitted_floor_ms()
LEAVES = table_leaves()


def tied(**changes):
    """Return the model's read, with some parameters changed."""
    return tied_case().predict(**tied_case().settings(**changes))


def answer(row):
    """Return what the model says of a number of table 2."""
    return tied_case().answer(tied_case().by_row[row])


def independent(row):
    """Return what two independent copies say of a number of table 2."""
    return independent_copies()[row]


def fanout(output):
    """Return what independent leaves say of table 1."""
    return fanout_case().predict(**fanout_case().settings(leaves=LEAVES))[output]


def copies(**changes):
    """Return what second copies do to the servers, with some parameters changed."""
    return predict_duplicates(**changes)


def hung(delay_s=math.inf):
    """Return how many % of answers take over 1 s if one of 20 servers stops for 5 s at 70% load."""
    runs = [
        simulate_hedged_requests(
            20, 1400, 0.01, delay_s, budget=0.05, spells=[(0, 2.0, 5.0)], requests=40_000, seed=seed
        )
        for seed in range(1, 5)
    ]
    return 100 * np.mean([run.latency_s > 1 for run in runs])


def percentile(load):
    """Return which percentile of one copy the least delay is."""
    return 100 * (1 - math.exp(-(1 - load) * least_delay(load)))


def _benchmark(each):
    leaves = int(value(each))
    return predict_fanout(
        leaves=leaves, delay_ms=10, copies="twice", shared=0.0, **benchmark_leaf(each)
    )["all_p999_ms"]


BENCHMARK_MS = _benchmark("keys")
BENCHMARK_BY_SERVER_MS = _benchmark("key-servers")
BENCHMARK_POWER = math.log(5) / math.log(benchmark_leaf()["leaf_p99_ratio"])
EXPONENTIAL_MS = exponential_benchmark_ms()


def _root_mean_square(errors):
    return 100 * math.sqrt(sum(error**2 for error in errors) / len(errors))


RMS = dict(
    zip(
        ("independent", "model"),
        map(_root_mean_square, zip(*fair_errors(tied_case()), strict=True)),
        strict=True,
    )
)
