"""Chapter 5: parameters fitted to published times, and what each law of TCP makes of the rest.

Times are in seconds, by site, from the two tables of results.
"""

import math
from collections.abc import Callable, Mapping

from tunables.chapters.replication.paths import ASSUMED_RTT_S, SITES
from tunables.chapters.replication.predictor import LAWS, connection_throughput, predict
from tunables.plain.arguments import choice, number
from tunables.theory.tcp import cubic_throughput, mathis_throughput

Times = Mapping[str, float]

# Assumed: the link is never the limit, segments fill an Ethernet frame, and an LCR is long
# enough, and short enough, for CUBIC (`cubic_lcr_bytes_range`).
ASSUMED = {"link_gbps": 10.0, "mss_bytes": 1460.0, "lcr_bytes": 400.0}


def shared_compression_ratio(plain_s: Times, compressed_s: Times) -> float:
    """Return the geometric mean of the speed-ups at BNL and TRIUMF, the sites that TCP limits.

    With what a model says of plain_s it is the ratio that errs by as much at one as at the other.
    """
    return math.sqrt(math.prod(plain_s[site] / compressed_s[site] for site in ("BNL", "TRIUMF")))


def _boundary(holds: Callable[[float], bool], low, high) -> float:
    """Return the number in (low, high) up to which `holds` is true, to the last digits."""
    while low * (1 + 1e-15) < high:
        middle = math.sqrt(low * high)
        if not low < middle < high:
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def loss_for(law, throughput_bytes_s, rtt_s, mss_bytes) -> float:
    """Return the loss at which "reno" or "cubic" has this throughput, in bytes/s.

    Raises ValueError for another law, or a throughput that no loss in (1e-18, 1) gives.
    """
    choice("law", law, ["reno", "cubic"])
    least, greatest = 1e-18, 1.0

    def throughput(loss):
        return connection_throughput(law, rtt_s, 0, loss, mss_bytes)

    number(
        "throughput_bytes_s",
        throughput_bytes_s,
        above=throughput(greatest),
        below=throughput(least),
    )
    return _boundary(lambda loss: throughput(loss) > throughput_bytes_s, least, greatest)


def cubic_lcr_bytes_range(
    plain_s: Times, lcrs, rtt_s: Times = ASSUMED_RTT_S
) -> tuple[float, float]:
    """Return the least and the greatest size of an LCR with which CUBIC fits BNL and RAL.

    CUBIC at one loss for all paths, fitted to BNL, must do two things. On the way from BNL to
    TRIUMF it must fall as RTT^(-1/4): with smaller LCRs the window at BNL is so small that
    CUBIC runs as Reno there. And at RAL it must carry what RAL got, which the fourth root of
    the round trips would not: only Reno's mean rate does, up to the greatest size.
    Raises ValueError for a time that is not above 0.
    """
    mss_bytes = ASSUMED["mss_bytes"]
    bnl, ral = _plain_rates(plain_s, lcrs)

    def is_cubic_at_bnl(lcr_bytes):
        loss = loss_for("cubic", bnl * lcr_bytes, rtt_s["BNL"], mss_bytes)
        reno = mathis_throughput(mss_bytes, rtt_s["BNL"], loss)
        return cubic_throughput(mss_bytes, rtt_s["BNL"], loss) > reno

    def carries_ral(lcr_bytes):
        loss = loss_for("cubic", bnl * lcr_bytes, rtt_s["BNL"], mss_bytes)
        return cubic_throughput(mss_bytes, rtt_s["RAL"], loss) >= ral * lcr_bytes

    smallest, largest = 0.05 * mss_bytes, 20 * mss_bytes
    return (
        _boundary(lambda lcr_bytes: not is_cubic_at_bnl(lcr_bytes), smallest, largest),
        _boundary(carries_ral, smallest, largest),
    )


def _plain_rates(plain_s, lcrs):
    """Return LCRs/s at BNL and RAL without compression."""
    bnl_s, ral_s = (number(f"plain_s[{site!r}]", plain_s[site], above=0) for site in ("BNL", "RAL"))
    return lcrs / bnl_s, lcrs / ral_s


def calibrate(
    law,
    plain_s: Times,
    compressed_s: Times,
    operations,
    lcrs_per_operation,
    rtt_s: Times = ASSUMED_RTT_S,
    **assumed,
) -> dict:
    """Return the parameters of `predict` but rtt_s and compress, fitted to at most five numbers.

    - pump_lcr_s to RAL without compression, source_lcr_s and apply_lcr_s to RAL with it: the
      tables cannot tell which of the two is the limit that three sites share
    - compression_ratio to BNL and TRIUMF with compression, from what the law says without
      (`shared_compression_ratio`)
    - the law's own parameter to BNL without compression: window_bytes, loss, or, for
      "stop-and-wait", the rounds n and T0 in T = T0 + n RTT through BNL and RAL

    assumed: changes to ASSUMED.
    Parameters without effect under the law stand at a value that `predict` accepts.
    Raises ValueError for an unknown law or assumption, a time that is not above 0, or an RTT to
    BNL that is not above that to RAL.
    """
    choice("law", law, LAWS)
    for name in assumed:
        choice("assumption", name, list(ASSUMED))
    assumptions = ASSUMED | assumed
    lcrs = operations * lcrs_per_operation
    bnl, ral = _plain_rates(plain_s, lcrs)
    rtt_gap_s = number("rtt_s['BNL'] - rtt_s['RAL']", rtt_s["BNL"] - rtt_s["RAL"], above=0)
    common = lcrs / number("compressed_s['RAL']", compressed_s["RAL"], above=0)
    throughput = bnl * assumptions["lcr_bytes"]
    parameters = {
        "operations": operations,
        "lcrs_per_operation": lcrs_per_operation,
        "law": law,
        "window_bytes": throughput * rtt_s["BNL"],
        "loss": loss_for(
            law if law == "reno" else "cubic", throughput, rtt_s["BNL"], assumptions["mss_bytes"]
        ),
        "round_trips": (plain_s["BNL"] - plain_s["RAL"]) / rtt_gap_s,
        "compression_ratio": 1.0,
        "source_lcr_s": common,
        "pump_lcr_s": ral,
        "apply_lcr_s": common,
    }
    if law == "stop-and-wait":
        parameters["pump_lcr_s"] = lcrs / (
            plain_s["RAL"] - parameters["round_trips"] * rtt_s["RAL"]
        )
    parameters |= assumptions
    seconds = predictions(parameters, rtt_s)
    modelled_s = {site: seconds["plain", site] for site in SITES}
    parameters["compression_ratio"] = shared_compression_ratio(modelled_s, compressed_s)
    return parameters


def predictions(parameters: Mapping, rtt_s: Times = ASSUMED_RTT_S) -> dict[tuple[str, str], float]:
    """Return the seconds of every cell, by ("plain" or "compressed", site), by `predict`."""
    return {
        (table, site): predict(**{**parameters, "compress": compress, "rtt_s": rtt_s[site]})[
            "seconds"
        ]
        for table, compress in (("plain", "off"), ("compressed", "on"))
        for site in SITES
    }
