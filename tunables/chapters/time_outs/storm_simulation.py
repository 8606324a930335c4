"""Chapter 2's simulation of the storm: one queue, from rest and after an outage.

Runs in the page too.
"""

from tunables.chapters.time_outs.storm_experiment import experiment
from tunables.plain.arguments import number, run_seed, whole
from tunables.theory.retries import MOST_RETRIES

RUNS = 10
OUTAGE_S = 10.0  # longer than any time-out that the case allows
HORIZON_S = 600
LAST_S = 100  # the seconds that are measured
MOST_ATTEMPTS = 10**9  # that one run draws


def checked(horizon_s, arrival_rate_per_s, service_rate_per_s, timeout_s, retries) -> tuple:
    """Return the settings of the case as an experiment of so many seconds takes them.

    Raises ValueError for an arrival rate below 0, a service rate or time-out that is not above 0,
    retries that are not whole, and more than a billion attempts.
    """
    rate = number("arrival_rate_per_s", arrival_rate_per_s, at_least=0)
    retries = whole("retries", retries, at_most=MOST_RETRIES)
    horizon_s = number("horizon_s", horizon_s, above=0)
    number("attempts in a run", rate * horizon_s * (retries + 1), at_most=MOST_ATTEMPTS)
    return (
        rate,
        number("service_rate_per_s", service_rate_per_s, above=0),
        number("timeout_s", timeout_s, above=0),
        retries,
    )


def run(seed, **settings) -> dict:
    """Return the loads from rest and after an outage of 10 s; refuses what `checked` does."""
    offered, goodput, offered_after, goodput_after = experiment(
        run_seed(seed), *checked(HORIZON_S, **settings), OUTAGE_S, HORIZON_S, LAST_S
    )
    return {
        "offered_per_s": offered,
        "goodput_per_s": goodput,
        "offered_after_overload_per_s": offered_after,
        "goodput_after_overload_per_s": goodput_after,
    }
