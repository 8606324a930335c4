"""Chapter 4: what becomes of the shared port when users who start together stay in step."""

from functools import cache

from tunables.chapters.flow_priority.case import case
from tunables.chapters.flow_priority.validity_simulation import (
    CLASS,
    MOST_RUNS,
    run,
    runs_needed,
)
from tunables.parts.replication import Simulation
from tunables.parts.validity import Axis, ValidityMap


@cache
def validity() -> ValidityMap:
    """Return the map of users and the spread of their delays."""
    return ValidityMap(
        case=case(),
        title="Large 1 with DPP, when the users' delays hardly vary",
        x=Axis(
            "users",
            "Users of each database",
            "the number of users",
            "",
            (1, 2, 4, 6, 8, 12, 16, 20, 30),
        ),
        y=Axis(
            "spread",
            "Spread of the delay between two transactions, to either side",
            "spread",
            "1",
            (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5),
            assumed=0.5,
        ),
        output=f"{CLASS}_with_s",
        simulation=Simulation(run, MOST_RUNS, runs_needed),
        why="The closed form holds for any spread of the delays if only users come to the port "
        "independently. Users who start together and always pause alike never come apart: they "
        "queue behind each other, then leave the port idle together. Where the port is nearly full "
        "that no longer matters, since somebody always waits.",
    )
