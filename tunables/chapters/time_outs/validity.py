"""Chapter 2: retries do not come at random, so the queue tips over before the formula says so."""

from functools import cache

from tunables.chapters.time_outs.storm_case import case
from tunables.chapters.time_outs.validity_simulation import RUNS, run
from tunables.parts.replication import Simulation
from tunables.parts.validity import Axis, ValidityMap


@cache
def validity() -> ValidityMap:
    """Return the map of new requests and time-out."""
    return ValidityMap(
        case=case(),
        title="Attempts a second from rest, in the second 100 seconds",
        x=Axis(
            "arrival_rate_per_s",
            "New requests",
            "the rate of new requests",
            "1/s",
            (20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100),
        ),
        y=Axis(
            "timeout_s",
            "Time-out of one attempt",
            "the time-out",
            "s",
            (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0),
        ),
        output="offered_per_s",
        simulation=Simulation(run, RUNS),
        why="The formula lets retries come at random. In truth a retry comes one time-out later "
        "and meets the queue that made the first attempt late. One unlucky queue is enough, and "
        "the load that the formula calls healthy is stuck. On the edge chance decides: some runs "
        "tip within 200 seconds and others do not: undecided.",
    )
