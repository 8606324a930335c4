"""The kernels of chapter 1 that the page may call, with calls that reach them."""

from kernels.entry import KernelEntry
from tunables.chapters.group_commit.predictor import HYPOTHESES
from tunables.chapters.group_commit.simulation import commits, events, run
from tunables.simulators.batches import FLUSHERS, trace_batches


def _settings(rng):
    return {
        "hypothesis": str(rng.choice(HYPOTHESES)),
        "max_delay_s": float(rng.choice([0, 0.025, 2 * rng.random()])),
        "timeout_s": rng.random(),
        "retries": int(rng.integers(4)),
        "clients": int(rng.integers(1, 60)),
        "base_s": float(rng.choice([0, rng.random()])),
        "think_s": float(rng.choice([0, rng.random()])),
        "pool_threads": int(rng.integers(1, 30)),
        "commit_threads": int(rng.integers(1, 20)),
    }


def _run(rng, number):
    run(int(rng.integers(1000)), batches=max(number // 6, 1), **_settings(rng))


def _events(rng, number):
    events(int(rng.integers(1000)), batches=max(number // 6, 1), **_settings(rng))


def _commits(rng, number):
    commits(
        int(rng.integers(1000)),
        customers=int(rng.integers(1, 40)),
        flush_time_s=float(rng.choice([0.005, rng.random() + 1e-6])),
        max_delay_s=float(rng.choice([0, 0.001, rng.random()])),
        think_time_s=float(rng.choice([0, 0.005, rng.random()])),
        spread=float(rng.choice([0, rng.random()])),
        count=number,
    )


def _batches(rng, number):
    trace_batches(
        clients=int(rng.integers(1, 60)),
        batches=max(number // 6, 1),
        think_time_s=rng.random(),
        base_s=rng.random(),
        timeout_s=rng.random(),
        retries=int(rng.integers(4)),
        max_delay_s=2 * rng.random(),
        commits=int(rng.integers(4)),
        flusher=str(rng.choice(FLUSHERS)),
        lease_first=bool(rng.integers(2)),
        batch_threads=int(rng.integers(20)),
        commit_threads=int(rng.integers(20)),
        failure_probability=rng.random(),
        abort_probability=rng.random() / 2,
        long_transactions=int(rng.integers(2)),
        seed=int(rng.integers(100)),
        rows=int(rng.integers(2 * number)),
    )


ENTRIES = (
    KernelEntry("tunables.chapters.group_commit.simulation", "experiment", _run),
    KernelEntry("tunables.chapters.group_commit.simulation", "trace_batches", _events),
    KernelEntry("tunables.chapters.group_commit.simulation", "trace_commits", _commits),
    KernelEntry("tunables.simulators.batches", "batches_kernel", _batches),
)
