"""A trace of 10^9 requests in Parquet: sampled curves, their errors, time and memory.

python -m benchmarks.large_trace [REQUESTS]    (10^9: about ten minutes, and 3 GiB of disk)

The trace is written and read in row groups of 10^7. The exact curve is that of its first 10^8
requests, which fit in memory; the sampled ones beside it are of the same requests.
"""

import platform
import resource
import sys
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tunables.simulators.caches import miss_ratio_curve, zipf_trace
from tunables.simulators.shards import sample_trace, sampled_miss_ratios
from tunables.sweep.run import connect
from tunables.sweep.traces import row_groups, sample_on

OBJECTS, SKEW, GROUP = 10_000_000, 0.8, 10_000_000
IN_MEMORY = 100_000_000
CAPACITIES = np.geomspace(1000, OBJECTS, 30).astype(int)
RATES = (0.1, 0.01, 0.001)
SEEDS = 5


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def write_trace(path, requests, rows=GROUP):
    """Write a trace as Parquet, in row groups of that many rows."""
    schema = pa.schema([("id", pa.int64())])
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        for group in range(requests // GROUP):
            ids = zipf_trace(OBJECTS, GROUP, SKEW, seed=group)
            file.write_table(pa.table({"id": ids}, schema), row_group_size=rows)


def _time(what, function, *arguments):
    start = perf_counter()
    found = function(*arguments)
    seconds = perf_counter() - start
    print(f"{what:<52}{seconds:8.1f} s, at most {_peak_mib():8,.0f} MiB", flush=True)
    return found


def _sample(path, groups, rate, seed=0):
    sample = sample_trace(islice(row_groups(path, "id"), groups), rate, seed)
    return sampled_miss_ratios(sample, CAPACITIES, rate)


def _on_two_workers(path, rate):
    with connect(2) as client:
        sample = sample_on(client, path, "id", rate)
    return sampled_miss_ratios(sample, CAPACITIES, rate)


def _exact(path, groups):
    trace = np.concatenate(list(islice(row_groups(path, "id"), groups)))
    curve = miss_ratio_curve(trace)
    return curve[np.minimum(CAPACITIES, len(curve) - 1)]


def main(requests: int = 1_000_000_000) -> None:
    print(platform.platform(), platform.python_version(), "pyarrow", pa.__version__)
    groups = min(requests, IN_MEMORY) // GROUP
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.parquet"
        _time(f"{requests:,} requests written", write_trace, path, requests)
        print(f"{path.stat().st_size / 2**30:.2f} GiB")
        here = _time(f"all, rate {RATES[-1]}", _sample, path, None, RATES[-1])
        there = _time(f"all, rate {RATES[-1]}, two workers", _on_two_workers, path, RATES[-1])
        assert (here == there).all()
        curves = {
            rate: [
                _time(
                    f"first {groups * GROUP:,}, rate {rate}",
                    _sample,
                    path,
                    groups,
                    rate,
                    seed,
                )
                for seed in range(SEEDS)
            ]
            for rate in reversed(RATES)
        }
        exact = _time(f"first {groups * GROUP:,}, exact", _exact, path, groups)
    print(f"\nerrors of the miss ratio at {len(CAPACITIES)} capacities, {SEEDS} seeds")
    for rate in RATES:
        errors = np.abs(np.array(curves[rate]) - exact)
        print(f"rate {rate:<6} mean {errors.mean():.5f}, largest {errors.max():.5f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
