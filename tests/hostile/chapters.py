"""A usual call of what a chapter's modules offer: runs, stages, closed forms and fits."""

import importlib
from functools import partial

from tests.hostile.calls import WORDS, Call
from tests.hostile.house import PRINTOUT, SAMPLES
from tunables.page.chapters import CHAPTERS
from tunables.parts.registry import find_case, find_map, stages

_LEASE, _RDU, _STORM = (find_case(name).settings() for name in ("lease", "rdu", "storm"))
_RRD, _DPP, _QUAGGA = (find_case(name).settings() for name in ("rrd", "dpp", "quagga"))
_WLCG, _STREAMS = (find_case(name).settings() for name in ("wlcg", "wlcg_session"))
_SMALL = {"graphs": 200, "memory_gib": 2.0**-12}
_SCAN = {"scheme": "random", "files": 13, "places": 12, "scans": 3}

_QUEUES = {"items": 3000}
_QUEUE = {name: _QUAGGA[name] for name in ("quantum_s", "rule", "granularity")}
_LOOP = _QUEUE | {name: _QUAGGA[name] for name in ("item_cost_s", "cost_shape")} | _QUEUES


def _own(number: int) -> dict[str, str]:
    return {"source": (SAMPLES / f"{number}-fits.csv").read_text()}


# Of these the stage or the case says what they are usually called with.
TABLE: dict[str, dict[str, dict]] = {
    "group_commit": {
        "own.fit_group_commit": _own(1),
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
    },
    "time_outs": {
        "lease_simulation.run": {"seed": 1, "batches": 50} | _LEASE,
        "own.fit_time_outs": _own(2),
        "storm_simulation.run": {"seed": 1} | _STORM,
        "storm_simulation.checked": {"horizon_s": 20.0} | _STORM,
    },
    "cache_cliff": {
        "few_files.exact_hit_ratio": {"files": 13, "places": 12, "scheme": "random"},
        "full_size_simulation.runs": {"seed": 1} | _SCAN,
        "own.read_trace": _own(3) | {"column": "key"},
        "own.fit_key_trace": _own(3) | {"column": "key"},
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
    },
    "flow_priority": {
        "own.fit_flow_sizes": _own(4),
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
    },
    "replication": {
        "calibration.loss_for": {
            "law": "cubic",
            "throughput_bytes_s": 1e6,
            "rtt_s": 0.1,
            "mss_bytes": 1460.0,
        },
        "own.fit_stage_rates": _own(5),
        "paths.great_circle_rtt": {"site": "BNL"},
        "ratios.speed_up_bounds": {"plain_s": 900.0, "compressed_s": 600.0, "half_width_s": 5.0},
        "ratios.required_rtt_ratio": {"law": "cubic", "time_ratio": 2.0},
        "session_simulation.run": {"seed": 1, "completions": 100} | _STREAMS,
        "simulation.run": {"seed": 1, "batches": 50} | _WLCG,
        "stage_simulation.pipeline_events": {"seed": 1, "batches": 50, "room": 2, "varies": True}
        | _WLCG,
        "stage_simulation.window_events": {"seed": 1, "rounds": 50} | _WLCG,
        "validity_simulation.run": {"seed": 1} | _WLCG | {"law": "cubic"},
    },
    "work_queues": {
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
    },
}
# What a fit counted, or is made of a case's own snapshots, is no reader's to give; links hold
# results, which `tests.hostile.messages` sends. Of two laws an argument of one is passed over by
# the other; `predict` and `run` ask for them.
NOT_ASKED = {
    "calibration.calibrate",
    "calibration.cubic_lcr_bytes_range",
    "own_fit.one_setting",
    "own_fit.runs_of",
    "own_fit.solved",
    "theft.steal",
    "predictor.connection_throughput",
    "session_predictor.stations",
    "session_predictor.upstream_rate",
    "simulation.simulated_connection",
    "simulation.window_settings",
    "stage_simulation.arguments",
    "stage_simulation.at_site",
    "stage_simulation.attempts",
}


def _stage_calls(slug: str) -> list[Call]:
    return [
        Call(
            f"{slug}.{stage.play.__module__.rsplit('.', 1)[1]}.play",
            partial(stage.play, **stage.given),
            stage.beats[0].settings,
            WORDS,
        )
        for stage in stages(slug)
    ]


def _map_calls() -> list[Call]:
    """Return the run of each map at its first cell, with the assumption that it drops."""
    found = []
    for name in ("rdu", "storm"):
        each = find_map(name)
        settings, assumptions = each.split(each.x.values[0], each.y.values[0])
        arguments = {"seed": 1} | settings | assumptions
        found.append(Call(f"{name}.validity_simulation.run", each.simulation.run, arguments, WORDS))
    return found


def calls() -> list[Call]:
    """Return the usual call of each function."""
    found = []
    for chapter in CHAPTERS:
        package = importlib.import_module(f"tunables.chapters.{chapter.slug}")
        for name, arguments in TABLE[chapter.slug].items():
            module, _, function = name.partition(".")
            value = getattr(importlib.import_module(f"{package.__name__}.{module}"), function)
            found.append(Call(f"{chapter.slug}.{name}", value, arguments, WORDS))
        found += _stage_calls(chapter.slug)
    return found + _map_calls()
