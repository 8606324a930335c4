"""Chapter 2: retries do not come at random, so the queue tips over before the formula says so."""

from tunables.cases.storm import CASE
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.validity.map import Axis, ValidityMap

RUNS = 4
HORIZON_S = 200
LAST_S = 100  # the seconds that are measured


def simulate(seed, settings) -> list[float]:
    """Return the attempts a second at the end of each run, which begins with an empty queue."""
    return [
        float(
            simulate_retry_storm(
                settings["arrival_rate_per_s"],
                settings["service_rate_per_s"],
                settings["timeout_s"],
                int(settings["retries"]),
                outage_s=0.0,
                horizon_s=HORIZON_S,
                seed=each,
            )[0][-LAST_S:].mean()
        )
        for each in range(RUNS * seed, RUNS * (seed + 1))
    ]


MAP = ValidityMap(
    case=CASE,
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
    simulate=simulate,
    why="The formula lets retries come at random. In truth a retry comes one time-out later and "
    "meets the queue that made the first attempt late. One unlucky queue is enough, and the load "
    "that the formula calls healthy is stuck. On the edge chance decides: some runs tip within "
    "200 seconds and others do not: undecided.",
)
