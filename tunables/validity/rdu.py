"""Chapter 1: the caps are exact; the flusher that waits for company is an approximation."""

from tunables.cases.rdu import CASE
from tunables.cases.rdu_calibration import row_settings
from tunables.simulators.batches import simulate_batches
from tunables.validity.map import Axis, ValidityMap

RUNS = 4
BATCHES = 800

_ADVISED = row_settings("both")


def simulate(seed, settings) -> list[float]:
    """Return the mean response time in seconds of a few short runs of the experiment."""
    rules = {name: settings[name] for name in ("clients", "timeout_s", "retries", "max_delay_s")}
    return [
        simulate_batches(
            batches=BATCHES,
            base_s=settings["base_s"],
            think_time_s=settings["think_s"],
            commits=2,
            flusher="adaptive",
            seed=each,
            **rules,
        )[1]
        for each in range(RUNS * seed, RUNS * (seed + 1))
    ]


MAP = ValidityMap(
    case=CASE,
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
        "timeout_s": _ADVISED["timeout_s"],
        "retries": _ADVISED["retries"],
    },
    simulate=simulate,
    why="One cap and two caps are exact, so the map shows the flusher that waits for company. "
    "Its closed form keeps all clients in step. A client that has fallen behind is in its lease "
    "query while the others wait for it. A cap a little shorter than that query runs out in "
    "vain, time after time; a longer one brings them together again.",
)
