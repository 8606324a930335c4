"""Chapter 5: the loss laws of TCP take losses as evenly spaced; the network does not."""

from functools import cache

from tunables.chapters.replication.case import case
from tunables.chapters.replication.validity_simulation import RUNS, run
from tunables.parts.replication import Simulation
from tunables.parts.validity import Axis, ValidityMap


@cache
def validity() -> ValidityMap:
    """Return the map of round trip and loss."""
    return ValidityMap(
        case=case(),
        title="Time of a replication by CUBIC, when losses come at random",
        x=Axis(
            "rtt_s",
            "Round-trip time",
            "the round trip",
            "s",
            (0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25),
        ),
        y=Axis(
            "loss",
            "Loss",
            "loss",
            "1",
            (1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.03),
        ),
        output="seconds",
        settings={"law": "cubic", "compress": "off"},
        simulation=Simulation(run, RUNS),
        why="CUBIC's law is the mean of one curve between two losses that come evenly. Random "
        "losses leave some long gaps, and a long gap counts for more: the window grows far in it. "
        "Several losses in one round trip cost no more than one. So the law is too slow nearly "
        "everywhere that the network sets the pace. Where the pump does, its error is not seen.",
    )
