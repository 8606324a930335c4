"""Problems of chapter 5: how fast one connection is."""

from tunables.page.sheet import milliseconds, sheet, show
from tunables.theory.tcp import cubic_throughput, mathis_throughput, window_limited_throughput

MSS_BYTES = 1460


def window_law(draw):
    given = {
        "records": draw.between(2, 30) * 1_000_000,
        "record_bytes": draw.between(100, 600, 10),
        "window_bytes": draw.pick((16, 32, 64, 128, 256, 512)) * 1024,
        "rtt_s": draw.between(10, 300, 5) / 1000,
    }
    rate = window_limited_throughput(given["window_bytes"], given["rtt_s"])
    total = given["records"] * given["record_bytes"]
    answer = total / rate
    return sheet(
        f"{show(given['records'] / 1e6)} million change records of {given['record_bytes']} B go "
        f"over one TCP connection with a window of {given['window_bytes'] // 1024} KiB and a "
        f"round-trip time of {milliseconds(given['rtt_s'])}; nothing else limits it. "
        "How long does it take?",
        given,
        "s",
        answer,
        [
            "rate = W / RTT; T = bytes / rate",
            f"rate = {show(given['window_bytes'], 'B')} / {milliseconds(given['rtt_s'])}"
            + f" = {show(rate / 1e6, 'MB/s')}",
            f"T = {show(total / 1e6, 'MB')} / {show(rate / 1e6, 'MB/s')} = {show(answer, 's')}",
        ],
    )


def cubic_rate(draw):
    while True:
        given = {
            "mss_bytes": MSS_BYTES,
            "rtt_s": draw.between(60, 300, 5) / 1000,
            "loss": draw.between(10, 400, 5) / 1e6,
        }
        rtt, p = given["rtt_s"], given["loss"]
        window = 1.054 * (rtt / p) ** 0.75
        if cubic_throughput(**given) > 1.05 * mathis_throughput(**given):
            break  # below that CUBIC keeps to Reno's window
    answer = 8 * cubic_throughput(**given) / 1e6
    reno = 8 * mathis_throughput(**given) / 1e6
    return sheet(
        f"One TCP connection with CUBIC (c = 0.4, beta = 0.7) and segments of {MSS_BYTES} B has a "
        f"round-trip time of {milliseconds(rtt)} and loses one segment in {show(1 / p)}. "
        "What is its mean rate?",
        given,
        "Mb/s",
        answer,
        [
            "mean window = 1.054 (RTT / p)^(3/4) segments; rate = window × MSS / RTT",
            f"window = 1.054 × ({show(rtt, 's')} × {show(1 / p)})^0.75 = {show(window)} segments",
            f"rate = {show(window)} × 8 × {MSS_BYTES} b / {show(rtt, 's')}"
            + f" = {show(answer, 'Mb/s')}",
        ],
        remark=f"Reno's square-root law gives {show(reno, 'Mb/s')}.",
    )


def one_ping(draw):
    given = {
        "law": draw.pick(("window", "cubic")),
        "seconds": draw.between(1000, 9000, 10),
        "near_rtt_s": draw.between(70, 150, 5) / 1000,
        "far_rtt_s": draw.between(160, 320, 5) / 1000,
        "loss": 1e-4,
    }
    near, far, t = given["near_rtt_s"], given["far_rtt_s"], given["seconds"]
    if given["law"] == "window":
        words = "its window limits the connection"
        ratio = window_limited_throughput(1.0, near) / window_limited_throughput(1.0, far)
        formula, power = "rate = W / RTT, so T grows as RTT", ""
    else:
        words = "rare losses limit the connection, and it runs CUBIC"
        rates = [cubic_throughput(MSS_BYTES, rtt, given["loss"]) for rtt in (near, far)]
        ratio = rates[0] / rates[1]
        formula, power = "rate = const × RTT^(-1/4), so T grows as RTT^(1/4)", "^(1/4)"
    answer = t * ratio
    return sheet(
        f"A replication to a site {milliseconds(near)} away takes {show(t, 's')}; {words}. "
        f"How long does the same take to a site {milliseconds(far)} away, with the same settings "
        "and loss?",
        given,
        "s",
        answer,
        [
            formula,
            f"({milliseconds(far)} / {milliseconds(near)}){power} = {show(ratio)}",
            f"T = {show(t, 's')} × {show(ratio)} = {show(answer, 's')}",
        ],
    )


def near_enough(draw):
    given = {
        "loss": draw.between(50, 900, 10) / 1e6,
        "record_bytes": draw.between(150, 600, 10),
        "pump_rate": draw.between(4_000, 14_000, 100),
    }
    p, size, pump = given["loss"], given["record_bytes"], given["pump_rate"]
    at_one_second = mathis_throughput(MSS_BYTES, 1.0, p)
    answer = 1000 * at_one_second / (size * pump)
    return sheet(
        f"A pump sends {show(pump)} records of {size} B a second over a connection at Reno's pace "
        f"with segments of {MSS_BYTES} B, of which a share of {show(p)} is lost. Up to which "
        "round-trip time does it not notice the network?",
        given,
        "ms",
        answer,
        [
            "MSS / RTT × sqrt(3 / (2 p)) = pump rate, solved for RTT",
            f"MSS × sqrt(3 / (2 p)) = {MSS_BYTES} B × {show(at_one_second / MSS_BYTES)}"
            + f" = {show(at_one_second, 'B')}",
            f"RTT = {show(at_one_second, 'B')} / ({size} B × {show(pump, '/s')})"
            + f" = {show(answer, 'ms')}",
        ],
    )
