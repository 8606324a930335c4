"""Second ways to the answers of chapter 5: by window, by record, and Buzen's convolution."""

import math

import numpy as np
from scipy.optimize import brentq

from tunables.simulators.tandem import simulate_tandem

RECORDS = 4000  # in the simulated pipeline, instead of millions


def window_law(given):
    """Send a window a round trip until all is sent."""
    windows = math.ceil(given["records"] * given["record_bytes"] / given["window_bytes"])
    return windows * given["rtt_s"]


def _cubic_segments_s(rtt_s, loss):
    """Find the peak at which a period of the cubic curve sends 1/loss segments."""

    def period(peak):
        return (0.3 * peak / 0.4) ** (1 / 3)

    def bytes_per_s(peak):
        t = np.linspace(0, period(peak), 2001)
        return float(np.trapezoid(0.4 * (t - period(peak)) ** 3 + peak, t)) / rtt_s

    peak = brentq(lambda w: bytes_per_s(w) - 1 / loss, 1, 1e7)
    return 1 / loss / period(peak)


def cubic_rate(given):
    return 8 * given["mss_bytes"] * _cubic_segments_s(given["rtt_s"], given["loss"]) / 1e6


def one_ping(given):
    near, far = given["near_rtt_s"], given["far_rtt_s"]
    if given["law"] == "window":
        return given["seconds"] / near * far
    segments_s = [_cubic_segments_s(rtt_s, given["loss"]) for rtt_s in (near, far)]
    return given["seconds"] * segments_s[0] / segments_s[1]


def bottleneck(given):
    """Send records one by one through four stages of constant times."""
    ratio = given["compression_ratio"] if given["compress"] == "on" else 1.0
    wire_bps = min(given["link_gbps"] * 1e9, 8 * given["window_bytes"] / given["rtt_s"])
    stages_s = [
        1 / given["source_lcr_s"],
        1 / given["pump_lcr_s"] / ratio,
        8 * given["lcr_bytes"] / wire_bps / ratio,
        1 / given["apply_lcr_s"],
    ]
    departures = simulate_tandem(np.tile(stages_s, (RECORDS, 1)), [math.inf] * 3)
    records = given["operations"] * given["lcrs_per_operation"]
    return departures[-1] * records / RECORDS


def lag(given):
    """Apply what is waiting, then what arrived meanwhile, and so on."""
    waiting, seconds = given["lag_s"] * given["capture_rate"], 0.0
    while waiting > 1e-6:
        spell = waiting / given["apply_rate"]
        waiting = spell * given["capture_rate"]
        seconds += spell
    return seconds / 86_400


def replicats(given):
    """Use Buzen's convolution, with the delay as a station that has a server for each customer."""
    n = given["replicats"]
    demands = [given[name] for name in ("user_io_s", "cpu_s", "system_io_s")]
    g = [given["unaccounted_s"] ** k / math.factorial(k) for k in range(n + 1)]
    for demand in demands:
        for k in range(1, n + 1):
            g[k] += demand * g[k - 1]
    return given["lcrs"] * g[n - 1] / g[n]


def near_enough(given):
    """Count the segments of Reno's saw-tooth: 3/8 W^2 in W/2 round trips between two losses."""
    peak = math.sqrt(8 / 3 / given["loss"])
    segments_per_round = 1 / given["loss"] / (peak / 2)
    needed_segments_s = given["pump_rate"] * given["record_bytes"] / 1460
    return 1000 * segments_per_round / needed_segments_s


PATHS = {
    "window-law": window_law,
    "cubic-rate": cubic_rate,
    "one-ping": one_ping,
    "bottleneck": bottleneck,
    "lag": lag,
    "replicats": replicats,
    "near-enough": near_enough,
}
