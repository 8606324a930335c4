"""Second ways to the answers of chapter 1: simulations, integrals, flushes one by one."""

import math

import numpy as np
from scipy.integrate import quad

from tunables.simulators.batches import experiment, simulate_batches
from tunables.simulators.batches_kernel import run_batches


def two_caps(given):
    """Simulate the experiment with two commits per batch and constant work."""
    draws, rules = experiment(batches=100 * given["clients"], commits=2, **given)
    work_s = np.full_like(draws.work_s, given["base_s"] / 2)
    return 1000 * run_batches(draws._replace(work_s=work_s), rules)[1]


def busy_threads(given):
    """Average the number of clients in the lease query over many moments, evenly out of step."""
    n, cycle = given["clients"], given["response_s"]
    lease = (given["retries"] + 1) * given["timeout_s"]
    moments = np.linspace(0, cycle, 4001)[:-1]
    offsets = np.arange(n) * cycle / n
    return float(np.mean(np.sum((moments[:, None] + offsets) % cycle < lease, axis=1)))


def commit_stage(given):
    """Simulate the experiment with one commit per batch and a pool of commit threads."""
    return simulate_batches(batches=100 * given["clients"], commits=1, **given)[1]


def flush_sharing(given):
    """Play 400 flushes: each takes all clients that wait when it begins; they return at its end."""
    f, d = given["flush_time_s"], given["max_delay_s"]
    now, commits, waiting, away = 0.0, 0, 1, given["customers"] - 1
    for _ in range(400):
        if d > 0:  # all clients on their way arrive within the delay
            waiting, away = waiting + away, 0
        now += d + f
        commits += waiting
        waiting, away = (away, waiting) if away else (1, waiting - 1)
    return commits / now


def waiting_in_vain(given):
    """Integrate the probability that a transaction is still missing."""
    rate, m, d = given["completion_rate"], given["active"], given["max_delay_s"]
    knee = [math.log(m) / rate] if math.log(m) / rate < d else None
    wait = quad(lambda t: 1 - (1 - math.exp(-rate * t)) ** m, 0, d, points=knee, limit=200)[0]
    all_commit = (1 - given["abort_probability"]) ** m
    return 1000 * (all_commit * wait + (1 - all_commit) * d)


def random_commits(given, flushes=100_000, seed=1):
    """Simulate flush after flush with Poisson arrivals."""
    rate, f, d = given["arrival_rate"], given["flush_time_s"], given["max_delay_s"]
    rng = np.random.default_rng(seed)
    during, delayed = rng.poisson(rate * f, flushes), rng.poisson(rate * d, flushes)
    # Each arrival during a flush is at a uniform moment of it, and then waits D and F.
    left = rng.random(during.sum()) * f
    late = rng.random(delayed.sum()) * d  # the rest of the delay
    leaders = np.count_nonzero(during == 0)
    latency = left.sum() + late.sum() + during.sum() * (d + f) + delayed.sum() * f
    total = during.sum() + delayed.sum() + leaders
    return 1000 * (latency + leaders * (d + f)) / total


PATHS = {
    "two-caps": two_caps,
    "busy-threads": busy_threads,
    "commit-stage": commit_stage,
    "flush-sharing": flush_sharing,
    "waiting-in-vain": waiting_in_vain,
    "random-commits": random_commits,
}
