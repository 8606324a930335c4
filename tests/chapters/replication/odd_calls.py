"""A usual call of what the chapter's modules offer, for `tests.hostile`."""

from tests.hostile.house import own_numbers
from tunables.parts.registry import find_case

_WLCG = find_case("wlcg").settings()
_STREAMS = find_case("wlcg_session").settings()

CALLS = {
    "calibration.loss_for": {
        "law": "cubic",
        "throughput_bytes_s": 1e6,
        "rtt_s": 0.1,
        "mss_bytes": 1460.0,
    },
    "own.fit_stage_rates": own_numbers(5),
    "paths.great_circle_rtt": {"site": "BNL"},
    "ratios.speed_up_bounds": {"plain_s": 900.0, "compressed_s": 600.0, "half_width_s": 5.0},
    "ratios.required_rtt_ratio": {"law": "cubic", "time_ratio": 2.0},
    "session_simulation.run": {"seed": 1, "completions": 100} | _STREAMS,
    "simulation.run": {"seed": 1, "batches": 50} | _WLCG,
    "stage_simulation.pipeline_events": {"seed": 1, "batches": 50, "room": 2, "varies": True}
    | _WLCG,
    "stage_simulation.window_events": {"seed": 1, "rounds": 50} | _WLCG,
    "validity_simulation.run": {"seed": 1} | _WLCG | {"law": "cubic"},
}
