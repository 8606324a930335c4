"""Made-up user data: latencies that follow the model, that break it, and that are spoiled."""

import math

from tests.core.made import SCRIPT, spoil_end, text

TRUTH = {"p": (0.2, 0.05), "y": (math.exp(-3 + 0.125), 0.03)}  # value, relative band


def follows(seed=1, outage=False):
    """Return latencies of attempts that fail independently."""
    rows = ((latency, 0.5, 3) for latency in SCRIPT.latencies(outage, 12_000, seed))
    return text("latency_s,timeout_s,retries", rows)


def breaks(seed):
    """Return latencies of attempts that fail together."""
    return follows(seed, outage=True)


def spoil(source):
    """Let all requests of the last third, which is held out, time out."""
    return spoil_end(source, 2 / 3, lambda row: "2.0,0.5,3")
