"""Chapter 5's run of a map: CUBIC's network with losses at random sets, or not, the pace."""

from tunables.chapters.replication.experiment import mean_window
from tunables.chapters.replication.predictor import STAGES, predict
from tunables.plain.arguments import LARGEST, run_seed
from tunables.theory.pipelines import pipeline_throughput

RUNS = 4
LOSSES = 400  # a run is so long that about as many are met
FEWEST_ROUNDS, MOST_ROUNDS = 10_000, 200_000


def random_connection(seed, settings, rounds) -> float:
    """Return bytes/s of a CUBIC connection whose segments are lost at random."""
    rtt_s, loss = float(settings["rtt_s"]), float(settings["loss"])
    segments = mean_window(run_seed(seed), True, loss, rounds, rounds // 5, rtt_s, True, LARGEST)
    return segments * settings["mss_bytes"] / rtt_s


def run(seed, **settings) -> dict:
    """Return the seconds of the replication, with random losses in the network."""
    closed = predict(**settings)
    rates = {stage: closed[f"{stage}_rate_lcr_s"] for stage in STAGES}
    segments_s = closed["network_rate_lcr_s"] * settings["lcr_bytes"] / settings["mss_bytes"]
    rounds_a_loss = 1 / (settings["loss"] * segments_s * settings["rtt_s"])
    rounds = int(min(max(LOSSES * rounds_a_loss, FEWEST_ROUNDS), MOST_ROUNDS))
    link = settings["link_gbps"] * 1e9 / 8
    rates["network"] = min(link, random_connection(seed, settings, rounds)) / settings["lcr_bytes"]
    lcrs = settings["operations"] * settings["lcrs_per_operation"]
    return {"seconds": lcrs / pipeline_throughput(rates)[0]}
