"""Chapter 5 in closed form: a replication over the WAN, its apply processes, and its card.

`predict` is the model of the two tables of results, `predict_session` that of the report of the
sessions, and `predict_headroom` that of the operator's card.
"""

import math

from tunables.base.arguments import choice, integer, number
from tunables.theory.pipelines import lag_drain_time, pipeline_throughput
from tunables.theory.queueing import mva, service_demand, utilisation
from tunables.theory.tcp import (
    bandwidth_delay_product,
    cubic_loss,
    cubic_throughput,
    mathis_throughput,
    window_limited_throughput,
)

SITES = ("BNL", "TRIUMF", "RAL", "IN2P3")
FAR_SITES = ("BNL", "TRIUMF")
# From CERN. The document gives none; each is above what light in fibre needs along the great circle
# (`tunables.chapters.replication.calibration.great_circle_rtt`).
ASSUMED_RTT_S = {"BNL": 0.095, "TRIUMF": 0.155, "RAL": 0.020, "IN2P3": 0.007}

LAWS = ("window", "reno", "cubic", "stop-and-wait")
STAGES = ("source", "pump", "network", "apply")
COMPRESS = ("off", "on")
IO_WAITS = ("queue", "delay")

MEGA = 1e6
LAG_S = 3600.0  # the lag whose recovery time the card gives: one hour
# Linux gives about half of a buffer to the window; the rest is the packets' own overhead.
BUFFER_PER_WINDOW = 2
ALERT_SHARE = 0.8  # alert at this share of the pace, now and after the change
WORST_PERCENT = 1.0  # a path that loses more is broken, whatever the replica needs
WINDOW_ROOM = 1.25  # the advised window is larger than the least sufficient one by this factor
LIMITS = ("source", "pump", "window", "loss", "link", "apply")
LIMIT_NAMES = {
    "source": "the source",
    "pump": "the pump",
    "window": "the TCP window",
    "loss": "the loss on the path",
    "link": "the link",
    "apply": "apply",
}


def connection_throughput(law, rtt_s, window_bytes, loss, mss_bytes) -> float:
    """Return the bytes/s of a TCP connection by the law "window", "reno" or "cubic".

    Raises ValueError for another law, or an argument that the law itself refuses.

    >>> connection_throughput("window", 0.1, 65_536, 0.01, 1460)
    655360.0
    """
    if choice("law", law, LAWS[:3]) == "window":
        return window_limited_throughput(window_bytes, rtt_s)
    loss_law = mathis_throughput if law == "reno" else cubic_throughput
    return loss_law(mss_bytes, rtt_s, loss)


def predict(
    *,
    operations,
    lcrs_per_operation,
    lcr_bytes,
    law,
    rtt_s,
    window_bytes,
    loss,
    mss_bytes,
    round_trips,
    link_gbps,
    compress,
    compression_ratio,
    source_lcr_s,
    pump_lcr_s,
    apply_lcr_s,
) -> dict:
    """Return the seconds, the throughput and the rate of each stage, in LCRs/s.

    Logical change records (LCRs) pass through four stages that all work at the same time, and the
    slowest stage sets the pace:

    - source: capture, and compression if it is on, at source_lcr_s
    - pump: handles bytes, whatever the round trip, at pump_lcr_s times the ratio r
    - network: min(link, law) r/lcr_bytes; law "window" is W/RTT, "reno" and "cubic" are the
      mean rates at this loss. With "stop-and-wait" the pump sends a block and then waits for
      its acknowledgement, round_trips times without COMPRESS: T = (T0 + n RTT)/r
    - apply: at apply_lcr_s

    r = compression_ratio if compress is "on", else 1. The chosen law is taken to be the one that
    limits TCP: the parameters of the other laws have no effect.
    Outputs: "seconds", "throughput_lcr_s", and "source_rate_lcr_s", "pump_rate_lcr_s",
    "network_rate_lcr_s", "apply_rate_lcr_s".
    Raises ValueError for a parameter outside its range, by its name.

    >>> plain = predict(
    ...     operations=6e6, lcrs_per_operation=3, lcr_bytes=250, law="window", rtt_s=0.1,
    ...     window_bytes=64_000, loss=1e-4, mss_bytes=1460, round_trips=0, link_gbps=1,
    ...     compress="off", compression_ratio=4, source_lcr_s=2e4, pump_lcr_s=1e4,
    ...     apply_lcr_s=2e4,
    ... )
    >>> plain["throughput_lcr_s"], plain["network_rate_lcr_s"], plain["pump_rate_lcr_s"]
    (2560.0, 2560.0, 10000.0)
    """
    lcrs = number("operations", operations, above=0) * number(
        "lcrs_per_operation", lcrs_per_operation, above=0
    )
    rtt_s = number("rtt_s", rtt_s, above=0)
    ratio = number("compression_ratio", compression_ratio, at_least=1)
    if choice("compress", compress, COMPRESS) == "off":
        ratio = 1.0
    pump = number("pump_lcr_s", pump_lcr_s, above=0) * ratio
    lcr_bytes = number("lcr_bytes", lcr_bytes, above=0)
    network = number("link_gbps", link_gbps, above=0) * 1e9 / 8 / lcr_bytes * ratio
    rounds = number("round_trips", round_trips, at_least=0)
    window_bytes = number("window_bytes", window_bytes, above=0)
    loss = number("loss", loss, above=0, at_most=1)
    mss_bytes = number("mss_bytes", mss_bytes, above=0)
    if choice("law", law, LAWS) == "stop-and-wait":
        network = min(network, lcrs / (lcrs / pump + rounds * rtt_s / ratio))
    else:
        connection = connection_throughput(law, rtt_s, window_bytes, loss, mss_bytes)
        network = min(network, connection / lcr_bytes * ratio)
    rates = {
        "source": number("source_lcr_s", source_lcr_s, above=0),
        "pump": pump,
        "network": network,
        "apply": number("apply_lcr_s", apply_lcr_s, above=0),
    }
    throughput, _ = pipeline_throughput(rates)
    outputs = {"seconds": lcrs / throughput, "throughput_lcr_s": throughput}
    for stage in STAGES:
        outputs[stage + "_rate_lcr_s"] = rates[stage]
    return outputs


def stations(io, demands_s, rest_s):
    """Return (demands with a queue, delay) of an LCR, all in seconds.

    demands_s: of table I/O, the CPU and other I/O. With io "queue" each of the three is a server
    that all processes share. With io "delay" a wait for I/O takes the same time however many
    processes wait, so only the CPU has a queue. rest_s is a delay either way.
    Raises ValueError for another io.

    >>> stations("delay", [2.0, 1.0, 0.5], 0.25)
    ([1.0], 2.75)
    """
    user_io, cpu, system_io = demands_s
    if choice("io", io, IO_WAITS) == "queue":
        return [user_io, cpu, system_io], rest_s
    return [cpu], user_io + system_io + rest_s


def upstream_rate(lcrs, receiver_s, reader_s) -> float:
    """Return the LCRs/s that pass receiver and reader if all lcrs keep them busy for these times.

    Returns inf if both times are 0. Raises ValueError if lcrs is not above 0 or a time is negative.

    >>> upstream_rate(1e6, receiver_s=20, reader_s=10)
    50000.0
    """
    slower_s = max(
        number("receiver_s", receiver_s, at_least=0), number("reader_s", reader_s, at_least=0)
    )
    lcrs = number("lcrs", lcrs, above=0)
    return lcrs / slower_s if slower_s > 0 else math.inf


def predict_session(
    *,
    replicats,
    lcrs,
    user_io_s,
    cpu_s,
    system_io_s,
    unaccounted_s,
    io="queue",
    receiver_s=0.0,
    reader_s=0.0,
) -> dict:
    """Return time, throughput, utilisations and bounds of `replicats` apply processes.

    One process that applies `lcrs` LCRs waits user_io_s for I/O on tables, uses the CPU for
    cpu_s, waits system_io_s for other I/O, and spends unaccounted_s on none of these. So an LCR
    has a service demand D = B/C at each. A report of waits does not say what a wait for I/O is:
    io "queue" is a disk that serves one process at a time, "delay" a disk where no process delays
    another (`stations`). There is one CPU, and the rest is a delay. Exact mean value analysis gives
    the throughput of several processes; they do not wait for each other's locks or commits.
    Upstream a receiver and a reader are busy for receiver_s and reader_s; the slowest of
    the three stages sets the pace.
    Outputs: "apply_s", "throughput_lcr_s", "user_io_utilisation" = X D (with io "delay" the mean
    number of processes that wait), "cpu_utilisation", "user_io_bound_lcr_s" = 1/D (with io "delay"
    inf), "cpu_bound_lcr_s", "upstream_bound_lcr_s".
    Raises ValueError if replicats is not an integer of at least 1, lcrs, user_io_s or cpu_s
    is not above 0, another time is negative, or io is neither "queue" nor "delay".

    >>> two = predict_session(
    ...     replicats=2, lcrs=1e6, user_io_s=200, cpu_s=100, system_io_s=0, unaccounted_s=0
    ... )
    >>> round(two["throughput_lcr_s"], 3), two["user_io_bound_lcr_s"]
    (4285.714, 5000.0)
    """
    replicats = integer("replicats", replicats, at_least=1)
    lcrs = number("lcrs", lcrs, above=0)
    user_io_s = number("user_io_s", user_io_s, above=0)
    cpu_s = number("cpu_s", cpu_s, above=0)
    system_io_s = number("system_io_s", system_io_s, at_least=0)
    demands = [service_demand(busy_s, lcrs) for busy_s in (user_io_s, cpu_s, system_io_s)]
    rest = service_demand(number("unaccounted_s", unaccounted_s, at_least=0), lcrs)
    queued, delay = stations(io, demands, rest)
    upstream = upstream_rate(lcrs, receiver_s, reader_s)
    throughput = min(mva(queued, replicats, delay)[0], upstream)
    return {
        "apply_s": lcrs / throughput,
        "throughput_lcr_s": throughput,
        "user_io_utilisation": utilisation(throughput, demands[0]),
        "cpu_utilisation": utilisation(throughput, demands[1]),
        "user_io_bound_lcr_s": 1 / demands[0] if io == "queue" else math.inf,
        "cpu_bound_lcr_s": 1 / demands[1],
        "upstream_bound_lcr_s": upstream,
    }


def _verdict(pace, changes, limit):
    if pace <= changes:
        return (
            f"Past the knee: the replica is falling behind, and the limit is {LIMIT_NAMES[limit]}."
        )
    return f"Below the knee: the replica keeps up, and the limit is {LIMIT_NAMES[limit]}."


def predict_headroom(
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
    """Return the pace of a pipeline source -> pump -> network -> apply, and what limits it.

    Rates are in MB/s of changes before compression, which multiplies what pump and network carry.
    The network carries the least of three: the link, the window law W/RTT and CUBIC at this loss,
    where window and CUBIC count once for each of `streams` parallel connections.

    - "pace_mb_per_s", "spare_percent" of changes_mb_per_s; "verdict" names the limit, and
      "state" is one of `LIMITS`, with "-behind" after it if the replica falls behind
    - "window_mb_per_s", "loss_mb_per_s", "link_mb_per_s": what each would carry, compressed
    - "alert_mb_per_s": 80% of the pace; "next_mb_per_s": the pace once the limit is gone;
      "next_alert_mb_per_s": 80% of that
    - "window_least_bytes": the window W of a stream below which the window is the limit
    - "window_needed_bytes": a quarter more than that; "buffer_needed_bytes": twice this
    - "loss_allowed": the loss at which CUBIC is as fast as the next limit, 1% at most: above that
      TCP also waits for timeouts, which the law leaves out;
      "loss_alert_percent": the loss at which CUBIC carries 1.25 times the changes, or as
      much as the other limits if they carry less; 1% at most
    - "path_bytes": bandwidth-delay product of the link
    - "catch_up_h": hours until a lag of one hour is gone; inf if it grows

    Raises ValueError for a number outside its range, by its name.

    >>> card = predict_headroom(
    ...     changes_mb_per_s=1, source_mb_per_s=5, pump_mb_per_s=4, apply_mb_per_s=5,
    ...     compression_ratio=1, link_gbps=1, rtt_ms=100, window_bytes=65_536, loss=1e-7,
    ...     mss_bytes=1460,
    ... )
    >>> card["verdict"]
    'Past the knee: the replica is falling behind, and the limit is the TCP window.'
    >>> card["state"], card["window_needed_bytes"]
    ('window-behind', 500000.0)
    """
    changes = number("changes_mb_per_s", changes_mb_per_s, above=0)
    ratio = number("compression_ratio", compression_ratio, at_least=1)
    rtt_s = number("rtt_ms", rtt_ms, above=0) / 1000
    link_bps = 1e9 * number("link_gbps", link_gbps, above=0)
    streams = integer("streams", streams, at_least=1)
    mb_per_byte = streams * ratio / MEGA  # MB of changes for one byte in every stream
    rates = {
        "source": number("source_mb_per_s", source_mb_per_s, above=0),
        "pump": number("pump_mb_per_s", pump_mb_per_s, above=0) * ratio,
        "apply": number("apply_mb_per_s", apply_mb_per_s, above=0),
        "window": window_limited_throughput(window_bytes, rtt_s) * mb_per_byte,
        "loss": cubic_throughput(mss_bytes, rtt_s, loss) * mb_per_byte,
        "link": link_bps / 8 / MEGA * ratio,
    }
    pace, limit = pipeline_throughput(rates)

    def pace_without(name):
        return min(rate for other, rate in rates.items() if other != name)

    def loss_at(rate):
        return min(cubic_loss(mss_bytes, rtt_s, rate / mb_per_byte), WORST_PERCENT / 100)

    window_least = pace_without("window") / mb_per_byte * rtt_s
    window_needed = WINDOW_ROOM * window_least
    return {
        "verdict": _verdict(pace, changes, limit),
        "state": limit + ("-behind" if pace <= changes else ""),
        "pace_mb_per_s": pace,
        "spare_percent": 100 * (pace / changes - 1),
        "window_mb_per_s": rates["window"],
        "loss_mb_per_s": rates["loss"],
        "link_mb_per_s": rates["link"],
        "alert_mb_per_s": ALERT_SHARE * pace,
        "next_mb_per_s": pace_without(limit),
        "next_alert_mb_per_s": ALERT_SHARE * pace_without(limit),
        "window_least_bytes": window_least,
        "window_needed_bytes": window_needed,
        "buffer_needed_bytes": BUFFER_PER_WINDOW * window_needed,
        "loss_allowed": loss_at(pace_without("loss")),
        "loss_alert_percent": 100 * loss_at(min(changes / ALERT_SHARE, pace_without("loss"))),
        "path_bytes": bandwidth_delay_product(link_bps, rtt_s),
        "catch_up_h": lag_drain_time(LAG_S, pace, changes) / 3600,
    }
