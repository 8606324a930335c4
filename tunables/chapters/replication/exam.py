"""Chapter 5's questions of homework and exam: windows, losses, slow stages and lags."""

from tunables.core.exam import Homework, Question, factor, uniform
from tunables.theory.closed_queueing import mva
from tunables.theory.pipelines import lag_drain_time, pipeline_throughput
from tunables.theory.tcp import (
    bandwidth_delay_product,
    cubic_throughput,
    mathis_throughput,
    window_limited_throughput,
)


def _path(chance):
    return {"rate_bps": factor(chance, 1e7, 1e11), "rtt_s": factor(chance, 0.001, 0.3)}


def _window(chance):
    return {"window_bytes": round(factor(chance, 1e4, 1e8)), "rtt_s": factor(chance, 0.001, 0.3)}


def _lossy(chance):
    """Draw a path on which CUBIC's window is larger than Reno's."""
    return {
        "mss_bytes": chance.choice([536, 1448, 1460, 8948]),
        "rtt_s": factor(chance, 0.06, 0.3),
        "loss": factor(chance, 1e-6, 3e-5),
    }


def _short_and_lossy(chance):
    """Draw a path on which CUBIC keeps to Reno's window."""
    return {**_lossy(chance), "rtt_s": factor(chance, 0.001, 0.005), "loss": 0.01}


_STAGES = ("capture", "compress", "network", "apply")


def _stages(chance):
    rates = chance.sample(range(100, 5_000), len(_STAGES))
    order = chance.sample(_STAGES, len(_STAGES))
    return {"stage_rates": dict(zip(order, rates, strict=True))}


def _lag(chance):
    capture_rate = factor(chance, 100, 10_000)
    return {
        "lag_s": factor(chance, 60, 1e6),
        "apply_rate": float(f"{capture_rate * uniform(chance, 1.1, 8):.3g}"),
        "capture_rate": capture_rate,
    }


def _hopeless_lag(chance):
    lag = _lag(chance)
    return {**lag, "apply_rate": lag["capture_rate"] * chance.choice([0.5, 0.9, 1])}


def _session(chance):
    return {
        "demands_s": [factor(chance, 1e-5, 1e-3) for _ in range(chance.randint(2, 4))],
        "replicats": chance.randint(2, 16),
    }


def _replicats(demands_s, replicats):
    return mva(demands_s, replicats)[0]


def _draw_stages_behind(chance):
    arrival_rate = chance.randint(100, 5_000)
    rates = [round(arrival_rate * uniform(chance, 1.2, 8)) for _ in range(3)]
    return {
        "stage_rates": rates,
        "arrival_rate": arrival_rate,
        "outage_s": uniform(chance, 60, 900),
    }


def _catch_up(stage_rates, arrival_rate, outage_s):
    """Return how long the rows of an outage take, in s."""
    return lag_drain_time(outage_s, min(stage_rates), arrival_rate)


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "bandwidth-delay product": (bandwidth_delay_product, _path),
        "window": (window_limited_throughput, _window),
        "reno": (mathis_throughput, _lossy),
        "cubic": (cubic_throughput, _lossy),
        "cubic, reno-friendly": (cubic_throughput, _short_and_lossy),
        "bottleneck": (pipeline_throughput, _stages),
        "lag": (lag_drain_time, _lag),
        "lag, never": (lag_drain_time, _hopeless_lag),
        "replicats": (_replicats, _session),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    ways = homework()
    return {
        "window in use": Question(
            "A transfer over a path with a round trip of {rtt_s:time} runs at {rate_bps:bits} "
            "without losing any packets. The path itself could carry ten times as much. How large "
            "is the transfer's window?",
            "B",
            ways["bandwidth-delay product"],
            "the window sets the rate, so W = rate × RTT/8, where rate is the transfer's",
        ),
        "slowest stage": Question(
            "Changes pass through three stages in series, which can handle at most "
            "{stage_rates[0]}, {stage_rates[1]} and {stage_rates[2]} rows per second. The first "
            "stage receives {arrival_rate} rows per second, even during an outage. After "
            "{outage_s:time} without any output, all stages run again. How long do they take to "
            "catch up?",
            "s",
            (_catch_up, _draw_stages_behind),
            "the slowest stage sets the pace: outage/(its rate/arrivals - 1)",
        ),
        "bandwidth-delay product": Question(
            "A path carries {rate_bps:bits} and has a round trip of {rtt_s:time}. How large must a "
            "window be to fill the path?",
            "B",
            ways["bandwidth-delay product"],
            "W = rate × RTT/8",
        ),
        "reno": Question(
            "A path has a round trip of {rtt_s:time} and loses {loss:share} of its segments, "
            "each of {mss_bytes} bytes. How many bytes per second does Reno carry?",
            "B/s",
            ways["reno"],
            "Mathis: (MSS/RTT) sqrt(3/(2p))",
        ),
        "cubic, reno-friendly": Question(
            "A short path has a round trip of {rtt_s:time} and loses {loss:share} of its "
            "segments, each of {mss_bytes} bytes. CUBIC is never slower than Reno. How many bytes "
            "per second does CUBIC carry?",
            "B/s",
            ways["cubic, reno-friendly"],
            "CUBIC's own window is the smaller one here, so it uses Reno's",
        ),
    }
