"""On a busy machine a lab says so and offers its cells again; its text is not contradicted."""

import json
import re

import pytest

from tests.chapters.notebooks import ROOT
from tests.labs.made_up import busy, run_cells  # noqa: F401
from tunables.lab import logical_replication
from tunables.lab.postgres_server import NotInstalled

# What each lab names when every measurement of it misses its law.
NAMED = {
    "01": ("commits per flush at D = 25 ms", "throughput at D = 25 ms", "per flush without a delay",
           "per flush, with 5 ms or more", "the gain from a delay of 1 ms"),
    "02": ("row 1: measured response", "fourth cell: measured response",
           "pool of 25: measured response", "throughput, measured divided by predicted"),
    "04": ("FIFO: time of 18 KB", "K = 20: time of 128 KB", "K = 5: time of 18 KB",
           "time of 18 KB with busy users"),
    "05": ("the proxy's rate", "raw at 100 ms", "the gain of zlib at 160 ms, executemany",
           "PostgreSQL at 160 ms", "rate of 1000 rows per statement"),
    "06": ("lateness with 50 ms divided by that with 10 ms",
           "slices waited, 10 ms", "slices that call_soon adds"),
    "08": ("asked once: slow requests", "asked again: slow requests"),
}  # fmt: skip
SAYS = "This machine was busy: other programs took 1.5 of its 2 processors, and so "


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("lab", NAMED)
def test_a_missed_law_is_told_with_what_was_seen_and_the_cells_offered_again(lab, capsys):
    run_cells(lab)
    printed = capsys.readouterr().out
    sentences = [line for line in printed.splitlines() if line.startswith(SAYS)]
    for what in NAMED[lab]:
        assert any(what in sentence for sentence in sentences), what
    quieter = r" Run .+ again when the machine is quieter\.$"
    assert all(re.search(quieter, each) for each in sentences)


@pytest.mark.usefixtures("busy")
def test_lab_5_without_postgresql_says_what_is_left_of_it(monkeypatch, capsys):
    def missing(*_):
        raise NotInstalled("PostgreSQL is not installed here.")

    monkeypatch.setattr(logical_replication, "sweep", missing)
    run_cells("05")
    printed = capsys.readouterr().out
    _, _, after = printed.partition("PostgreSQL is not installed here.\n")
    assert after.startswith("The rest of the lab, above and in the exercises below, needs no")
    assert not [word for word in ("RTT", "Rows", "runs of PostgreSQL") if word in after]


def test_the_measurements_that_are_shown_were_not_made_on_a_busy_machine():
    for path in sorted((ROOT / "labs").glob("*.ipynb")):
        outputs = [
            output
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            for output in cell.get("outputs", [])
        ]
        assert "This machine was" not in json.dumps(outputs), path.name
