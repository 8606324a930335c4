"""TCP throughput in closed form: the window, Reno's and CUBIC's loss laws, slow start."""

import math

from tunables.base.arguments import integer, number


def bandwidth_delay_product(rate_bps: float, rtt_s: float) -> float:
    """Bytes in flight that fill a path: rate_bps rtt_s / 8, the rate in bits/s.

    Raises ValueError if an argument is negative. Source: RFC 6349, section 3.3.

    >>> bandwidth_delay_product(10e9, 0.1)
    125000000.0
    """
    return number("rate_bps", rate_bps, at_least=0) * number("rtt_s", rtt_s, at_least=0) / 8


def window_limited_throughput(window_bytes: float, rtt_s: float) -> float:
    """Bytes/s of a connection that may have one window unacknowledged: W/RTT.

    Raises ValueError if window_bytes is negative or rtt_s is not above 0.
    Source: RFC 6349, section 3.3.

    >>> window_limited_throughput(65_536, 0.1)
    655360.0
    """
    return number("window_bytes", window_bytes, at_least=0) / number("rtt_s", rtt_s, above=0)


def _reno_window(loss):
    return math.sqrt(1.5 / loss)


def mathis_throughput(mss_bytes: float, rtt_s: float, loss: float) -> float:
    """Bytes/s of Reno when a share `loss` of the segments is lost: MSS/RTT sqrt(3/(2 p)).

    The mean window of a saw-tooth that grows by one segment per round trip and is halved by
    every loss; each segment is acknowledged. No timeouts: meant for p below about 0.01.
    Raises ValueError if mss_bytes or rtt_s is not above 0, or loss is outside (0, 1].
    Source: Mathis, Semke, Mahdavi & Ott (1997), eq. 3.

    >>> round(mathis_throughput(1460, 0.1, 1e-4) * 8 / 1e6, 3)
    14.305
    """
    mss_bytes = number("mss_bytes", mss_bytes, above=0)
    rtt_s = number("rtt_s", rtt_s, above=0)
    return mss_bytes / rtt_s * _reno_window(number("loss", loss, above=0, at_most=1))


def cubic_throughput(
    mss_bytes: float, rtt_s: float, loss: float, c: float = 0.4, beta: float = 0.7
) -> float:
    """Bytes/s of CUBIC when a share `loss` of the segments is lost.

    MSS/RTT max([c (3 + beta)/(4 (1 - beta))]^(1/4) (RTT/p)^(3/4), sqrt(3/(2 p))): the mean
    window of the cubic curve, in segments, or that of Reno if it is larger (the
    Reno-friendly region, short round trips and frequent loss). Along the cubic curve the
    rate falls as RTT^(-1/4) only. c in segments/s^3; a loss leaves beta of the window.
    Raises ValueError if mss_bytes, rtt_s or c is not above 0, loss is outside (0, 1] or
    beta outside (0, 1).
    Source: RFC 9438, sections 5 and 4.3 (with c = 0.4 and beta = 0.7 the factor is 1.054).

    >>> round(cubic_throughput(1460, 0.1, 1e-4) * 8 / 1e6, 3)
    21.888
    """
    mss_bytes = number("mss_bytes", mss_bytes, above=0)
    rtt_s = number("rtt_s", rtt_s, above=0)
    loss = number("loss", loss, above=0, at_most=1)
    c = number("c", c, above=0)
    beta = number("beta", beta, above=0, below=1)
    cubic_window = (c * (3 + beta) / (4 * (1 - beta))) ** 0.25 * (rtt_s / loss) ** 0.75
    return mss_bytes / rtt_s * max(cubic_window, _reno_window(loss))


def cubic_loss(
    mss_bytes: float, rtt_s: float, rate: float, c: float = 0.4, beta: float = 0.7
) -> float:
    """Share of lost segments at which `cubic_throughput` is `rate` bytes/s: its inverse.

    max(RTT (k MSS/(RTT X))^(4/3), 3/2 (MSS/(RTT X))^2), k = [c (3 + beta)/(4 (1 - beta))]^(1/4),
    and 1 if even that loss allows more.
    Raises ValueError for what `cubic_throughput` refuses, or a rate that is not above 0.

    >>> round(cubic_throughput(1460, 0.1, cubic_loss(1460, 0.1, 2e6)))
    2000000
    """
    mss_bytes = number("mss_bytes", mss_bytes, above=0)
    rtt_s = number("rtt_s", rtt_s, above=0)
    c = number("c", c, above=0)
    beta = number("beta", beta, above=0, below=1)
    per_segment = mss_bytes / (rtt_s * number("rate", rate, above=0))
    k = (c * (3 + beta) / (4 * (1 - beta))) ** 0.25
    return min(1.0, max(rtt_s * (k * per_segment) ** (4 / 3), 1.5 * per_segment**2))


def slow_start_rounds(target_segments: float, initial_window: int = 10) -> int:
    """Round trips in which slow start doubles initial_window up to target_segments or more.

    The least n >= 0 with initial_window 2^n >= target_segments.
    Raises ValueError if target_segments is not above 0 or initial_window is not a whole
    number at least 1. Source: RFC 5681, section 3.1; RFC 6928 for the ten segments.

    >>> slow_start_rounds(125e6 / 1460), slow_start_rounds(65_536 / 1460)
    (14, 3)
    """
    target = number("target_segments", target_segments, above=0)
    window = integer("initial_window", initial_window, at_least=1)
    rounds = 0
    while window < target:
        window *= 2
        rounds += 1
    return rounds
