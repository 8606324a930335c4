"""What more workers would do follows from what a few did: by the record, and by made-up ones."""

import json
import re

import pytest

from benchmarks.suite import FILE
from tunables.views.cluster import (
    LINK_BYTES_PER_S,
    WORKERS,
    growth_table,
    job_time_s,
    measured_table,
    saturation,
    saturation_text,
    shared_times_s,
)

RECORD = json.loads(FILE.read_text(encoding="utf-8"))["cluster"]


def job(**changes):
    """Return a job of 1,000 points: 8 s for the workers, 2 s for the scheduler, 1 s for others."""
    made = {
        "title": "Made up",
        "about": "by hand",
        "unit": "point",
        "units": 1000,
        "tasks": 10,
        "seconds": 4.0,
        "killed_seconds": 5.0,
        "disk_wait_s": 0.25,
        "cpu_s": {"scheduler": 2.0, "worker": 8.0, "client": 0.75},
        "sent_bytes": {"scheduler": 3000, "worker": 1500, "client": 500},
        "peak_mib": {"scheduler": 80.0, "worker": 180.4, "client": 170.0},
    }
    return made | changes


def test_each_shared_part_is_counted_and_the_busier_direction_of_the_link():
    scheduler, client, link = shared_times_s(job()).values()
    assert (scheduler, client) == pytest.approx((0.002, 0.001))
    assert link == pytest.approx(3 / LINK_BYTES_PER_S)
    received = {"scheduler": 3000, "worker": 2600, "client": 500}
    assert list(shared_times_s(job(sent_bytes=received)).values())[2] == pytest.approx(
        3.1 / LINK_BYTES_PER_S
    )


@pytest.mark.parametrize(
    ("changes", "part", "workers"),
    [
        ({}, "the scheduler's process", 4),
        ({"disk_wait_s": 3.25}, "the client's process", 2),
        (
            {"sent_bytes": {"scheduler": 4 * LINK_BYTES_PER_S, "worker": 0, "client": 0}},
            "the network link",
            2,
        ),
    ],
)
def test_the_part_that_takes_longest_saturates_first(changes, part, workers):
    assert saturation(job(**changes)) == (part, pytest.approx(workers))
    assert f"So {part} saturates first, at {workers}.00 workers." in saturation_text(
        {"jobs": [job(**changes)]}
    )


def test_workers_share_their_work_until_a_part_saturates():
    times_s = [job_time_s(job(), workers) for workers in (1, 2, 5, 10, 1000)]
    assert times_s == pytest.approx([8, 4, 2, 2, 2])


def test_no_job_takes_less_than_its_largest_part_in_whole_tasks():
    quick = job(cpu_s={"scheduler": 0.1, "worker": 8.0, "client": 0.1})
    times_s = [job_time_s(quick, workers) for workers in (3, 9, 10, 1000)]
    assert times_s == pytest.approx([3.2, 1.6, 0.8, 0.8])


def test_the_measured_job_is_shown_as_it_was():
    (row,) = measured_table({"workers": 4, "jobs": [job()]}).rows
    assert row == (
        "Made up (by hand)",
        "1,000 points",
        "4.00 s",
        "5.00 s",
        "4.00 ms",
        "5.00 bytes",
        "180 MiB (a worker)",
    )


def test_the_limit_is_named_for_as_many_workers_as_it_limits():
    rows = growth_table({"workers": 3, "jobs": [job()]}).rows
    assert [(row[1], row[2], row[3], row[5]) for row in rows] == [
        ("3", "3.20 s", "3.20 s", "the workers"),
        ("10", "800 ms", "2.00 s", "the scheduler's process"),
        ("1,000", "800 ms", "2.00 s", "the scheduler's process"),
    ]


def test_the_page_has_a_million_points_and_each_job_at_every_number_of_workers():
    assert len(growth_table(RECORD).rows) == len(RECORD["jobs"]) * (1 + len(WORKERS))
    points = [each["units"] for each in RECORD["jobs"] if each["unit"] == "point"]
    assert points
    assert min(points) >= 10**6
    told = re.findall(r"So (.+) saturates first, at", saturation_text(RECORD))
    assert told == [saturation(each)[0] for each in RECORD["jobs"]]
