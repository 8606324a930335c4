"""Chapter 5: the pipeline simulated: TCP's window round by round, then a tandem of stages."""

from tunables.chapters.replication.experiment import mean_window, tandem_seconds
from tunables.chapters.replication.predictor import LAWS, STAGES, predict
from tunables.plain.arguments import LARGEST, choice, number, run_seed, whole

BATCHES = 10_000  # in which the LCRs pass the stages; trails on disk hold any number of them
ROUNDS = 200_000  # of which a quarter is a warm-up
MOST_BATCHES, MOST_ROUNDS = 10**6, 10**7  # some seconds
NEVER = 1e-15  # a loss too rare to meet in so many rounds


def window_settings(law, window_bytes, loss, mss_bytes) -> tuple:
    """Return (loss, whether it is CUBIC, largest window in segments) of a connection by a law.

    By "window" nothing is lost and the window ends the growth.
    Raises ValueError for another law, or an argument of it that is not above 0 (loss: at most 1).
    """
    if choice("law", law, LAWS[:3]) == "window":
        window_bytes = number("window_bytes", window_bytes, above=0)
        return NEVER, True, max(1.0, window_bytes / number("mss_bytes", mss_bytes, above=0))
    return number("loss", loss, above=0, at_most=1), law == "cubic", LARGEST


def simulated_connection(
    law, rtt_s, window_bytes, loss, mss_bytes, seed=None, rounds=ROUNDS
) -> float:
    """Bytes/s of a TCP connection, as the mean of its window over many round trips.

    Without a seed every (1/loss)-th segment is lost, as the closed forms assume; with one,
    segments are lost independently. Raises ValueError as `window_settings` does, and if rtt_s is
    not above 0.
    """
    loss, cubic, largest = window_settings(law, window_bytes, loss, mss_bytes)
    rtt_s, at_random = number("rtt_s", rtt_s, above=0), seed is not None
    rounds = whole("rounds", rounds, at_least=1, at_most=MOST_ROUNDS)
    first = run_seed(seed) if at_random else 0
    mss_bytes = number("mss_bytes", mss_bytes, above=0)
    segments = mean_window(first, at_random, loss, rounds, rounds // 4, rtt_s, cubic, largest)
    return segments * mss_bytes / rtt_s


def run(seed, *, batches=BATCHES, **parameters) -> dict:
    """Return seconds, throughput and the network's rate.

    The seed changes nothing: losses are evenly spaced and stages take the same time for every
    batch, as the closed form has it, so one run is all.
    """
    run_seed(seed)
    batches = whole("batches", batches, at_least=1, at_most=MOST_BATCHES)
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
    rates_lcr_s = [float(rates[stage]) for stage in STAGES]
    seconds = tandem_seconds(batches, lcrs / batches, *rates_lcr_s)
    return {
        "seconds": seconds,
        "throughput_lcr_s": lcrs / seconds,
        "network_rate_lcr_s": rates["network"],
    }
