"""The run behind chapter 2's map; runs in the page too."""

from tunables.chapters.time_outs.storm_simulation import checked
from tunables.chapters.time_outs.validity_experiment import experiment
from tunables.plain.arguments import run_seed

RUNS = 4
HORIZON_S = 200
LAST_S = 100  # the seconds that are measured


def run(seed, **settings) -> dict:
    """Return the attempts a second at the end of a run, which begins with an empty queue."""
    offered, _ = experiment(run_seed(seed), *checked(HORIZON_S, **settings), HORIZON_S, LAST_S)
    return {"offered_per_s": offered}
