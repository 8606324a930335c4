"""Operator's card of chapter 5: which stage of a replication limits it, and the window it needs."""

from tunables.plain.arguments import number, whole
from tunables.theory.pipelines import lag_drain_time, pipeline_throughput
from tunables.theory.tcp import (
    bandwidth_delay_product,
    cubic_loss,
    cubic_throughput,
    window_limited_throughput,
)

MEGA = 1e6
LAG_S = 3600.0  # of an hour
# Linux gives about half of a buffer to the window; the rest is the packets' own overhead.
BUFFER_PER_WINDOW = 2
ALERT_SHARE = 0.8  # of what is carried after the change


def _verdict(pace, changes, stage):
    if pace <= changes:
        return f"Over the knee: the replica falls behind, and the limit is {stage}."
    return f"Below the knee: the replica keeps up; the limit is {stage}."


def predict(
    *,
    changes_mb_per_s,
    source_mb_per_s,
    pump_mb_per_s,
    apply_mb_per_s,
    compression_ratio,
    link_gbps,
    rtt_ms,
    window_bytes,
    loss,
    mss_bytes,
    streams=1,
) -> dict:
    """Return the pace of a pipeline source -> pump -> network -> apply, and what holds it.

    Rates in MB/s of changes before compression, which multiplies what pump and network carry.
    The network carries the least of the link, the window law W/RTT and CUBIC at this loss, the
    two of them once for each of `streams` connections side by side.

    - "pace_mb_per_s", "spare_percent" of changes_mb_per_s; "verdict" names the stage
    - "window_mb_per_s", "loss_mb_per_s", "link_mb_per_s": what each would carry, compressed
    - "next_mb_per_s": the pace once the limit is gone; "alert_mb_per_s": 80 % of it
    - "window_needed_bytes": W of a stream at which it limits no more than the next stage does,
      and "buffer_needed_bytes", twice that
    - "loss_allowed": the loss at which CUBIC limits no more than the next stage does
    - "path_bytes": bandwidth-delay product of the link
    - "catch_up_h": hours until a lag of one hour is gone; inf if it grows

    Raises ValueError for a number out of its range, by its name.

    >>> card = predict(
    ...     changes_mb_per_s=1, source_mb_per_s=5, pump_mb_per_s=4, apply_mb_per_s=5,
    ...     compression_ratio=1, link_gbps=1, rtt_ms=100, window_bytes=65_536, loss=1e-7,
    ...     mss_bytes=1460,
    ... )
    >>> card["verdict"], card["window_needed_bytes"]
    ('Over the knee: the replica falls behind, and the limit is the TCP window.', 400000.0)
    """
    changes = number("changes_mb_per_s", changes_mb_per_s, above=0)
    ratio = number("compression_ratio", compression_ratio, at_least=1)
    rtt_s = number("rtt_ms", rtt_ms, above=0) / 1000
    link_bps = 1e9 * number("link_gbps", link_gbps, above=0)
    streams = whole("streams", streams, at_least=1)
    of_all = streams * ratio / MEGA
    network = {
        "the TCP window": window_limited_throughput(window_bytes, rtt_s) * of_all,
        "the loss on the path": cubic_throughput(mss_bytes, rtt_s, loss) * of_all,
        "the link": link_bps / 8 / MEGA * ratio,
    }
    rates = {
        "the source": number("source_mb_per_s", source_mb_per_s, above=0),
        "the pump": number("pump_mb_per_s", pump_mb_per_s, above=0) * ratio,
        "apply": number("apply_mb_per_s", apply_mb_per_s, above=0),
    }
    rates.update(network)
    pace, stage = pipeline_throughput(rates)

    def without(name):
        return min(rate for other, rate in rates.items() if other != name)

    window_needed = without("the TCP window") / of_all * rtt_s
    return {
        "verdict": _verdict(pace, changes, stage),
        "pace_mb_per_s": pace,
        "spare_percent": 100 * (pace / changes - 1),
        "window_mb_per_s": network["the TCP window"],
        "loss_mb_per_s": network["the loss on the path"],
        "link_mb_per_s": network["the link"],
        "next_mb_per_s": without(stage),
        "alert_mb_per_s": ALERT_SHARE * without(stage),
        "window_needed_bytes": window_needed,
        "buffer_needed_bytes": BUFFER_PER_WINDOW * window_needed,
        "loss_allowed": cubic_loss(mss_bytes, rtt_s, without("the loss on the path") / of_all),
        "path_bytes": bandwidth_delay_product(link_bps, rtt_s),
        "catch_up_h": lag_drain_time(LAG_S, pace, changes) / 3600,
    }
