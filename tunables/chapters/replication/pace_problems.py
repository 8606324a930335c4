"""Problems of chapter 5: the pace of a pipeline and of its apply processes, and its lag."""

from tunables.chapters.replication.path_problems import MSS_BYTES
from tunables.chapters.replication.predictor import STAGES, predict
from tunables.chapters.replication.session_predictor import predict as predict_session
from tunables.page.recursion import EXPLAINED, recursion_steps
from tunables.page.sheet import apart, microseconds, milliseconds, sheet, show
from tunables.theory.pipelines import lag_drain_time
from tunables.theory.queueing import mva

DAY_S = 86_400
RESOURCES = (
    ("user_io_s", "the disks of the tables"),
    ("cpu_s", "the CPU"),
    ("system_io_s", "the other disks"),
)


def bottleneck(draw):
    setting = {
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
    made = predict(law="window", loss=1e-4, mss_bytes=MSS_BYTES, round_trips=0, **setting)
    lcrs = setting["operations"] * 3
    rates = [made[stage + "_rate_lcr_s"] for stage in STAGES]
    told = [f"{stage} {show(rate)}" for stage, rate in zip(STAGES, rates)]
    ratio = setting["compression_ratio"]
    switched = f"off (on, it would shrink data {show(ratio)} times)"
    if setting["compress"] == "on":
        switched = f"on and shrinks data {show(ratio)} times"
    pace = STAGES[rates.index(min(rates))]
    factor = f" × {show(ratio)}" if setting["compress"] == "on" else ""
    return sheet(
        f"{show(lcrs / 1e6)} million records of {setting['lcr_bytes']} B pass four stages at once. "
        f"Source: {show(setting['source_lcr_s'])} records/s. Pump: {show(setting['pump_lcr_s'])} "
        "records/s of uncompressed data. Network: a window of "
        f"{setting['window_bytes'] // 1024} KiB, a round trip of {milliseconds(setting['rtt_s'])}, "
        f"a link of {setting['link_gbps']} Gb/s. Apply: {show(setting['apply_lcr_s'])} records/s. "
        f"Compression, done by the source, is {switched}. How long does it take?",
        setting,
        "s",
        made["seconds"],
        [
            "the slowest stage sets the pace: T = records / min(rates); pump and network handle"
            + " bytes, so compression speeds them up",
            f"network: min(link / 8, W / RTT) / {setting['lcr_bytes']} B{factor}",
            f"records/s: {', '.join(told)}; the slowest is {pace}",
            f"T = {show(lcrs / 1e6)} million / {show(min(rates))} = {show(made['seconds'], 's')}",
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
        f"A replica is {show(days)} days behind. {show(given['capture_rate'])} records a second "
        f"are captured, and it applies {show(given['apply_rate'])} a second. "
        "When has it caught up?",
        given,
        "d",
        answer,
        [
            "T = L / (μ / λ - 1): in a day the lag falls by μ / λ - 1 days",
            f"μ / λ = {show(given['apply_rate'])} / {show(given['capture_rate'])}"
            + f" = {show(ratio)}",
            f"T = {show(days, 'd')} / {show(ratio - 1)} = {show(answer, 'd')}",
        ],
        remark=f"To catch up in one day apply must be {show(1 + days)} times as fast as capture.",
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
    told = [microseconds(demand) for demand in demands]
    steps = [
        "mean value analysis, from Q_i(0) = 0: R_i(n) = D_i (1 + Q_i(n-1)),"
        + " X(n) = n / (Z + sum of R_i), Q_i(n) = X(n) R_i(n)",
        f"D = {', '.join(told)} a record, Z = {microseconds(rest)}",
    ]
    one = mva(demands, 1, rest)[0]
    largest = max(demands)
    busiest = RESOURCES[demands.index(largest)][1]
    return sheet(
        f"One apply process handled {show(lcrs / 1e6)} million records. It waited "
        f"{given['user_io_s']} s for the disks of the tables, used the CPU for {given['cpu_s']} s, "
        f"waited {given['system_io_s']} s for other disks, and {given['unaccounted_s']} s were "
        f"none of these. How many records a second do {k} such processes apply together, if "
        "they queue for the same disks and CPU, and do not wait for each other's locks?",
        given,
        "1/s",
        answer,
        steps + recursion_steps(demands, k, rest, microseconds),
        remark=f"Not {show(k * one, '/s')}: they wait for each other, most of all at {busiest}. "
        f"However many there are, {show(1 / largest, '/s')} is the bound. {EXPLAINED}",
    )
