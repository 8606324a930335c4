"""Chapter 1's published experiment under each hypothesis, event by event; runs in the page too."""

from tunables.chapters.group_commit.experiment import experiment
from tunables.plain.arguments import choice, number, run_seed, whole
from tunables.theory.closed_network import MOST_CUSTOMERS
from tunables.theory.retries import MOST_RETRIES

RUNS = 20
BATCHES = 3000  # as in the document
MOST_BATCHES = 1_000_000

# Commits a batch, whether the flusher adapts, and how many transactions never reach it.
_STORIES = {
    "one cap": (1, False, 0),
    "two caps": (2, False, 0),
    "thread pool": (0, False, 0),
    "commit stage": (1, False, 0),
    "ideal adaptive flusher": (2, True, 0),
    "adaptive flusher with a stuck transaction": (2, True, 1),
}


def checked(
    hypothesis, max_delay_s, timeout_s, retries, clients, base_s, think_s, pool_threads,
    commit_threads,
):  # fmt: skip
    """Return the settings as the experiment takes them; refuse what `predict` refuses."""
    n = whole("clients", clients, at_least=1, at_most=MOST_CUSTOMERS)
    pool = whole("pool_threads", pool_threads, at_least=1)
    stage = whole("commit_threads", commit_threads, at_least=1)
    return _STORIES[choice("hypothesis", hypothesis, list(_STORIES))] + (
        n,
        number("max_delay_s", max_delay_s, at_least=0),
        number("timeout_s", timeout_s, at_least=0),
        whole("retries", retries, at_most=MOST_RETRIES),
        number("base_s", base_s, at_least=0),
        number("think_s", think_s, at_least=0),
        min(pool, n) if hypothesis == "thread pool" else n,
        min(stage, n) if hypothesis == "commit stage" else n,
    )


def run(seed, *, batches=BATCHES, **settings) -> dict:
    """Return each output of `predict` from one run of the experiment.

    It is the document's: 3000 batches, all clients start at once, and the throughput is
    counted over the whole run, its end included.
    Raises ValueError for settings that `predict` refuses, and times that are all 0.
    """
    batches = whole("batches", batches, at_least=1, at_most=MOST_BATCHES)
    makespan_s, response_s = experiment(run_seed(seed), batches, *checked(**settings))
    makespan_s = number("time of all batches", makespan_s, above=0)
    return {"throughput_per_s": batches / makespan_s, "response_s": response_s}
