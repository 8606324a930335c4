"""Names for the expressions in the text of chapter 2, its lab and its lesson."""

import re
from functools import cache
from math import ceil, exp, inf, sqrt
from statistics import median

import numpy as np

from tests.chapters.notebooks import ROOT, cells
from tests.chapters.time_outs.replay import recovery_second, storm
from tests.chapters.words import words
from tunables.chapters.group_commit.case import ROWS, fitted_base_s, response_s, think_time_s
from tunables.chapters.group_commit.predictor import predict as predict_rdu
from tunables.chapters.time_outs.case import lease_case, row_settings
from tunables.chapters.time_outs.predictor import predict_lease, predict_storm
from tunables.evidence.published import published
from tunables.page.formats import with_commas
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.theory.deadlines import deadline_safe_load
from tunables.theory.retries import (
    closed_storm_rate,
    drain_time_s,
    retry_fixed_points,
    retry_statistics,
)
from tunables.theory.waiting_callers import any_answer_rates, safe_callers

CHAPTER = ROOT / "chapters" / "02-time-outs.ipynb"
EVIDENCE = ROOT / "book" / "evidence" / "02-time-outs.ipynb"
DATA = {row_id: record.value for row_id, record in published("rdu-batch-tuning").items()}
N = DATA["concurrent-calls"]
R = {row: response_s(row) for row in ROWS}
X = {row: DATA[f"{row}-throughput"] for row in ROWS}
TIMEOUT_S = {row: row_settings(row)["timeout_s"] for row in ROWS}
ATTEMPTS = {row: row_settings(row)["retries"] + 1 for row in ROWS}
WAIT_S = {row: ATTEMPTS[row] * TIMEOUT_S[row] for row in ROWS}
BUSY = {row: N / R[row] * WAIT_S[row] for row in ROWS}  # threads that wait
SENT = {row: N / R[row] * ATTEMPTS[row] for row in ROWS}  # attempts per second
LATE = {row: N / TIMEOUT_S[row] for row in ROWS}  # late attempts per second, at most
# By how much a bound, and row 1 scaled by the total timeouts, miss each response.
SHORT = {row: 1 - WAIT_S[row] / R[row] for row in ROWS}
SCALED = {
    row: R["original"] * WAIT_S[row] / WAIT_S["original"] / R[row] - 1 for row in ("flush", "both")
}
STATUSES = [number.status for number in lease_case().numbers]
# What the attempts may come to, in capacities, if emptying the queue shall be sure, and from
# where on chance decides.
SURE, CHANCE = 1.4, 1.5
HALF_ADVICE = {"timeout_s": 0.5, "retries": 3}
SHORT_PAUSES = {"backoff_base_s": 0.5, "backoff_cap_s": 8.0}
LONG_PAUSES = {"backoff_base_s": 5.0, "backoff_cap_s": 60.0}


def pool_of_25(row):
    """Return what a pool of 25 threads gives in a row."""
    return predict_lease(threads=25, **row_settings(row))


def excess(row):
    """Return in percent by how much a pool of 25 misses the response of a row."""
    return 100 * (pool_of_25(row)["response_s"] / R[row] - 1)


def lost(row, p=0.1):
    """Return the share of queries that a row's settings lose."""
    return retry_statistics(p, *row_settings(row).values())[1]


def percentile_s(p, row):
    """Return the 99th percentile of a query whose reply takes 0.1 s."""
    return predict_lease(failure_probability=p, reply_s=0.1, **row_settings(row))["latency_p99_s"]


def most_think_s():
    """Return the longest pause that row 3 allows: N / X - R at 42.5 batches per second."""
    return N / (X["both"] - 0.5) - R["both"]


def roots(rate):
    """Return the loads that sustain themselves with half of the advice."""
    return retry_fixed_points(rate, 100, **HALF_ADVICE)


def safe(retries):
    """Return the largest load that recovers from every overload."""
    return predict_storm(service_rate_per_s=100.0, retries=retries)["safe_arrivals_per_s"]


def stuck_per_s(row):
    """Return what fifty callers send a second if none is answered."""
    return closed_storm_rate(N, **row_settings(row), think_time_s=think_time_s())


@cache
def runs_kept(outage_s, rate=30, runs=20, **settings):
    """Return how many runs serve their last minute after an outage."""
    return sum(
        simulate_retry_storm(
            rate, 100, outage_s=outage_s, horizon_s=300, seed=seed, **HALF_ADVICE | settings
        )[1][-60:].mean()
        > 0.8 * rate
        for seed in range(runs)
    )


@cache
def seconds_of_silence(rate, runs=1000):
    """Return for each run the seconds from the end of the outage until ten good ones begin."""
    silences = []
    for seed in range(runs):
        answered = simulate_retry_storm(rate, 100, horizon_s=600, seed=seed, **HALF_ADVICE)[1][22:]
        means = np.convolve(answered, np.full(10, 0.1), "valid")
        good = np.flatnonzero((means > 0.8 * rate) & (answered[: len(means)] > 0.8 * rate))
        silences.append(int(good[0]) if len(good) else inf)
    return silences


def shown_silence_s(rate):
    """Return the seconds from the end of the outage to the recovery in the animation's run."""
    return recovery_second(storm(rate=rate), 22) - 22


def vote(rate, outage_s, **remedy):
    """Return whether clients with a remedy come back; three runs must agree."""
    return {0: "no", 3: "yes"}[runs_kept(outage_s, rate, runs=3, **remedy)]


def table(caption):
    """Return the rows of a table that the chapter or its evidence shows, as lists of cells."""
    for cell in cells(CHAPTER, "code") + cells(EVIDENCE, "code"):
        for output in cell["outputs"]:
            text = "".join(output.get("data", {}).get("text/plain", ""))
            if text.startswith(caption):
                return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()[2:]]
    raise AssertionError(f"no table {caption!r}")


def answered_in_time(setting):
    """Return what the table of the fifty callers says is answered in time."""
    [found] = [
        line[-2]
        for line in table("The advice for two kinds of clients")
        if line[0].startswith(setting)
    ]
    return float(found.removesuffix("/s"))


def runs_of(caption):
    """Return how many runs decide each cell of a table that the chapter computes."""
    [source] = [cell["source"] for cell in cells(CHAPTER, "code") if caption in cell["source"]]
    [runs] = re.findall(r"\bruns=(\d+)", source)
    return int(runs)


def saved_s(flush, lease):
    """Return by how much a flush delay and a lease query of these rows shorten row 1."""
    first, changed = (
        predict_rdu(
            max_delay_s=DATA[f"{delay}-flush-delay-max"] / 1000,
            base_s=fitted_base_s("two caps"),
            think_s=think_time_s(),
            **row_settings(query),
        )["response_s"]
        for delay, query in (("original", "original"), (flush, lease))
    )
    return first - changed
