"""Chapter 1: the caps are exact; the flusher that waits for company is an approximation."""

from functools import cache

from tunables.chapters.group_commit.calibration import row_settings
from tunables.chapters.group_commit.case import case
from tunables.chapters.group_commit.validity_simulation import RUNS, run
from tunables.parts.replication import Simulation
from tunables.parts.validity import Axis, ValidityMap


@cache
def validity() -> ValidityMap:
    """Return the map of clients and delay."""
    advised = row_settings("both")
    return ValidityMap(
        case=case(),
        title="An adaptive flusher, with slow batches and the advised lease query",
        x=Axis(
            "clients",
            "Concurrent calls N",
            "N",
            "",
            (1, 2, 3, 4, 6, 8, 12, 16, 25, 35, 50, 100),
        ),
        y=Axis(
            "max_delay_s",
            "Maximum flush delay D",
            "D",
            "s",
            (0.03, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.2, 2.0, 3.0),
        ),
        output="response_s",
        settings={
            "hypothesis": "ideal adaptive flusher",
            "base_s": 0.3,
            "timeout_s": advised["timeout_s"],
            "retries": advised["retries"],
        },
        simulation=Simulation(run, RUNS),
        why="One cap and two caps are exact, so the map shows the flusher that waits for company. "
        "Its closed form keeps all clients in step. A client that has fallen behind is in its "
        "lease query while the others wait for it. A cap a little shorter than that query runs out "
        "in vain, time after time; a longer one brings them together again.",
    )
