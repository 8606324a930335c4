"""A usual call of what the chapter's modules offer, for `tests.hostile`."""

from tests.hostile.house import own_numbers
from tunables.parts.registry import find_case

_RRD = find_case("rrd").settings()
_SMALL = {"graphs": 200, "memory_gib": 2.0**-12}
_SCAN = {"scheme": "random", "files": 13, "places": 12, "scans": 3}

CALLS = {
    "few_files.exact_hit_ratio": {"files": 13, "places": 12, "scheme": "random"},
    "full_size_simulation.runs": {"seed": 1} | _SCAN,
    "own.read_trace": own_numbers(3) | {"column": "key"},
    "own.fit_key_trace": own_numbers(3) | {"column": "key"},
    "own_fit.capacities": {"keys": 100},
    "predictor.capacity_graphs": {
        "memory_gib": 4.0,
        "usage_maximum_percent": 98.0,
        "bytes_per_graph": 9e4,
    },
    "predictor.scheme_hit_ratio": {"graphs": 1000, "capacity": 900, "scheme": "2q"},
    "simulation.numbered": {"scheme": "lru"},
    "simulation.run": {"seed": 1} | _RRD | _SMALL,
    "stage_simulation.events": {"seed": 1} | _SCAN,
    "validity_simulation.run": {"seed": 1, "disorder": 0.1} | _RRD | _SMALL,
}
