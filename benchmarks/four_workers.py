"""A sweep and a sampled trace on a Dask scheduler with four workers, one of them killed on the way.

python -m benchmarks.four_workers    (about five minutes; it writes its part of measured.json)

The scheduler, the workers and the client are six processes of this machine, connected by its
loopback interface. Each job runs twice on the same cluster: undisturbed, then with a worker killed
half-way. Both must give the same result.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, NamedTuple

from distributed import Client

from benchmarks.counted import Used, dask_setup, used
from benchmarks.large_trace import write_trace
from benchmarks.machine import machine
from benchmarks.sweep import contents
from tunables.core.registry import find_case
from tunables.sweep.plan import Plan, parse_axis
from tunables.sweep.run import connect, run_sweep
from tunables.sweep.store import Store
from tunables.sweep.traces import sample_on

FILE = Path(__file__).with_name("measured.json")
WORKERS = 4
CASE, GRID = "rrd", ("graphs=1000:200000:1000", "bytes_per_graph=20000:400000:1000")
FEW = ("graphs=1000:200000:100", "bytes_per_graph=20000:400000:100")
CHUNKS = (512, 8192)  # points per file: as many as a sweep has by itself, and more
REQUESTS, ROWS, RATE = 100_000_000, 1_000_000, 0.01
FEW_REQUESTS = 10_000_000
_PATIENCE_S = 60


class Cluster(NamedTuple):
    """A scheduler's address, a client that only watches, and the workers' processes."""

    address: str
    client: Client
    workers: list[subprocess.Popen]

    def used(self) -> dict[str, list[Used]]:
        """Return what each process has used so far, by its role."""
        return {
            "scheduler": [Used(*self.client.run_on_scheduler(used))],
            "worker": [Used(*each) for each in self.client.run(used).values()],
            "client": [used()],
        }


def _start(program: str, *options: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", program, *options, "--preload", "benchmarks.counted"],
        cwd=FILE.parents[1],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _end(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()


def _wait_for(file: Path) -> None:
    limit_s = time.monotonic() + _PATIENCE_S
    while not (file.exists() and file.read_text(encoding="utf-8")):
        if time.monotonic() > limit_s:
            raise TimeoutError(f"the scheduler wrote no {file.name} in {_PATIENCE_S} s")
        time.sleep(0.05)


@contextmanager
def _cluster() -> Iterator[Cluster]:
    """Yield a cluster of this machine, of which nothing is left afterwards."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        file = folder / "scheduler.json"
        own = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
        scheduler = _start("distributed.cli.dask_scheduler", "--port", "0", *own)
        stack.callback(_end, scheduler)
        _wait_for(file)
        alone = [*own, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]
        workers = [_start("distributed.cli.dask_worker", *alone) for _ in range(WORKERS)]
        for worker in workers:
            stack.callback(_end, worker)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        client = stack.enter_context(Client(address, timeout=_PATIENCE_S))
        client.wait_for_workers(WORKERS, timeout=_PATIENCE_S)
        yield Cluster(address, client, workers)


def _seconds(call, *arguments) -> tuple[float, Any]:
    start_s = time.perf_counter()
    found = call(*arguments)
    return time.perf_counter() - start_s, found


def _check_loss(cluster: Cluster, killed: subprocess.Popen) -> None:
    """Raise unless that worker is dead and the scheduler has only the others."""
    left = len(cluster.client.scheduler_info(n_workers=-1)["workers"])
    if killed.poll() is None or left != WORKERS - 1:
        raise RuntimeError(f"{left} workers were left; {WORKERS - 1} should have been")


def _record(before, after, seconds, killed_seconds, **about) -> dict:
    """Return a job's record: what each role used in its undisturbed run."""

    def spent(role, what):
        return sum(getattr(each, what) for each in after[role]) - sum(
            getattr(each, what) for each in before[role]
        )

    return about | {
        "seconds": seconds,
        "killed_seconds": killed_seconds,
        "cpu_s": {role: spent(role, "cpu_s") for role in after},
        "sent_bytes": {role: spent(role, "sent_bytes") for role in after},
        "peak_mib": {role: max(each.peak_mib for each in after[role]) for role in after},
    }


def _plan(grid, chunk: int) -> Plan:
    case = find_case(CASE)
    return Plan(CASE, tuple(parse_axis(case, axis) for axis in grid), chunk=chunk)


def _disk_wait_s(plan: Plan, files: dict[str, bytes], folder: Path) -> float:
    """Return how long a client that writes these files waits for its disk."""
    store, start_s, cpu_s = Store(folder, plan), time.perf_counter(), time.process_time()
    for chunk in range(plan.chunks):
        store.keep(chunk, files[store.name(chunk)])
    return time.perf_counter() - start_s - (time.process_time() - cpu_s)


def _sweep(chunk: int, scratch: Path) -> dict:
    plan = _plan(GRID, chunk)
    with _cluster() as cluster:

        def sweep(name, plan, report=None):
            run_sweep(plan, scratch / name, scheduler=cluster.address, report=report)

        def kill(done, count):
            if done == count // 2:
                cluster.workers[0].kill()

        sweep("few", _plan(FEW, chunk=64))  # imports all that a worker needs
        before = cluster.used()
        seconds, _ = _seconds(sweep, "undisturbed", plan)
        after = cluster.used()
        killed_seconds, _ = _seconds(sweep, "killed", plan, kill)
        _check_loss(cluster, cluster.workers[0])
    files = contents(scratch / "undisturbed")
    if len(files) != plan.chunks + 1 or files != contents(scratch / "killed"):
        raise RuntimeError("the sweep with a killed worker has other files")
    about = {"title": f"Sweep, {chunk:,} points per file", "about": f"case {CASE}", "unit": "point"}
    wait = {"disk_wait_s": _disk_wait_s(plan, files, scratch / "again")}
    numbers = {"units": plan.points, "tasks": plan.chunks}
    return _record(before, after, seconds, killed_seconds, **about, **numbers, **wait)


def _sample(scratch: Path) -> dict:
    trace, few = scratch / "trace.parquet", scratch / "few.parquet"
    # in another process, since drawing a trace takes more memory than sampling it
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
        other.submit(write_trace, few, FEW_REQUESTS, ROWS).result()
        other.submit(write_trace, trace, REQUESTS, ROWS).result()
    with _cluster() as cluster:

        def sample(path):
            with connect(WORKERS, cluster.address) as client:
                return sample_on(client, path, "id", RATE)

        sample(few)
        before = cluster.used()
        seconds, undisturbed = _seconds(sample, trace)
        after = cluster.used()
        timer = Timer(seconds / 2, cluster.workers[0].kill)
        timer.start()
        killed_seconds, killed = _seconds(sample, trace)
        timer.cancel()  # the check fails if it was still to come
        _check_loss(cluster, cluster.workers[0])
    same = (undisturbed.ids == killed.ids).all() and undisturbed.requests == killed.requests
    if undisturbed.requests != REQUESTS or not same:
        raise RuntimeError("the sample with a killed worker is another one")
    about = {"title": "Sampled trace", "about": f"rate {RATE}", "unit": "request"}
    numbers = {"units": REQUESTS, "tasks": REQUESTS // ROWS, "disk_wait_s": 0.0}
    return _record(before, after, seconds, killed_seconds, **about, **numbers)


def measure() -> dict:
    """Return the record of both jobs; raises RuntimeError if a killed worker changed a result."""
    dask_setup()
    packages = {name: version(name) for name in ("dask", "distributed", "pyarrow")}
    measured: list[Callable[[Path], dict]] = [partial(_sweep, chunk) for chunk in CHUNKS]
    jobs = []
    for job in (*measured, _sample):
        with TemporaryDirectory() as scratch:
            jobs.append(job(Path(scratch)))
            print(json.dumps(jobs[-1], indent=1), flush=True)
    return {"machine": machine() | packages, "workers": WORKERS, "jobs": jobs}


def main() -> None:
    """Measure, and write the result into measured.json beside the races."""
    record = measure()
    told = json.loads(FILE.read_text(encoding="utf-8")) | {"cluster": record}
    FILE.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
