"""What the tables' digits allow of chapter 5's model: two rates, a loss, and a ratio."""

import math
from functools import cache

from tunables.chapters.replication.calibration import calibrate
from tunables.chapters.replication.case import case
from tunables.chapters.replication.predictor import LAWS
from tunables.chapters.replication.results import lcrs_per_operation, operations, times
from tunables.parts.allowed import Allowed, digits_interval
from tunables.parts.surviving import Hypothesis

FREE = ("loss", "compression_ratio", "pump_lcr_s", "source_lcr_s")
FITTED = ("plain-bnl-time", "plain-ral-time", "compress-ral-time")
FAR = ("bnl", "triumf")  # which share one ratio
MEAN = "BNL and TRIUMF, COMPRESS"  # the geometric mean of both times
ASKED = ("plain-triumf-time", "plain-in2p3-time", "compress-in2p3-time")


@cache
def allowed() -> Allowed:
    """Return the losses, ratios and rates that give every time that they were fitted to."""
    numbers = case().by_row
    plain, compressed = (
        [numbers[f"{table}-{site}-time"] for site in FAR] for table in ("plain", "compress")
    )

    def answers(values) -> dict[str, float]:
        free = dict(zip(FREE, values, strict=True))
        free["apply_lcr_s"] = free["source_lcr_s"]
        told = {row: case().answer(numbers[row], **free) for row in (*FITTED, *ASKED)}
        unpressed = math.prod(case().answer(number, **free) for number in plain)
        return told | {MEAN: math.sqrt(unpressed) / free["compression_ratio"]}

    ends = zip(*map(digits_interval, compressed), strict=True)
    low, high = (math.sqrt(math.prod(each)) for each in ends)
    return Allowed(
        case="wlcg",
        names=FREE,
        start=tuple(float(case().settings()[name]) for name in FREE),
        bounds={row: digits_interval(numbers[row]) for row in FITTED} | {MEAN: (low, high)},
        answers=answers,
        means="With CUBIC, 400 B an LCR and the assumed round trips. Source and apply share a "
        "rate: the tables cannot tell which of them is the limit. One ratio cannot give both far "
        "sites, so it was fitted to their geometric mean, and so it is bounded here.",
        asked=ASKED,
    )


def hypotheses() -> tuple[Hypothesis, ...]:
    """Return the laws of TCP, each with its own parameter, two rates and a ratio."""
    own = dict.fromkeys(LAWS, "loss") | {"window": "window_bytes", "stop-and-wait": "round_trips"}
    tables = times("plain"), times("compress")
    found = []
    for law in LAWS:
        fitted = calibrate(law, *tables, operations(), lcrs_per_operation())
        free = (own[law], "compression_ratio", "pump_lcr_s", "source_lcr_s")
        start = {name: float(fitted[name]) for name in free}
        fixed = {name: value for name, value in fitted.items() if name not in start}
        tied = {"apply_lcr_s": "source_lcr_s"}
        found.append(Hypothesis(name=law, start=start, settings=fixed, tied=tied))
    return tuple(found)
