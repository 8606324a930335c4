"""A sweep of 10^5 points on one worker and on two: how long, and how much memory.

python -m benchmarks.sweep    (about three minutes)

Each run is the command line, from its start to its end, with the files written. Memory is the
most that the run's processes had at once, each looked at ten times a second.
"""

import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

import psutil

GRID = ["--grid", "timeout_s=0.1:2:100", "--grid", "arrival_rate_per_s=10:60:1000"]
COMMAND = [sys.executable, "-m", "tunables", "sweep", "storm", *GRID]
RUNS = 3
LOOK_S = 0.1


def _memory_mib(process):
    """Return the memory that a process and its children use now."""
    try:
        family = [process, *process.children(recursive=True)]
        return [each.memory_info().rss / 2**20 for each in family]
    except psutil.NoSuchProcess:
        return [0.0]


def _run(folder, workers):
    """Return the seconds that a sweep takes, and the most memory of its processes and of one."""
    start_s, most, largest = time.perf_counter(), 0.0, 0.0
    with subprocess.Popen(
        [*COMMAND, "--workers", str(workers), "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        process = psutil.Process(run.pid)
        while run.poll() is None:
            memory = _memory_mib(process)
            most, largest = max(most, sum(memory)), max(largest, *memory)
            time.sleep(LOOK_S)
    assert run.returncode == 0
    return time.perf_counter() - start_s, most, largest


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their names."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def main():
    print(platform.platform(), platform.python_version())
    print(*(f"{name} {version(name)}" for name in ("dask", "pyarrow", "numpy")))
    taken: dict[int, list] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as scratch:
        for run in range(RUNS):
            for workers, each in taken.items():
                each.append(_run(Path(scratch) / f"{workers}-{run}", workers))
        folders = [contents(folder) for folder in Path(scratch).iterdir()]
        assert all(folder == folders[0] for folder in folders)
        size_mib = sum(map(len, folders[0].values())) / 2**20
    for workers, each in taken.items():
        seconds, memory, largest = (median(column) for column in zip(*each, strict=True))
        print(
            f"{workers} worker(s): {seconds:.1f} s, {memory:.0f} MiB in all its processes, "
            f"{largest:.0f} MiB in the largest"
        )
    one, two = (median(seconds for seconds, _, _ in taken[workers]) for workers in (1, 2))
    print(
        f"two workers are {one / two:.2f} times as fast; {size_mib:.1f} MiB written, all the same"
    )


if __name__ == "__main__":
    main()
