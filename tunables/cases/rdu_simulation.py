"""Chapter 1's published experiment under each hypothesis, event by event."""

from tunables.cases.case import Interval
from tunables.evidence.published import published
from tunables.simulators.batches import simulate_batches
from tunables.simulators.interval import confidence_interval

RUNS = 20

_batches = int(published("rdu-batch-tuning")["batches"].value)
# What each hypothesis is in the simulation; one with threads also takes their number.
_RULES: dict[str, dict] = {
    "one cap": {"commits": 1},
    "two caps": {"commits": 2},
    "thread pool": {"commits": 0},
    "commit stage": {"commits": 1},
    "ideal adaptive flusher": {"commits": 2, "flusher": "adaptive"},
    "adaptive flusher with a stuck transaction": {
        "commits": 2,
        "flusher": "adaptive",
        "long_transactions": 1,
    },
}


def simulate(
    seed, *, hypothesis, max_delay_s, timeout_s, retries, clients, base_s, think_s,
    pool_threads, commit_threads,
) -> dict[str, Interval]:  # fmt: skip
    """Return each output of `predict` as (mean, half-width) from 20 runs of the experiment.

    A run is the document's: 3000 batches, all clients start at once, and the throughput is
    counted over the whole run, its end included.
    """
    runs = [
        simulate_batches(
            clients=clients,
            batches=_batches,
            think_time_s=think_s,
            base_s=base_s,
            timeout_s=timeout_s,
            retries=retries,
            max_delay_s=max_delay_s,
            batch_threads=pool_threads if hypothesis == "thread pool" else 0,
            commit_threads=commit_threads if hypothesis == "commit stage" else 0,
            seed=each,
            **_RULES[hypothesis],
        )
        for each in range(RUNS * seed, RUNS * (seed + 1))
    ]
    throughputs, responses_s = zip(*runs, strict=True)
    return {
        "throughput_per_s": confidence_interval(throughputs),
        "response_s": confidence_interval(responses_s),
    }
