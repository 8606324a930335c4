"""Names for the expressions in the text of chapter 1 and its lesson."""

from functools import cache
from statistics import mean

import numpy as np

from tests.chapters.words import words
from tests.theory.test_group_commit import simulated_committers
from tunables.chapters.group_commit import case as rdu
from tunables.chapters.group_commit.case import (
    ROWS,
    allowed,
    caps_per_batch,
    fitted_base_s,
    row_settings,
    think_time_s,
)
from tunables.chapters.group_commit.predictor import predict
from tunables.chapters.group_commit.simulation import SEED, events, settings_of
from tunables.evidence.published import published
from tunables.page.formats import with_commas
from tunables.simulators.batches import simulate_batches
from tunables.simulators.batches_kernel import ANSWERED
from tunables.theory.group_commit import adaptive_flush_wait, closed_group_commit

DATA = {row_id: record.value for row_id, record in published("rdu-batch-tuning").items()}
N = DATA["concurrent-calls"]
BATCHES = DATA["batches"]
R1, R2, R3 = (DATA[f"{row}-response"] for row in ROWS)  # ms
D1, D2, D3 = (DATA[f"{row}-flush-delay-max"] for row in ROWS)  # ms
X1, X2, X3 = (DATA[f"{row}-throughput"] for row in ROWS)
RESULTS = [row for row in DATA if row.endswith(("-throughput", "-response"))]
ATTEMPTS = [DATA[f"{row}-lease-retries"] + 1 for row in ROWS]
LEASE_MS = [
    attempts * DATA[f"{row}-lease-timeout"] for row, attempts in zip(ROWS, ATTEMPTS, strict=True)
]
REST_MS = [
    response - lease for response, lease in zip((R1, R2, R3), LEASE_MS, strict=True)
]  # what is left of each response beyond its timeouts
BUSY = [N / R1 * LEASE_MS[0], N / R2 * LEASE_MS[1]]  # lease queries under way at once

FOURTH = {name: row_settings("both")[name] for name in ("timeout_s", "retries")}
ONE_SECOND = {"max_delay_s": 1.0}
FEW, MANY = {"clients": 25}, {"clients": 100}
RUNS = (FOURTH, ONE_SECOND, FEW, MANY)

STUCK = "adaptive flusher with a stuck transaction"
IDEAL = "ideal adaptive flusher"


def model_ms(hypothesis, row="original", **changes):
    """Return the response of a row, or of a run that changes it."""
    return 1000 * predict(**rdu.rival(hypothesis, row, **changes))["response_s"]


@cache
def simulated_ms(hypothesis, **changes):
    """Return the simulated response of row 1, or of a run that changes it."""
    found, _ = rdu.case().simulate(1, **rdu.rival(hypothesis, **changes))["response_s"]
    return 1000 * found


def closed_form_error(hypothesis, **changes):
    """Return by what share the closed form is off the simulation."""
    return abs(model_ms(hypothesis, **changes) / simulated_ms(hypothesis, **changes) - 1)


def miss_ms(hypothesis):
    """Return by how much the closed form misses row 1."""
    return abs(model_ms(hypothesis) - R1)


def simulated_miss_ms(hypothesis):
    """Return by how much the simulation misses row 1."""
    return abs(simulated_ms(hypothesis) - R1)


def stage_step_ms():
    """Return by how much one more commit thread changes row 1."""
    fewer, more = (model_ms("commit stage", commit_threads=threads) for threads in (12, 14))
    return (fewer - more) / 2


def thread_held_s():
    """Return how long a change of row 1 holds its thread in the commit stage."""
    return D1 / 1000 + fitted_base_s("commit stage")


def answers_spread_s(hypothesis, turn):
    """Return how long the answers of one round take to arrive in the animation's run of row 1."""
    _, times_s, kinds, *_ = events(SEED, **settings_of(hypothesis, "original", int(N)))
    answers_s = sorted(t for t, kind in zip(times_s, kinds, strict=True) if kind == ANSWERED)
    first = (turn - 1) * int(N)
    return answers_s[first + int(N) - 1] - answers_s[first]


def chance(missed_ms, step_ms):
    """Return how often steps that wide come at least that near to a response."""
    return missed_ms / (step_ms / 2)


def think_range_ms():
    """Return the range of Z that rounds row 3's throughput to the published one."""
    return [1000 * N / (X3 + half) - R3 for half in (0.5, -0.5)]


def page_think_range_ms():
    """Return the range of Z on the page on digits, which has the model's response of row 3."""
    return [1000 * end for end in allowed().ranges["think_s"]]


def longest_pause_s(x, r):
    """Return the longest pause (s) with which N / (R + Z) rounds to a throughput."""
    return N / (x - 0.5) - r / 1000


def bases_ms():
    """Return the base of each row under two caps."""
    return [rest - 2 * delay for rest, delay in zip(REST_MS, (D1, D2, D3), strict=True)]


def least_base_of_a_queue_ms():
    """Return the base at row 3 on the flattest line that the rounded first two bases allow."""
    loads = [N / (r / 1000 + think_time_s()) for r in (R1, R2, R3)]
    first, second, _ = bases_ms()
    first, second = first + 0.5, second - 0.5
    return second + (second - first) / (loads[1] - loads[0]) * (loads[2] - loads[1])


@cache
def counted_throughput(think_ms):
    """Return row 3's throughput as the note counts it, to the end of the last batch."""
    return mean(
        simulate_batches(
            think_time_s=think_ms / 1000,
            base_s=bases_ms()[2] / 1000,
            commits=2,
            seed=seed,
            **row_settings("both"),
        )[0]
        for seed in range(20)
    )


@cache
def counted_pauses_ms():
    """Return the shortest and the longest think time (whole ms) that round to row 3, so counted."""
    low, high = (
        _first(lambda ms, most=most: counted_throughput(ms) < most, 60)
        for most in (X3 + 0.5, X3 - 0.5)
    )
    return low, high - 1


def _first(holds, end):
    """Return the first number below the end for which a condition holds from then on."""
    low = 0
    while low < end:
        middle = (low + end) // 2
        low, end = (low, middle) if holds(middle) else (middle + 1, end)
    return low


def lost_s():
    """Return the least and the most that a test must lose to round to row 3's throughput."""
    rounds_s = BATCHES / N * R3 / 1000
    return [BATCHES / (X3 + half) - rounds_s for half in (0.5, -0.5)]


@cache
def row_1_with_aborts_s(abort_probability):
    """Return the ideal flusher's simulated response of row 1 if transactions abort."""
    return mean(
        simulate_batches(
            think_time_s=think_time_s(),
            base_s=fitted_base_s(IDEAL),
            commits=2,
            flusher="adaptive",
            abort_probability=abort_probability,
            seed=seed,
        )[1]
        for seed in range(20)
    )


@cache
def thinking_committers():
    """Return what fifty clients who think at random, and miss the flush, commit a second."""
    draw = np.random.default_rng(1)
    return simulated_committers(50, 0.005, 0.025, lambda: draw.exponential(think_time_s()))


def caps_range():
    """Return the range of k that the rounded responses of rows 1 and 2 allow."""
    return [(R1 - R2 + side) / (D1 - D2) for side in (-1, 1)]


def apart_ms(run):
    """Return how far apart the two survivors are in a run that is not published."""
    return abs(model_ms("two caps", **run) - model_ms("commit stage", **run))
