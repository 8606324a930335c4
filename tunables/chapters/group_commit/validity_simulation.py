"""The run behind chapter 1's map: the published experiment, shorter."""

from tunables.chapters.group_commit.simulation import run as simulate

RUNS = 4
BATCHES = 800


def run(seed, **settings) -> dict:
    """Return the mean response time in seconds of a short run of the experiment."""
    return {"response_s": simulate(seed, batches=BATCHES, **settings)["response_s"]}
