"""Chapter 4's simulation: all transactions, event by event; runs in the page too."""

from tunables.chapters.flow_priority.experiment import experiment
from tunables.chapters.flow_priority.predictor import (
    ALONE_S,
    CLASSES,
    HEADER_BYTES,
    SIZE_BYTES,
    TRANSACTIONS,
    effective_priority,
    latencies,
    predict,
)
from tunables.plain.arguments import number, run_seed, whole
from tunables.plain.remembered import remembered
from tunables.theory.shared_port import calibrate_delay

RUNS = 3
MOST_USERS = 9000  # of each class; they carry out 10^9 transactions
SPREAD = 0.5  # of the delays, to either side


def _delays_of(table_1_users, table_1_port_rate_gbps) -> list:
    """Return each class's delay in seconds that gives Table 1's time alone."""
    alone = [int(table_1_users)] * len(CLASSES)
    return calibrate_delay(alone, SIZE_BYTES, TRANSACTIONS, ALONE_S, 1e9 * table_1_port_rate_gbps)


delays_of = remembered(_delays_of)  # the same for all runs of a setting


def ahead_bytes(settings) -> float:
    """Return how many bytes of each transaction go ahead with DPP."""
    return int(settings["max_packets"]) * (settings["mtu_bytes"] - HEADER_BYTES)


def end_times(seed, settings, column, ahead, transactions=TRANSACTIONS, spread=SPREAD) -> list:
    """Return when each class is done, in seconds; column: "without" DPP or "with" it.

    settings: the parameters of `predict`; ahead: bytes of each transaction that DPP lets go
    ahead; each user carries out so many transactions of each class.
    """
    residuals = [settings[f"{name}_residual_s"] for name in CLASSES[:3]]
    extra = latencies(
        settings["structure"],
        SIZE_BYTES,
        ahead,
        settings["queueing_delay_s"],
        residuals,
        settings["medium_excess_s"],
    )
    delays = delays_of(settings["table_1_users"], settings["table_1_port_rate_gbps"])
    # Without DPP all bytes are on one level: all of them ahead.
    all_bytes = [max(SIZE_BYTES)] * len(SIZE_BYTES)
    first = effective_priority(SIZE_BYTES, ahead) if column == "with" else all_bytes
    classes = (
        [float(size) for size in SIZE_BYTES]
        + [int(count) for count in transactions]
        + [float(delay + more) for delay, more in zip(delays, extra)]
        + [float(priority) for priority in first]
    )
    users = whole("users", settings["users"], at_least=1, at_most=MOST_USERS)
    rate_bps = 1e9 * number("port_rate_gbps", settings["port_rate_gbps"], above=0)
    return list(experiment(run_seed(seed), users, rate_bps, float(spread), *classes))


def run(seed, **settings) -> dict:
    """Return the ten times of Table 2, each column from a run of its own with the same draws.

    Raises ValueError for settings that `predict` refuses.
    """
    predict(**settings)
    columns = {
        "without": end_times(seed, settings, "without", 0.0),
        "with": end_times(seed, settings, "with", ahead_bytes(settings)),
    }
    return {
        f"{name}_{column}_s": end_s
        for column, ends_s in columns.items()
        for name, end_s in zip(CLASSES, ends_s)
    }
