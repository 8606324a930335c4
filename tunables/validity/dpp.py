"""Chapter 4: what becomes of the shared port when users who start together stay in step."""

from tunables.cases.dpp import CASE
from tunables.cases.dpp_simulation import delays_of
from tunables.predictors.dpp import (
    CLASSES,
    HEADER_BYTES,
    SIZE_BYTES,
    TRANSACTIONS,
    latencies,
)
from tunables.simulators.flows import simulate_flows
from tunables.validity.map import Axis, ValidityMap

USERS_SIMULATED = 48  # in all runs of a cell: few users make noisy runs
FEWEST_RUNS, MOST_RUNS = 3, 12
SHARE = 40  # one transaction in so many is carried out, and the time counted so many times
CLASS = "large_1"


def simulate(seed, settings, spread) -> list[float]:
    """Return the seconds that large 1 takes with DPP, from a shortened test of all classes."""
    ahead_bytes = int(settings["max_packets"]) * (settings["mtu_bytes"] - HEADER_BYTES)
    residuals = [settings[f"{name}_residual_s"] for name in CLASSES[:3]]
    extra = latencies(
        settings["structure"],
        SIZE_BYTES,
        ahead_bytes,
        settings["queueing_delay_s"],
        residuals,
        settings["medium_excess_s"],
    )
    delays = delays_of(settings["table_1_users"], settings["table_1_port_rate_gbps"])
    transactions = [round(count / SHARE) for count in TRANSACTIONS]
    k = CLASSES.index(CLASS)
    users = int(settings["users"])
    runs = min(max(USERS_SIMULATED // users, FEWEST_RUNS), MOST_RUNS)
    finished = [
        simulate_flows(
            [users] * len(CLASSES),
            SIZE_BYTES,
            transactions,
            [delay + more for delay, more in zip(delays, extra, strict=True)],
            1e9 * settings["port_rate_gbps"],
            "dpp",
            seed=each,
            priority_bytes=ahead_bytes,
            spread=spread,
        )[k]
        for each in range(MOST_RUNS * seed, MOST_RUNS * seed + runs)
    ]
    return [float(end_s) * TRANSACTIONS[k] / transactions[k] for end_s in finished]


MAP = ValidityMap(
    case=CASE,
    title="Large 1 with DPP, when the users' delays hardly vary",
    x=Axis(
        "users",
        "Users of each database",
        "the number of users",
        "",
        (1, 2, 4, 6, 8, 12, 16, 20, 30),
    ),
    y=Axis(
        "spread",
        "Spread of the delay between two transactions, to either side",
        "spread",
        "1",
        (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5),
        assumed=0.5,
    ),
    output=f"{CLASS}_with_s",
    simulate=simulate,
    why="The closed form holds for any spread of the delays if only users come to the port "
    "independently. Users who start together and always pause alike never come apart: they queue "
    "behind each other, then leave the port idle together. Where the port is nearly full that no "
    "longer matters, since somebody always waits.",
)
