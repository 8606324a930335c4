"""Runs a sweep on Dask: local processes, or any cluster by its address."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import islice
from multiprocessing import active_children, resource_tracker
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tunables.base.arguments import integer
from tunables.interrupts import interrupts_raised
from tunables.sweep.plan import Plan
from tunables.sweep.store import Store, chunk_bytes

if TYPE_CHECKING:
    from distributed import Client, Future

MOST_WORKERS = 64  # processes of a machine that has fewer processors
AHEAD = 2  # chunks that each worker has before it
_PATIENCE_S = 10  # for a scheduler to answer, and for a worker to come

ProgressCallback = Callable[[int, int], None]


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back until the block ends; processes started in the block never receive it.

    A terminal sends it to all processes of a command. Threads and processes inherit what is
    blocked, so workers do not answer with their own tracebacks: their parent ends them.
    Another thread of this process may still take the signal, and Python hands it to the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread
        return
    resource_tracker.ensure_running()  # it lets Ctrl-C through as it starts
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    blocks = hasattr(signal, "pthread_sigmask")  # Windows does not
    mask = set(signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])) if blocks else set()
    try:
        yield
    finally:
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    """Processes of this machine, which no other machine can reach.

    Dask's scheduler asks for no password. While the sweep runs, another user of this machine who
    finds its port on 127.0.0.1 can have it run Python.
    """
    import dask
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="tunables-sweep-"))
        stack.callback(_wait_for_workers)  # they tidy the folder up themselves
        stack.enter_context(dask.config.set({"temporary-directory": folder}))
        with _interrupts_held_back():
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # any free port: two sweeps may run side by side
                silence_logs="CRITICAL",  # a heartbeat that meets a closing scheduler is an ERROR
                local_directory=folder,
            )
            stack.callback(_close_quietly, cluster)
            client = Client(cluster)
            stack.callback(_close_quietly, client)
        yield client


def _wait_for_workers() -> None:
    for process in active_children():
        process.join(_PATIENCE_S)


def _close_quietly(started) -> None:
    """Close a cluster or a client, whole even if Ctrl-C is pressed again, and in silence."""
    with _interrupts_held_back():
        logging.disable()
        try:
            started.close()
        finally:
            logging.disable(logging.NOTSET)


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
            raise ValueError(f"scheduler = {address!r}: has no workers: start one") from None
        yield client


def connect(workers: int, scheduler: str | None = None) -> AbstractContextManager[Client]:
    """Return the context of a client of `workers` local processes, or of a scheduler's workers.

    Raises ValueError, on entering, for a scheduler that does not answer or has no worker.
    """
    return _remote(scheduler) if scheduler else _local(workers)


def _compute(client: Client, store: Store, chunks: list[int]) -> Iterator[int]:
    """Yield each chunk once it is written; no more are in progress than workers need."""
    from distributed import KilledWorker, as_completed

    todo = iter(chunks)
    threads = sum(client.nthreads().values())

    def start(count: int) -> list[Future]:
        return [
            client.submit(chunk_bytes, store.text, chunk, key=f"chunk-{id(store)}-{chunk}")
            for chunk in islice(todo, count)
        ]

    running = as_completed(start(AHEAD * threads))
    for future in running:
        chunk = int(future.key.rpartition("-")[2])
        try:
            store.keep(chunk, future.result())
        except KilledWorker as error:
            raise ValueError(f"chunk {chunk}: {error}") from None
        future.release()
        running.update(start(1))
        yield chunk


def _check_installed() -> None:
    try:
        import distributed  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f'sweep: {error}; install this package\'s extra "sweep": pip install dask '
            "distributed pyarrow (in a clone of the book: pip install -r requirements-sweep.txt)"
        ) from None


def run_sweep(
    plan: Plan,
    folder: str | Path,
    scheduler: str | None = None,
    workers: int | None = None,
    report: ProgressCallback | None = None,
) -> int:
    """Compute what a folder lacks of a sweep, and return how many chunks that were.

    scheduler: the address of a Dask scheduler whose workers have this book; without it,
    `workers` processes of this machine, by default one per processor. report(chunks done, all) is
    called as each chunk is written. The files are the same bytes wherever they are computed; a
    stopped sweep may go on where it was. At any time 2 chunks per worker are in memory.
    Raises ValueError for a folder of something else, or a scheduler that does not answer.
    """
    _check_installed()
    processors = cpu_count() or 1
    most = max(MOST_WORKERS, processors)
    count = integer("workers", workers if workers is not None else processors, 1, most)
    store = Store(folder, plan)
    missing = store.missing()
    if not missing:
        return 0
    with interrupts_raised(), connect(min(count, len(missing)), scheduler) as client:
        for n, _ in enumerate(_compute(client, store, missing), 1):
            if report:
                report(plan.chunks - len(missing) + n, plan.chunks)
    return len(missing)
