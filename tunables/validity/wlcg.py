"""Chapter 5: the loss laws of TCP take losses as evenly spaced; the network does not."""

from tunables.cases.wlcg import CASE
from tunables.predictors.wlcg import STAGES, predict
from tunables.simulators.tcp_rounds import simulate_tcp_rounds
from tunables.theory.pipelines import pipeline_throughput
from tunables.validity.map import Axis, ValidityMap

RUNS = 4
LOSSES = 400  # a run is so long that about as many are met
FEWEST_ROUNDS, MOST_ROUNDS = 10_000, 200_000


def _connection(settings, rounds, seed) -> float:
    """Return bytes/s of a CUBIC connection whose segments are lost at random."""
    windows = simulate_tcp_rounds(settings["rtt_s"], settings["loss"], rounds, seed=seed)
    return float(windows[rounds // 5 :].mean()) * settings["mss_bytes"] / settings["rtt_s"]


def simulate(seed, settings) -> list[float]:
    """Return the seconds of the replication in each run, with random losses in the network."""
    closed = predict(**settings)
    rates = {stage: closed[f"{stage}_rate_lcr_s"] for stage in STAGES}
    segments_s = closed["network_rate_lcr_s"] * settings["lcr_bytes"] / settings["mss_bytes"]
    rounds_a_loss = 1 / (settings["loss"] * segments_s * settings["rtt_s"])
    rounds = int(min(max(LOSSES * rounds_a_loss, FEWEST_ROUNDS), MOST_ROUNDS))
    lcrs = settings["operations"] * settings["lcrs_per_operation"]
    link = settings["link_gbps"] * 1e9 / 8
    seconds = []
    for each in range(RUNS * seed, RUNS * (seed + 1)):
        rates["network"] = min(link, _connection(settings, rounds, each)) / settings["lcr_bytes"]
        seconds.append(lcrs / pipeline_throughput(rates)[0])
    return seconds


MAP = ValidityMap(
    case=CASE,
    title="Time of a replication by CUBIC, when losses come at random",
    x=Axis(
        "rtt_s",
        "Round-trip time",
        "the round trip",
        "s",
        (0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25),
    ),
    y=Axis(
        "loss",
        "Loss",
        "loss",
        "1",
        (1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.03),
    ),
    output="seconds",
    settings={"law": "cubic", "compress": "off"},
    simulate=simulate,
    why="CUBIC's law is the mean of one curve between two losses that come evenly. Random "
    "losses leave some long gaps, and a long gap counts for more: the window grows far in it. "
    "Several losses in one round trip cost no more than one. So the law is too slow nearly "
    "everywhere that the network sets the pace. Where the pump does, its error is not seen.",
)
