"""A usual call of what the chapter's modules offer, for `tests.hostile`."""

from tests.hostile.house import own_numbers
from tunables.parts.registry import find_case

_LEASE = find_case("lease").settings()
_STORM = find_case("storm").settings()

CALLS = {
    "lease_simulation.run": {"seed": 1, "batches": 50} | _LEASE,
    "own.fit_time_outs": own_numbers(2),
    "storm_simulation.run": {"seed": 1} | _STORM,
    "storm_simulation.checked": {"horizon_s": 20.0} | _STORM,
}
