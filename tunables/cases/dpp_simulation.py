"""Chapter 4's simulation: all transactions of the experiment, event by event."""

from tunables.predictors.dpp import (
    ALONE_S,
    CLASSES,
    HEADER_BYTES,
    SIZE_BYTES,
    TRANSACTIONS,
    latencies,
)
from tunables.simulators.flows import simulate_flows
from tunables.simulators.interval import confidence_interval
from tunables.theory.shared_port import calibrate_delay

RUNS = 3


def delays_of(table_1_users, table_1_port_rate_bps):
    """Return each class's delay in seconds that gives Table 1's time alone."""
    alone = [int(table_1_users)] * len(CLASSES)
    return calibrate_delay(alone, SIZE_BYTES, TRANSACTIONS, ALONE_S, table_1_port_rate_bps)


def simulate(
    seed,
    *,
    structure,
    users,
    max_packets,
    mtu_bytes,
    port_rate_bps,
    queueing_delay_s,
    extra_small_residual_s,
    small_residual_s,
    medium_residual_s,
    medium_excess_s,
    table_1_users,
    table_1_port_rate_bps,
):
    """Return the ten times of Table 2 as (mean, half-width) over three runs."""
    delays = delays_of(table_1_users, table_1_port_rate_bps)
    residuals = (extra_small_residual_s, small_residual_s, medium_residual_s)
    population = [int(users)] * len(CLASSES)
    ahead_bytes = int(max_packets) * (mtu_bytes - HEADER_BYTES)
    found = {}
    for column, discipline, ahead in (("without", "ps", 0.0), ("with", "dpp", ahead_bytes)):
        extra = latencies(
            structure, SIZE_BYTES, ahead, queueing_delay_s, residuals, medium_excess_s
        )
        delayed = [z + w for z, w in zip(delays, extra, strict=True)]
        work = (population, SIZE_BYTES, TRANSACTIONS, delayed, port_rate_bps, discipline)
        runs = [
            simulate_flows(*work, seed=each, priority_bytes=ahead)
            for each in range(RUNS * seed, RUNS * (seed + 1))
        ]
        for k, name in enumerate(CLASSES):
            found[f"{name}_{column}_s"] = confidence_interval([float(run[k]) for run in runs])
    return found
