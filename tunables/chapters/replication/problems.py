"""Problems of chapter 5: the pace of a pipeline over a wide-area network, and its lag."""

from tunables.chapters.replication.predictor import STAGES, predict, predict_session
from tunables.page.worksheet import (
    EXPLAINED,
    apart,
    microseconds,
    milliseconds,
    recursion_steps,
    sheet,
    show,
)
from tunables.theory.pipelines import lag_drain_time
from tunables.theory.queueing import mva
from tunables.theory.tcp import cubic_throughput, mathis_throughput, window_limited_throughput

MSS_BYTES = 1460
DAY_S = 86_400
RESOURCES = (
    ("user_io_s", "the table disks"),
    ("cpu_s", "the CPU"),
    ("system_io_s", "the other disks"),
)


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
        f"{show(given['records'] / 1e6)} million change records of {given['record_bytes']} B each "
        f"go over one TCP connection with a window of {given['window_bytes'] // 1024} KiB and a "
        f"round-trip time of {milliseconds(given['rtt_s'])}. Nothing else limits the transfer. "
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
        remark=f"Reno's square-root law would give {show(reno, 'Mb/s')}.",
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
        words = "the window limits its connection"
        ratio = window_limited_throughput(1.0, near) / window_limited_throughput(1.0, far)
        formula, power = "rate = W / RTT, so T grows as RTT", ""
    else:
        words = "rare losses limit its connection, which runs CUBIC"
        rates = [cubic_throughput(MSS_BYTES, rtt, given["loss"]) for rtt in (near, far)]
        ratio = rates[0] / rates[1]
        formula, power = "rate = const × RTT^(-1/4), so T grows as RTT^(1/4)", "^(1/4)"
    answer = t * ratio
    return sheet(
        f"A replication to a site with a round-trip time of {milliseconds(near)} takes "
        f"{show(t, 's')}; {words}. With the same settings and loss, how long does the same "
        f"replication to a site with a round-trip time of {milliseconds(far)} take?",
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
        f"A pump sends {show(pump)} records of {size} B per second over a connection that runs "
        f"Reno. Its segments are {MSS_BYTES} B long, and a fraction {show(p)} of them is lost. "
        "What is the longest round-trip time at which the network doesn't slow the pump down?",
        given,
        "ms",
        answer,
        [
            "solve for RTT: MSS / RTT × sqrt(3 / (2 p)) = pump rate",
            f"MSS × sqrt(3 / (2 p)) = {MSS_BYTES} B × {show(at_one_second / MSS_BYTES)}"
            + f" = {show(at_one_second, 'B')}",
            f"RTT = {show(at_one_second, 'B')} / ({size} B × {show(pump, '/s')})"
            + f" = {show(answer, 'ms')}",
        ],
    )


def bottleneck(draw):
    given = {
        "operations": draw.between(1, 9) * 1_000_000,
        "lcrs_per_operation": 3,
        "lcr_bytes": draw.between(150, 500, 10),
        "rtt_s": draw.between(50, 250, 5) / 1000,
        "window_bytes": draw.pick((64, 128, 256)) * 1024,
        "link_gbps": draw.pick((1, 10)),
        "compress": draw.pick(("off", "on")),
        "compression_ratio": draw.between(20, 60) / 10,
        "source_lcr_s": draw.between(8_000, 20_000, 100),
        "pump_lcr_s": draw.between(4_000, 14_000, 100),
        "apply_lcr_s": draw.between(6_000, 14_000, 100),
    }
    outputs = predict(law="window", loss=1e-4, mss_bytes=MSS_BYTES, round_trips=0, **given)
    lcrs = given["operations"] * 3
    rates = [outputs[stage + "_rate_lcr_s"] for stage in STAGES]
    rate_texts = [f"{stage} {show(rate)}" for stage, rate in zip(STAGES, rates)]
    ratio = given["compression_ratio"]
    compression = f"off (if it were on, it would shrink the data by a factor of {show(ratio)})"
    if given["compress"] == "on":
        compression = f"on, and shrinks the data by a factor of {show(ratio)}"
    slowest = STAGES[rates.index(min(rates))]
    seconds = outputs["seconds"]
    factor = f" × {show(ratio)}" if given["compress"] == "on" else ""
    return sheet(
        f"{show(lcrs / 1e6)} million records of {given['lcr_bytes']} B pass through four stages "
        f"that all work at the same time. Source: {show(given['source_lcr_s'])} records/s. Pump: "
        f"{show(given['pump_lcr_s'])} records/s of uncompressed data. Network: a window of "
        f"{given['window_bytes'] // 1024} KiB, a round trip of {milliseconds(given['rtt_s'])}, a "
        f"link of {given['link_gbps']} Gb/s. Apply: {show(given['apply_lcr_s'])} records/s. "
        f"Compression, done by the source, is {compression}. How long do all the records take?",
        given,
        "s",
        seconds,
        [
            "the slowest stage sets the pace: T = records / min(rates); the pump and network"
            + " handle bytes, so compression speeds them up",
            f"network: min(link / 8, W / RTT) / {given['lcr_bytes']} B{factor}",
            f"records/s: {', '.join(rate_texts)}; the slowest is {slowest}",
            f"T = {show(lcrs / 1e6)} million / {show(min(rates))} = {show(seconds, 's')}",
        ],
    )


def lag(draw):
    given = {
        "lag_s": draw.between(10, 400, 2) * 3600,
        "capture_rate": draw.between(500, 4000, 50),
    }
    given["apply_rate"] = given["capture_rate"] * draw.between(110, 300, 5) // 100
    days = given["lag_s"] / DAY_S
    answer = lag_drain_time(**given) / DAY_S
    ratio = given["apply_rate"] / given["capture_rate"]
    return sheet(
        f"A replica is {show(days)} days behind. Its source captures {show(given['capture_rate'])} "
        f"records per second, and the replica applies {show(given['apply_rate'])}. How long "
        "does it take to catch up?",
        given,
        "d",
        answer,
        [
            "T = L / (μ / λ - 1), because in a day the lag falls by μ / λ - 1 days",
            f"μ / λ = {show(given['apply_rate'])} / {show(given['capture_rate'])}"
            + f" = {show(ratio)}",
            f"T = {show(days, 'd')} / {show(ratio - 1)} = {show(answer, 'd')}",
        ],
        remark=f"To catch up in one day, apply must be {show(1 + days)} times as fast as capture.",
    )


def replicats(draw):
    while True:
        given = {
            "replicats": draw.between(2, 5),
            "lcrs": draw.between(2, 20) * 1_000_000,
            "user_io_s": draw.between(500, 4000, 50),
            "cpu_s": draw.between(200, 2000, 50),
            "system_io_s": draw.between(0, 200, 10),
            "unaccounted_s": draw.between(0, 500, 10),
        }
        answer = predict_session(**given)["throughput_lcr_s"]
        lcrs, k = given["lcrs"], given["replicats"]
        demands = [given[name] / lcrs for name, _ in RESOURCES]
        if apart(answer, [1 / max(demands)]):
            break  # below its bound, so that there is something to compute
    rest = given["unaccounted_s"] / lcrs
    demand_texts = [microseconds(demand) for demand in demands]
    steps = [
        "mean value analysis, from Q_i(0) = 0: R_i(n) = D_i (1 + Q_i(n-1)),"
        + " X(n) = n / (Z + sum of R_i), Q_i(n) = X(n) R_i(n)",
        f"D = {', '.join(demand_texts)} per record, Z = {microseconds(rest)}",
    ]
    one = mva(demands, 1, rest)[0]
    largest = max(demands)
    busiest = RESOURCES[demands.index(largest)][1]
    return sheet(
        f"One apply process handled {show(lcrs / 1e6)} million records. It waited "
        f"{given['user_io_s']} s for the table disks, used the CPU for {given['cpu_s']} "
        f"s, waited {given['system_io_s']} s for other disks, and spent {given['unaccounted_s']} "
        f"s on none of these. How many records per second do {k} such processes apply together, if "
        "they queue for the same disks and CPU, and do not wait for each other's locks?",
        given,
        "1/s",
        answer,
        steps + recursion_steps(demands, k, rest, microseconds),
        remark=f"They don't reach {show(k * one, '/s')}, {k} times the rate of one process, "
        f"because they wait for each other, most of all at {busiest}. However many there are, "
        f"they can't exceed {show(1 / largest, '/s')}. {EXPLAINED}",
    )


KINDS = {
    "window-law": ("The window law", window_law, 1),
    "cubic-rate": ("CUBIC's rate", cubic_rate, 1),
    "one-ping": ("One ping", one_ping, 2),
    "bottleneck": ("Which stage sets the pace?", bottleneck, 2),
    "lag": ("Days behind", lag, 1),
    "replicats": ("More processes", replicats, 3),
    "near-enough": ("Where distance begins to matter", near_enough, 2),
}
