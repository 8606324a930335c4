"""Second ways to the answers of chapter 2: lists of outcomes, bisection, simulations."""

import heapq
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq

from tunables.simulators.queries import simulate_queries
from tunables.theory.retries import retry_fixed_points


def _outcomes(given, reply_s):
    """Return (time, probability) of each way in which a query can end."""
    p = Fraction(str(given["failure_probability"]))
    t, y = Fraction(str(given["timeout_s"])), Fraction(str(reply_s))
    r = given["retries"]
    answered = [(k * t + y, p**k * (1 - p)) for k in range(r + 1)]
    return [*answered, ((r + 1) * t, p ** (r + 1))]


def mean_latency(given):
    return 1000 * float(sum(t * q for t, q in _outcomes(given, given["mean_reply_s"])))


def lost_queries(given):
    """Follow a Markov chain of attempts, each answered or followed by the next, to its end."""
    r, p = given["retries"], given["failure_probability"]
    chain = np.zeros((r + 3, r + 3))
    for attempt in range(r + 1):
        chain[attempt, attempt + 1], chain[attempt, r + 2] = p, 1 - p
    chain[r + 1, r + 1] = chain[r + 2, r + 2] = 1
    return given["rate"] * 86_400 * np.linalg.matrix_power(chain, r + 1)[0, r + 1]


def percentile(given):
    reached = Fraction(0)
    for time, probability in sorted(_outcomes(given, given["reply_s"])):
        reached += probability
        if reached >= Fraction(str(given["q"])):
            return float(time)
    raise AssertionError("the probabilities do not add up to 1")


def safe_load(given):
    """Find by bisection the load above which a second, stuck state exists."""
    mu, t, r = given["service_rate"], given["timeout_s"], given["retries"]
    low, high = 0.0, float(mu)
    for _ in range(50):
        middle = (low + high) / 2
        if max(retry_fixed_points(middle, mu, t, r)) > mu:
            high = middle
        else:
            low = middle
    return low


def watershed(given):
    """Search down from the service rate for the first balance, then solve for it."""
    mu, t, r = given["service_rate"], given["timeout_s"], given["retries"]

    def excess(distance):
        late = np.exp(-distance * t)
        return given["arrival_rate"] * sum(late**k for k in range(r + 1)) - (mu - distance)

    distances = np.linspace(0, mu - given["arrival_rate"], 20_001)
    first = int(np.argmax([excess(x) < 0 for x in distances]))
    return brentq(excess, distances[first - 1], distances[first])


def thread_pool(given):
    """Let callers take turns at the threads, and average the times of the last rounds."""
    held, n = (given["retries"] + 1) * given["timeout_s"], given["clients"]
    free = [0.0] * given["threads"]
    ready = [0.0] * n
    times = []
    for turn in range(40 * n):
        caller = turn % n  # first come, first served: they keep their order
        begin = max(heapq.heappop(free), ready[caller])
        heapq.heappush(free, begin + held)
        times.append(begin + held - ready[caller])
        ready[caller] = begin + held
    return float(np.mean(times[20 * n :]))


def backoff(given, queries=100_000):
    """Simulate queries that always fail."""
    pauses = given["base_s"], given["cap_s"]
    drawn = simulate_queries(
        1.0, given["timeout_s"], given["retries"], 0.0, *pauses, queries=queries, seed=1
    )
    return float(np.mean(drawn.latency_s))


PATHS = {
    "mean-latency": mean_latency,
    "lost-queries": lost_queries,
    "percentile": percentile,
    "safe-load": safe_load,
    "watershed": watershed,
    "thread-pool": thread_pool,
    "backoff": backoff,
}
