"""Three laws of the round trip, each with a limit and one parameter, fitted to measured runs."""

import math

from tunables.plain.own.least_squares import least_squares
from tunables.plain.own.quantiles import quantile
from tunables.theory.tcp import cubic_throughput, window_limited_throughput

MSS_BYTES = 1460


def _window(limit_bps, window_bytes, rtt_s):
    return min(limit_bps, 8 * window_limited_throughput(window_bytes, rtt_s))


def _cubic(limit_bps, loss, rtt_s):
    return min(limit_bps, 8 * cubic_throughput(MSS_BYTES, rtt_s, min(loss, 1)))


def _stop_and_wait(limit_bps, block_bytes, rtt_s):
    return 1 / (1 / limit_bps + rtt_s / (8 * block_bytes))


# Law -> (rate by limit, parameter and round trip; the parameter's name, what it is, its unit).
LAWS = {
    "window": (_window, "W", "the window", "bytes"),
    "cubic": (_cubic, "loss", "of the segments", ""),
    "stop-and-wait": (_stop_and_wait, "W", "sent in a round trip", "bytes"),
}
NAMES = ("window", "cubic", "stop-and-wait")  # in order, which a dict keeps in CPython alone


def _guess(law, rtt_s, rate_bps):
    """Return the parameter with which the law gives the slowest run, there being no limit."""
    rate, rtt = min(zip(rate_bps, rtt_s))
    if law == "cubic":
        at_1e_4 = 8 * cubic_throughput(MSS_BYTES, rtt, 1e-4)
        return min(1e-4 * (at_1e_4 / rate) ** (4 / 3), 0.5)
    return rate * rtt / 8


def fit_law(law, rtt_s, rate_bps, given_bps) -> tuple:
    """Return (mean square of the log errors, S or None, parameter), from several starts.

    given_bps: the limit S of each run, or None where it is fitted as well.
    """
    rate_of = LAWS[law][0]
    log_rates = [math.log(rate) for rate in rate_bps]

    def residuals(logs):
        parameter = math.exp(logs[0])
        limits = given_bps or [math.exp(logs[1])] * len(rtt_s)
        rates = [rate_of(limit, parameter, rtt) for limit, rtt in zip(limits, rtt_s)]
        return [math.log(rate) - log for rate, log in zip(rates, log_rates)]

    guess = math.log(_guess(law, rtt_s, rate_bps))
    tops = [] if given_bps else [quantile(rate_bps, share) for share in (1.0, 0.75, 0.5)]
    starts = [
        [guess + shift] + top
        for top in ([[math.log(top)] for top in tops] or [[]])
        for shift in (-0.5, 0.0, 0.5)
    ]
    found = [least_squares(residuals, start) for start in starts]
    logs, total = min(found, key=lambda each: each[1])
    limit = None if given_bps else math.exp(logs[1])
    return total / len(rtt_s), limit, math.exp(logs[0])
