"""Chapter 5: the pipeline simulated: TCP's window round by round, then a tandem of stages."""

import numpy as np

from tunables.predictors.wlcg import STAGES, predict
from tunables.simulators.tandem import simulate_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds

BATCHES = 10_000  # in which the LCRs pass the stages; trails on disk hold any number of them
ROUNDS, WARM_UP = 200_000, 50_000
NEVER = 1e-15  # a loss too rare to meet in so many rounds


def simulated_connection(law, rtt_s, window_bytes, loss, mss_bytes, seed=None) -> float:
    """Bytes/s of a TCP connection, as the mean of its window over many round trips.

    Without a seed every (1/loss)-th segment is lost, as the closed forms assume; with one,
    segments are lost independently. By "window" nothing is lost and the window ends the growth.
    """
    if law == "window":
        largest = max(1.0, window_bytes / mss_bytes)
        windows = simulate_tcp_rounds(rtt_s, NEVER, ROUNDS, largest_window=largest)
    else:
        windows = simulate_tcp_rounds(rtt_s, loss, ROUNDS, law, seed=seed)
    return float(windows[WARM_UP:].mean()) * mss_bytes / rtt_s


def simulate(seed, **parameters) -> dict[str, tuple[float, float]]:
    """Return seconds, throughput and the network's rate as (mean, half-width).

    The seed changes nothing: losses are evenly spaced and stages take the same time for every
    batch, as the closed form has it, so the half-width is 0.
    """
    closed = predict(**parameters)
    rates = {stage: closed[f"{stage}_rate_lcr_s"] for stage in STAGES}
    lcrs = parameters["operations"] * parameters["lcrs_per_operation"]
    ratio = parameters["compression_ratio"] if parameters["compress"] == "on" else 1.0
    rtt_s, law = parameters["rtt_s"], parameters["law"]
    if law != "stop-and-wait":  # which has no window to simulate
        connection = simulated_connection(
            law, rtt_s, parameters["window_bytes"], parameters["loss"], parameters["mss_bytes"]
        )
        link = min(parameters["link_gbps"] * 1e9 / 8, connection)
        rates["network"] = link * ratio / parameters["lcr_bytes"]
    service_s = np.tile([lcrs / BATCHES / rates[stage] for stage in STAGES], (BATCHES, 1))
    seconds = float(simulate_tandem(service_s, [np.inf] * (len(STAGES) - 1))[-1])
    return {
        "seconds": (seconds, 0.0),
        "throughput_lcr_s": (lcrs / seconds, 0.0),
        "network_rate_lcr_s": (rates["network"], 0.0),
    }
