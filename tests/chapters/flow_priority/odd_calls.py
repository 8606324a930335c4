"""A usual call of what the chapter's modules offer, for `tests.hostile`."""

from tests.hostile.house import own_numbers
from tunables.parts.registry import find_case

_DPP = find_case("dpp").settings()

CALLS = {
    "own.fit_flow_sizes": own_numbers(4),
    "simulation.run": {"seed": 1} | _DPP | {"users": 2},
    "stage_simulation.events": {
        "seed": 1,
        "max_packets": 15,
        "users": [2, 2, 2],
        "large_users": 4,
        "think_s": 0.1,
        "spread": 0.5,
        "port_rate_gbps": 0.2,
        "gap_s": 0.045,
        "window_packets": 16,
        "mtu_bytes": 9000,
        "buffer_bytes": 20e6,
        "seconds": 0.5,
        "packet_rows": 300,
        "transaction_rows": 50,
    },
    "validity_simulation.run": {"seed": 1, "spread": 0.5} | _DPP | {"users": 2},
}
