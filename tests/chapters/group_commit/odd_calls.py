"""A usual call of what the chapter's modules offer, for `tests.hostile`."""

from tests.hostile.house import own_numbers
from tunables.parts.registry import find_case

_RDU = find_case("rdu").settings()

CALLS = {
    "own.fit_group_commit": own_numbers(1),
    "predictor.calibrated_base": {"response_s": 8.0},
    "simulation.run": {"seed": 1, "batches": 50} | _RDU,
    "stage_rows.settings_of": {"hypothesis": "two caps", "test": "original", "clients": 50},
    "stage_simulation.events": {"seed": 1, "batches": 50} | _RDU,
    "stage_simulation.commits": {
        "seed": 1,
        "customers": 4,
        "flush_time_s": 0.005,
        "max_delay_s": 0.001,
        "think_time_s": 0.01,
        "spread": 0.5,
        "count": 20,
    },
}
