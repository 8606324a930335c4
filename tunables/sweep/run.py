"""Runs a sweep on Dask: local processes, or any cluster by its address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING

from tunables.plain.arguments import whole
from tunables.sweep.plan import Plan
from tunables.sweep.store import Store

if TYPE_CHECKING:
    from distributed import Client, Future

MOST_WORKERS = 64  # processes of a machine that has fewer processors
AHEAD = 2  # chunks that each worker has before it
_PATIENCE_S = 10  # for a scheduler to answer, and for a worker to come

Told = Callable[[int, int], None]


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    """Processes of this machine, which none but it can reach."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs="ERROR",
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _remote(address: str) -> Iterator[Client]:
    from distributed import Client

    try:
        client = Client(address, timeout=_PATIENCE_S)
    except (OSError, ValueError) as error:
        raise ValueError(f"scheduler = {address!r}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_S)
        except TimeoutError:
            raise ValueError(f"scheduler = {address!r}: has no worker") from None
        yield client


def connected(workers: int, scheduler: str | None = None) -> AbstractContextManager[Client]:
    """Return the context of a client of so many local processes, or of a scheduler's workers.

    Raises ValueError, on entering, for a scheduler that does not answer or has no worker.
    """
    return _remote(scheduler) if scheduler else _local(workers)


def _computed(client: Client, store: Store, chunks: list[int]) -> Iterator[int]:
    """Yield each chunk once it is written; no more are under way than workers need."""
    from distributed import KilledWorker, as_completed

    from tunables.sweep.rows import chunk_bytes

    todo = iter(chunks)
    threads = sum(client.nthreads().values())

    def started(count: int) -> list[Future]:
        return [
            client.submit(chunk_bytes, store.text, chunk, key=f"chunk-{id(store)}-{chunk}")
            for chunk in islice(todo, count)
        ]

    running = as_completed(started(AHEAD * threads))
    for future in running:
        chunk = int(future.key.rpartition("-")[2])
        try:
            store.keep(chunk, future.result())
        except KilledWorker as error:
            raise ValueError(f"chunk {chunk}: {error}") from None
        future.release()
        running.update(started(1))
        yield chunk


def _check_installed() -> None:
    try:
        import distributed  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"sweep: {error}; install it with: pip install -r requirements-sweep.txt"
        ) from None


def run_sweep(
    plan: Plan,
    folder: str | Path,
    scheduler: str | None = None,
    workers: int | None = None,
    told: Told | None = None,
) -> int:
    """Compute what a folder lacks of a sweep, and return how many chunks that were.

    scheduler: the address of a Dask scheduler whose workers have this book; without it, so many
    workers are processes of this machine, by default one a processor. told(chunks done, all) is
    called as each is written. The files are the same bytes whoever computes them; whoever is
    stopped may go on where it was. At any time 2 chunks a worker are in memory.
    Raises ValueError for a folder of something else, or a scheduler that does not answer.
    """
    _check_installed()
    processors = cpu_count() or 1
    most = max(MOST_WORKERS, processors)
    count = whole("workers", workers if workers is not None else processors, 1, most)
    store = Store(folder, plan)
    missing = store.missing()
    if not missing:
        return 0
    with connected(min(count, len(missing)), scheduler) as client:
        for n, _ in enumerate(_computed(client, store, missing), 1):
            if told:
                told(plan.chunks - len(missing) + n, plan.chunks)
    return len(missing)
