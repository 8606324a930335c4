"""Chapter 5: how long a replication over the WAN takes, and which stage sets its pace."""

from tunables.plain.arguments import choice, number
from tunables.theory.pipelines import pipeline_throughput
from tunables.theory.tcp import cubic_throughput, mathis_throughput, window_limited_throughput

LAWS = ("window", "reno", "cubic", "stop-and-wait")
STAGES = ("source", "pump", "network", "apply")
COMPRESS = ("off", "on")


def connection_throughput(law, rtt_s, window_bytes, loss, mss_bytes) -> float:
    """Bytes/s of a TCP connection by the law "window", "reno" or "cubic".

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

    A logical change record (LCR) passes four stages at once, and the slowest sets the pace:

    - source: capture, and compression where it is on, at source_lcr_s
    - pump: what handles bytes but knows no round trip, at pump_lcr_s times the ratio r
    - network: min(link, law) r/lcr_bytes; law "window" is W/RTT, "reno" and "cubic" are the
      mean rates at this loss. By "stop-and-wait" the pump sends a block and then waits for
      its acknowledgement, round_trips times without COMPRESS: T = (T0 + n RTT)/r
    - apply: at apply_lcr_s

    r = compression_ratio where compress is "on", else 1. The law chosen is taken to be the one that
    limits TCP: the parameters of the others have no effect.
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
