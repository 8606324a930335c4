"""Pipelines of stages: what limits them, and how fast a lag drains."""

import math

from tunables.base.arguments import in_short, integer, is_infinite, number, refuse


def pipeline_throughput(stage_rates: dict[str, float]) -> tuple[float, str]:
    """Return (rate, bottleneck): the least of the stage rates, and the name of that stage.

    stage_rates: a dict from the name of a stage to its rate, all in one unit; of stages that
    are equally slow the first is named. No pipeline does better; with small buffers between
    stages that vary it does worse (see `two_stage_throughput`).
    Raises ValueError if stage_rates is not a dict with at least one stage, or a rate is
    negative or not finite. Source: Denning & Buzen (1978), bottleneck analysis.

    >>> pipeline_throughput({"capture": 90.0, "network": 25.0, "apply": 40.0})
    (25.0, 'network')
    """
    if not isinstance(stage_rates, dict) or not stage_rates:
        refuse("stage_rates", stage_rates, "a dict with at least one stage")
    rates = {
        name: number(f"stage_rates[{in_short(name)}]", rate, at_least=0)
        for name, rate in stage_rates.items()
    }
    bottleneck = min(rates, key=lambda name: rates[name])
    return rates[bottleneck], bottleneck


def two_stage_throughput(first_rate: float, second_rate: float, places: float) -> float:
    """Throughput of two exponential servers, the first never idle, with `places` places between.

    With r = first_rate/second_rate and b = places,

        X = second_rate (1 - 1/(1 + r + ... + r^(b + 2)))

    The first server is blocked while its customer finds no place (blocking after service).
    Equal rates give (b + 2)/(b + 3) of the rate. inf places give the smaller rate.
    Raises ValueError if a rate is not above 0, or places is not a whole number at least 0 or
    inf. Source: Hunt (1956), sequential arrays of waiting lines.

    >>> round(two_stage_throughput(1, 1, 0), 6), two_stage_throughput(1, 1, 7)
    (0.666667, 0.9)
    """
    first = number("first_rate", first_rate, above=0)
    second = number("second_rate", second_rate, above=0)
    if is_infinite(places):
        return min(first, second)
    states = integer("places", places, at_least=0) + 2
    # X is symmetric in the rates, and with a ratio of at most 1 nothing overflows.
    slower, faster = min(first, second), max(first, second)
    ratio = slower / faster
    if (states + 1) * (1 - ratio) < 1e-6:  # two terms of a series, since the quotient nears 0/0
        total = (states + 1) * (1 - states * (1 - ratio) / 2)
    else:
        total = (1 - ratio ** (states + 1)) / (1 - ratio)
    return slower * (1 - ratio**states / total)


def lag_drain_time(lag_s: float, apply_rate: float, capture_rate: float) -> float:
    """Seconds until a replica has caught up: L/(mu/lambda - 1), inf if mu <= lambda.

    lag_s = L is the age of the record applied now; capture at lambda = capture_rate goes on,
    apply runs at mu = apply_rate, and the lag changes by dL/dt = 1 - mu/lambda.
    Raises ValueError if lag_s or apply_rate is negative or capture_rate is not above 0.
    Source: the fluid balance above.

    >>> lag_drain_time(3600, apply_rate=1500, capture_rate=1000), lag_drain_time(3600, 1, 1)
    (7200.0, inf)
    """
    lag_s = number("lag_s", lag_s, at_least=0)
    apply_rate = number("apply_rate", apply_rate, at_least=0)
    capture_rate = number("capture_rate", capture_rate, above=0)
    if apply_rate <= capture_rate:
        return math.inf
    return lag_s / (apply_rate / capture_rate - 1)
