"""A usual call of what the chapter's modules offer, for `tests.hostile`."""

from tests.hostile.house import PRINTOUT
from tunables.parts.registry import find_case

_QUAGGA = find_case("quagga").settings()
_QUEUES = {"items": 3000}
_QUEUE = {name: _QUAGGA[name] for name in ("quantum_s", "rule", "granularity")}
_LOOP = _QUEUE | {name: _QUAGGA[name] for name in ("item_cost_s", "cost_shape")} | _QUEUES

CALLS = {
    "calibration.rule_that_made": {"granularities": [23.0, 29.0]},
    "own.fit_work_queues": {"source": PRINTOUT},
    "own_printouts.counted": {"text": PRINTOUT},
    "simulation.settings_ns": {
        "items": 3000,
        "item_cost_s": 0.0002,
        "quantum_s": 0.01,
        "rule": "2005-05-06",
        "granularity": 1,
        "queues": 2,
    },
    "simulation.run": {"seed": 1, "timers": 20} | _QUAGGA | _QUEUES,
    "stage_simulation.slice_events": {
        "seed": 1,
        "timers": 20,
        "dear_from": 5,
        "dear_cost_s": 0.01,
        "most_granularity": 64,
        "rows": 90,
    }
    | _LOOP
    | {"queues": 2},
    "stage_simulation.hold_events": {
        "seed": 1,
        "sessions": 10,
        "keepalive_s": 15.0,
        "hold_s": 45.0,
        "begin_s": 30.0,
        "block_s": 40.0,
    }
    | _QUEUE,
    "validity_simulation.run": {"seed": 1, "drift": 2.0} | _LOOP,
}
