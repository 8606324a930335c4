"""A sweep and a sampled trace on a Dask cluster, as measured, and what more workers would do.

The record is the "cluster" of `benchmarks/measured.json`; `benchmarks/four_workers.py` writes it.

Every unit of a job (a point or a request) costs each part of the cluster some time. The workers
share that time among themselves; the scheduler's process, the client's process and the scheduler's
network link exist once each. So n workers pass min(n/w, 1/s) units per second, where w is a
worker's time per unit and s is the longest time per unit of the parts that exist once. No job takes
less than one task does.
"""

import math

from tunables.page.formats import to_three_digits, with_commas
from tunables.views.tables import Table

LINK_BYTES_PER_S = 1.25e9  # 10 Gb/s
WORKERS = (10, 1000)
_SCHEDULER, _CLIENT, _LINK = "the scheduler's process", "the client's process", "the network link"
_THE_WORKERS = "the workers"
_NAMES = {"scheduler": "the scheduler", "worker": "a worker", "client": "the client"}
_PREFIXES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def _time(seconds: float) -> str:
    """Return a time with three digits, in the unit that suits it.

    >>> _time(73.21), _time(0.0000314), _time(2.51e-8)
    ('73.2 s', '31.4 µs', '25.1 ns')
    """
    size, unit = next((each for each in _PREFIXES if seconds >= each[0]), _PREFIXES[-1])
    return f"{to_three_digits(seconds / size)} {unit}"


def _count(value: float) -> str:
    """Return a count with three digits.

    >>> _count(4567.8), _count(23.44)
    ('4,570', '23.4')
    """
    return to_three_digits(float(f"{value:.3g}"))


def shared_times_s(job: dict) -> dict[str, float]:
    """Return the seconds per unit that each part costs of which a cluster has one.

    The client also waits for its disk. The link carries both directions at once, so the busier
    one counts.
    """
    cpu_s, sent = job["cpu_s"], job["sent_bytes"]
    busier = max(sent["scheduler"], sent["worker"] + sent["client"])
    times_s = {
        _SCHEDULER: cpu_s["scheduler"],
        _CLIENT: cpu_s["client"] + job["disk_wait_s"],
        _LINK: busier / LINK_BYTES_PER_S,
    }
    return {part: time_s / job["units"] for part, time_s in times_s.items()}


def saturation(job: dict) -> tuple[str, float]:
    """Return the part that saturates first as workers are added, and with how many of them."""
    times_s = shared_times_s(job)
    part = max(times_s, key=lambda each: times_s[each])
    return part, job["cpu_s"]["worker"] / job["units"] / times_s[part]


def workers_time_s(job: dict, workers: int) -> float:
    """Return how long the workers need, each with a processor of its own and whole tasks."""
    return math.ceil(job["tasks"] / workers) * job["cpu_s"]["worker"] / job["tasks"]


def job_time_s(job: dict, workers: int) -> float:
    """Return how long the whole job takes that many workers."""
    return max(workers_time_s(job, workers), job["units"] * max(shared_times_s(job).values()))


def measured_table(record: dict) -> Table:
    """Return each job as it was measured."""
    rows = []
    for job in record["jobs"]:
        role, peak_mib = max(job["peak_mib"].items(), key=lambda each: each[1])
        rows.append(
            (
                f"{job['title']} ({job['about']})",
                f"{with_commas(job['units'])} {job['unit']}s",
                _time(job["seconds"]),
                _time(job["killed_seconds"]),
                _time(job["seconds"] / job["units"]),
                f"{to_three_digits(sum(job['sent_bytes'].values()) / job['units'])} bytes",
                f"{with_commas(peak_mib)} MiB ({_NAMES[role]})",
            )
        )
    columns = (
        "Job",
        "Size",
        "Undisturbed",
        "With a worker killed",
        "Time per point or request",
        "Network traffic per point or request",
        "Largest process",
    )
    return Table(f"Measured with {record['workers']} workers", columns, tuple(rows))


def growth_table(record: dict) -> Table:
    """Return for each job how long it would take more workers, and what limits it then."""
    rows = []
    for job in record["jobs"]:
        part, _ = saturation(job)
        for workers in (record["workers"], *WORKERS):
            alone_s, time_s = workers_time_s(job, workers), job_time_s(job, workers)
            limit = part if time_s > alone_s else _THE_WORKERS
            rows.append(
                (
                    job["title"],
                    with_commas(workers),
                    _time(alone_s),
                    _time(time_s),
                    f"{_count(job['units'] / time_s)} {job['unit']}s",
                    limit,
                )
            )
    columns = (
        "Job",
        "Workers",
        "Time, workers alone",
        "Time, whole cluster",
        "Per second",
        "What limits it",
    )
    return Table("Computed for more workers, with one processor each", columns, tuple(rows))


def _job_text(job: dict) -> str:
    part, most = saturation(job)
    tasks = job["tasks"]
    parts = [
        f"{each} {_time(time_s * job['units'] / tasks)}"
        for each, time_s in shared_times_s(job).items()
    ]
    return (
        f"**{job['title']}.** A task has {with_commas(job['units'] / tasks)} {job['unit']}s on "
        f"average. It takes a worker {_time(job['cpu_s']['worker'] / tasks)}, {parts[0]}, "
        f"{parts[1]} and {parts[2]}. So {part} saturates first, at {_count(most)} workers."
    )


def saturation_text(record: dict) -> str:
    """Return, in Markdown, what each job's task costs each part, and what saturates first."""
    link = f"The network link is assumed to carry {_count(LINK_BYTES_PER_S * 8 / 1e9)} Gb/s."
    return "\n\n".join([link, *map(_job_text, record["jobs"])])
