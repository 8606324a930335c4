"""A usual call of every public function of the closed forms, predictors and simulators."""

import importlib
import inspect
import os
import pkgutil
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import tunables.simulators
import tunables.theory
from tunables.parts.registry import cards, cases
from tunables.simulators.event_loop import Queue
from tunables.simulators.shards import Sample

_GAMMA = {"mean_cost_s": 0.00033, "shape": 0.8, "quantum_s": 0.010}
_RULE = {"rule": "2005-05-06"}
_TWO_CLASSES = {"population": [2, 1], "size_bytes": [18e3, 32e6], "transactions": [40, 5]}
_FLOWS = _TWO_CLASSES | {"delay_s": [0.007, 0.5], "capacity_bps": 9.5e9}
_PACKETS = _TWO_CLASSES | {
    "size_bytes": [18e3, 8e5],
    "delay_s": [0.007, 0.5],
    "capacity_bps": 9.5e9,
    "max_packets": 3,
    "gap_s": 0.005,
    "segment_bytes": 8948.0,
    "buffer_bytes": 5e5,
    "round_trip_s": 1e-4,
    "timeout_s": 0.05,
    "window_bytes": 4e5,
    "initial_window": 10,
    "seed": 1,
    "spread": 0.5,
    "pooled": False,
}
_TCP = {"mss_bytes": 1460.0, "rtt_s": 0.1, "loss": 1e-4}
_QUERIES = {
    "failure_probability": 0.5,
    "timeout_s": 1.0,
    "retries": 3,
    "reply_s": 0.05,
    "backoff_base_s": 0.1,
    "backoff_cap_s": 0.3,
}
_QUEUE = {"arrival_rate": 0.5, "sizes_s": [0.5, 1.5], "probabilities": [0.5, 0.5]}
_SCAN = {"objects": 30, "cycles": 4}
_GROWN = {"objects": 40, "capacity": 36, "entry": 18}
_DEADLINES = {"service_rate": 100.0, "timeout_s": 0.5, "margin_s": 0.1}
_RELIEF = {
    "margin_s": 0.03,
    "queue_limit": 50.0,
    "purge_s": 9.0,
    "retries_off_s": 12.0,
    "retry_budget": 0.1,
    "budget_burst": 10.0,
    "shed_share": 0.2,
    "shed_from_s": 5.0,
    "shed_until_s": 10.0,
}
_GROUP_COMMITS = {
    "customers": 5,
    "flush_time_s": 0.005,
    "max_delay_s": 0.001,
    "think_time_s": 0.0005,
    "commits": 100,
    "spread": 0.5,
    "seed": 1,
}
_TANDEM = {"service_s": [[1, 3], [1, 3], [1, 3]], "buffers": [0]}
_ROUNDS = {
    "rtt_s": 0.1,
    "loss": 1 / 60,
    "rounds": 100,
    "congestion_control": "cubic",
    "initial_window": 10.0,
    "largest_window": 1000.0,
    "seed": 1,
}
_STORM = {
    "arrival_rate": 30.0,
    "service_rate": 100.0,
    "timeout_s": 0.5,
    "retries": 3,
    "outage_start_s": 5.0,
    "outage_s": 2.0,
    "horizon_s": 20.0,
    "backoff_base_s": 0.1,
    "backoff_cap_s": 0.3,
    "cancel_stale": True,
    "seed": 1,
    "deeds": [(6.0, "retries", 1)],
}
_STORM |= _RELIEF
_BATCHES = {
    "clients": 5,
    "batches": 100,
    "think_time_s": 0.03,
    "base_s": 0.076,
    "timeout_s": 1.0,
    "retries": 3,
    "max_delay_s": 2.0,
    "commits": 2,
    "flusher": "adaptive",
    "batch_threads": 3,
    "commit_threads": 2,
    "failure_probability": 0.5,
    "reply_s": 0.1,
    "abort_probability": 0.1,
    "long_transactions": 1,
    "seed": 1,
}

THEORY: dict[str, dict] = {
    "cache_memory.grown_hit_ratio": _GROWN | {"policy": "sieve"},
    "cache_memory.clock_rounds": _GROWN,
    "caching.cyclic_hit_ratio": {"objects": 90, "capacity": 50.0, "policy": "random"},
    "caching.random_capacity": {"objects": 40, "hit_ratio": 0.9},
    "caching.zigzag_hit_ratio": {"fraction": 0.9},
    "caching.shuffled_hit_ratio": {"fraction": 0.9},
    "caching.slowdown": {"hit_ratio": 0.5, "cost_ratio": 20.0},
    "caching.cycle_time": {"objects": 40, "hit_ratio": 0.5, "hit_s": 0.00025, "miss_s": 0.005},
    "caching.cliff_capacity": {
        "objects": 30,
        "popularity": [3.0, 2.0, 1.0],
        "independent_fraction": 0.3,
    },
    "caching.che_approximation": {"popularity": [3.0, 2.0, 1.0], "capacity": 2, "policy": "lru"},
    "closed_network.closed_network_throughput": {
        "population": [20, 3],
        "delay_s": [15.0, 2.0],
        "demand_s": [1.0, 0.5],
    },
    "closed_queueing.interactive_throughput": {
        "customers": 50,
        "response_time_s": 8.0,
        "think_time_s": 1.0,
    },
    "closed_queueing.asymptotic_bounds": {
        "service_demands_s": [0.1, 0.3],
        "customers": 10,
        "think_time_s": 1.0,
    },
    "closed_queueing.mva": {
        "service_demands_s": [0.1, 0.3],
        "customers": 10,
        "think_time_s": 1.0,
    },
    "closed_queueing.machine_repair": {
        "customers": 4,
        "servers": 2,
        "think_time_s": 10.0,
        "service_time_s": 2.0,
    },
    "deadlines.deadline_success": {"offered_rate": 300.0} | _DEADLINES,
    "deadlines.deadline_fixed_points": {"arrival_rate": 80.0, "retries": 3} | _DEADLINES,
    "deadlines.deadline_safe_load": {"service_rate": 100.0, "retries": 3},
    "erlang.erlang_b": {"servers": 2, "offered_load": 1.0},
    "erlang.erlang_c": {"servers": 2, "offered_load": 1.0},
    "gamma_slices.continuation_probabilities": {"granularity": 30} | _GAMMA,
    "gamma_slices.expected_cycles_per_run": {"granularity": 30} | _GAMMA,
    "gamma_slices.slice_moments": {"granularity": 30} | _GAMMA,
    "granularity.granularity_runs": {"items": 3000, "granularity": 1} | _GAMMA | _RULE,
    "granularity_paths.path_between": {
        "start": 1,
        "end": 3,
        "runs": 2,
        "chances": lambda g: [1.0, 0.9, 0.5, 0.1],
    }
    | _RULE,
    "granularity_paths.runs_between": {"start": 1, "end": 3, "runs": 2} | _GAMMA | _RULE,
    "granularity_paths.mean_cost_between": {
        "items": 101,
        "runs": 1,
        "start": 1,
        "end": 3,
        "shape": 1.0,
        "quantum_s": 0.010,
    }
    | _RULE,
    "group_commit.poisson_group_commit": {
        "arrival_rate": 100.0,
        "flush_time_s": 0.01,
        "max_delay_s": 0.002,
    },
    "group_commit.delay_for_flush_share": {
        "arrival_rate": 1000.0,
        "flush_time_s": 0.005,
        "share": 0.5,
    },
    "group_commit.closed_group_commit": {
        "customers": 16,
        "flush_time_s": 0.005,
        "max_delay_s": 0.001,
    },
    "group_commit.adaptive_flush_wait": {
        "active": 49,
        "completion_rate": 20.0,
        "max_delay_s": 2.0,
        "abort_probability": 0.01,
        "long_transactions": 0,
    },
    "mg1.mg1_fifo_response": {
        "arrival_rate": 0.8,
        "mean_service_s": 1.0,
        "second_moment_s2": 3.25,
    },
    "mg1.mg1_ps_response": {"size_s": 0.5, "load": 0.8},
    "mg1.mg1_fb_response": {
        "arrival_rate": 0.8,
        "size_s": 0.5,
        "sizes_s": [0.5, 5.5],
        "probabilities": [0.9, 0.1],
    },
    "mg1.cobham_waits": {
        "arrival_rates": [0.2, 0.1],
        "mean_services_s": [1.2, 2.0],
        "second_moments_s2": [1.5, 4.0],
    },
    "operational_laws.service_demand": {"busy_s": 30.0, "completions": 600},
    "operational_laws.utilisation": {"throughput": 10.0, "demand_s": 0.05},
    "pipelines.pipeline_throughput": {"stage_rates": {"capture": 90.0, "apply": 40.0}},
    "pipelines.two_stage_throughput": {"first_rate": 1.0, "second_rate": 1.5, "places": 7},
    "pipelines.lag_drain_time": {"lag_s": 3600.0, "apply_rate": 1500.0, "capture_rate": 1000.0},
    "retries.retry_statistics": {
        "failure_probability": 0.5,
        "timeout_s": 1.0,
        "retries": 3,
        "mean_reply_s": 0.1,
    },
    "retries.retry_quantile": {
        "q": 0.99,
        "failure_probability": 0.1,
        "timeout_s": 1.0,
        "retries": 3,
        "reply_s": 0.05,
    },
    "retries.backoff_total": {"timeout_s": 1.0, "retries": 3, "base_s": 0.1, "cap_s": 0.3},
    "retries.retry_fixed_points": {
        "arrival_rate": 40.0,
        "service_rate": 100.0,
        "timeout_s": 0.5,
        "retries": 3,
    },
    "shared_port.calibrate_delay": _TWO_CLASSES | {"alone_s": [30.0, 40.0], "capacity_bps": 9.5e9},
    "shared_port.completion_times": _FLOWS | {"latency_s": 0.001, "priority_bytes": 1e4},
    "shared_port.fifo_response": {"backlog_s": 0.023, "work_s": 0.0168, "think_s": 0.040},
    "shared_port.flowlet_priority_fraction": {
        "packet_times_s": [0.0, 0.001, 0.010],
        "max_packets": 1,
        "gap_s": 0.005,
    },
    "slicing.cycles_per_run": {"granularity": 3, "cost_s": 0.000217, "quantum_s": 0.01},
    "slicing.limiting_granularity": {
        "cost_s": 0.000217,
        "quantum_s": 0.01,
        "rule": "2010",
        "granularity": 1,
    },
    "slicing.least_longest_run": {"granularity": 23, "rule": "2005-05-23"},
    "slicing.mean_timer_lateness": {"cycles_s": [0.010, 0.030]},
    "slicing.timer_lateness_survival": {"cycles_s": [0.25, 0.75], "lateness_s": 0.25},
    "slicing.hold_timer_expiry_probability": {
        "block_s": 40.0,
        "keepalive_s": 15.0,
        "hold_s": 45.0,
        "sessions": 10,
    },
    "gathering.expected_unique_fraction": {"rate": 2.0, "hold_s": 0.5},
    "gathering.unique_fraction_alone": {"rate": 2.0, "hold_s": 0.5},
    "slicing.can_have_made": {"granularity": 23, "rule": "2005-05-23"},
    "stolen_slices.stolen_continuation_probabilities": {
        "granularity": 30,
        "cost_s": 0.000217,
        "share": 0.2,
        "burst_s": 0.002,
        "quantum_s": 0.01,
    },
    "retries.closed_storm_rate": {
        "callers": 50,
        "timeout_s": 0.5,
        "retries": 3,
        "think_time_s": 0.1,
    },
    "retries.drain_time_s": {
        "storm_s": 60.0,
        "storm_rate": 160.0,
        "service_rate": 100.0,
        "offered_rate": 40.0,
    },
    "special.regularised_lower_gamma": {"shape": 1.5, "x": 1.0},
    "last_packet.last_packet_times": {
        "population": [2, 1],
        "work_s": [0.001, 0.005],
        "packets": [3, 15],
        "think_s": [0.1, 0.2],
        "backlog_s": 0.02,
        "max_packets": 14,
    },
    "tcp.bandwidth_delay_product": {"rate_bps": 1e10, "rtt_s": 0.1},
    "tcp.window_limited_throughput": {"window_bytes": 65_536.0, "rtt_s": 0.1},
    "tcp.mathis_throughput": _TCP,
    "tcp.cubic_throughput": _TCP | {"c": 0.4, "beta": 0.7},
    "tcp.cubic_loss": {"mss_bytes": 1460.0, "rtt_s": 0.1, "rate": 2e6, "c": 0.4, "beta": 0.7},
    "tcp.slow_start_rounds": {"target_segments": 85_000.0, "initial_window": 10},
}

_EVENT_LOOP = {
    "queues": [Queue([0.004] * 6, 0.001, 0.002, 1), Queue([0.001] * 9)],
    "timers_s": [0.001, 0.013],
    "reads_s": [0.002],
    "writes_s": [0.003],
    "timer_cost_s": 0.001,
    "read_cost_s": 0.001,
    "write_cost_s": 0.001,
    "quantum_s": 0.01,
    "check_cost_s": 1e-6,
    "most_granularity": 100,
} | _RULE
SIMULATORS: dict[str, dict] = {
    "batches.simulate_batches": _BATCHES,
    "batches.trace_batches": _BATCHES | {"rows": 50},
    "cache_trace.trace_policy": {
        "trace": [1, 2, 3, 1, 2, 4] * 3,
        "capacity": 2,
        "policy": "random",
        "seed": 1,
    },
    "caches.simulate_policy": {
        "trace": [1, 2, 3, 1, 2, 4] * 3,
        "capacity": 2,
        "policy": "random",
        "warmup": 3,
        "seed": 1,
    },
    "closed_system.simulate_closed_system": {
        "customers": 4,
        "servers": 2,
        "think_time_s": 10.0,
        "service_time_s": 2.0,
        "completions": 1000,
        "seed": 1,
        "warm_up": 100,
    },
    "cyclic_queues.simulate_cyclic_queues": {
        "service_demands_s": [1.0, 0.5],
        "customers": 3,
        "delay_s": 0.1,
        "completions": 1000,
        "seed": 1,
    },
    "event_loop.simulate_event_loop": _EVENT_LOOP,
    "event_loop.trace_event_loop": _EVENT_LOOP,
    "flows.simulate_flows": _FLOWS
    | {"discipline": "dpp", "seed": 1, "priority_bytes": 1e4, "spread": 0.5, "pooled": True},
    "flows.simulate_queue": _QUEUE
    | {"discipline": "dpp", "customers": 1000, "seed": 1, "priority_s": 0.2},
    "group_commits.simulate_group_commits": _GROUP_COMMITS,
    "group_commits.trace_group_commits": _GROUP_COMMITS | {"rows": 50},
    "nanoseconds.nanoseconds": {"name": "quantum_s", "value": 0.01},
    "nanoseconds.nanosecond_array": {"name": "costs_s", "values": [0.000217, 0.015]},
    "object_ids.number_objects": {"trace": [7, 9, 7]},
    "object_ids.whole_ids": {"trace": [7, 9, 7]},
    "packets.simulate_packets": _PACKETS,
    "packets.trace_packets": _PACKETS | {"packet_rows": 90, "transaction_rows": 9},
    "pcg64.from_seed": {"seed": 1},
    "queries.simulate_queries": _QUERIES | {"queries": 100, "seed": 1},
    "retry_deeds.checked_deeds": {"deeds": [(6.0, "retries", 1), (7.0, "server", 0)]},
    "retry_storm.simulate_retry_storm": _STORM,
    "retry_storm.trace_retry_storm": _STORM | {"rows": 50},
    "relief.relief": {"drop": "stale"} | _RELIEF,
    "retry_callers.simulate_retry_callers": {
        "callers": 9,
        "think_time_s": 0.03,
        "service_rate": 60.0,
        "timeout_s": 0.1,
        "retries": 3,
        "outage_start_s": 5.0,
        "outage_s": 2.0,
        "horizon_s": 20.0,
        "drop": "stale",
        "margin_s": 0.01,
        "queue_limit": 20.0,
        "seed": 1,
    },
    "shards.sample_chunk": {"chunk": [7, 9, 7], "rate": 0.5, "seed": 1},
    "shards.sample_trace": {"chunks": [[7, 9], [7]], "rate": 0.5, "seed": 1},
    "shards.sampled_miss_ratios": {
        "sample": Sample(np.array([7, 9, 7]), 3),
        "capacities": [1.0, 2.0],
        "rate": 1.0,
    },
    "stack.stack_distances": {"trace": [1, 2, 3, 1]},
    "stack.miss_ratio_curve": {"trace": [1, 2, 3, 1]},
    "tandem.simulate_tandem": _TANDEM,
    "tandem.trace_tandem": _TANDEM,
    "tcp_rounds.loss_gaps": {"loss": 1 / 60, "losses": 10, "seed": 1},
    "tcp_rounds.simulate_tcp_rounds": _ROUNDS,
    "tcp_rounds.trace_tcp_rounds": _ROUNDS,
    "traces.cyclic_trace": _SCAN,
    "traces.zigzag_trace": _SCAN,
    "traces.shuffled_trace": _SCAN | {"seed": 1},
    "traces.grown_trace": {"old": 20, "entry": 5, "warm_cycles": 2} | _SCAN,
    "traces.zipf_trace": {"objects": 100, "requests": 50, "exponent": 0.8, "seed": 1},
    "traces.mixed_trace": _SCAN
    | {"popularity": [1.0, 2.0], "independent_fraction": 0.4, "seed": 1},
    "work_queue.drain_work_queue": {
        "costs_s": [0.000217] * 300,
        "quantum_s": 0.01,
        "granularity": 1,
        "check_cost_s": 1e-6,
    }
    | _RULE,
}
# The same simulation under its other rules, which are other compiled code.
VARIANTS: dict[str, list[dict]] = {
    "flows.simulate_flows": [{"discipline": name} for name in ("fifo", "ps", "srpt", "fb")],
    "flows.simulate_queue": [{"discipline": name} for name in ("fifo", "ps", "srpt", "fb")],
    "packets.simulate_packets": [{"pooled": True}],
    "batches.simulate_batches": [{"flusher": "fixed"}],
    "tcp_rounds.simulate_tcp_rounds": [{"congestion_control": "reno", "seed": None}],
    "caching.cyclic_hit_ratio": [{"policy": name} for name in ("opt", "2q", "lru")],
    "caching.che_approximation": [{"policy": "fifo"}],
    "closed_queueing.machine_repair": [{"think_time_s": 0.0}],
    "granularity.granularity_runs": [{"rule": name} for name in ("2005-05-23", "2010", "fixed")],
    "granularity_paths.runs_between": [{"rule": "2005-05-23"}],
    "retry_storm.simulate_retry_storm": [{"cancel_stale": False}],
    "retries.retry_statistics": [{"failure_probability": 1.0}],
    "retries.retry_fixed_points": [{"arrival_rate": 24.0}, {"arrival_rate": 120.0}],
    "slicing.limiting_granularity": [{"rule": "2005-05-06"}],
}


REFUSAL = re.compile(r"\w.* (=|has) .+: \w", re.DOTALL)  # capacity_bps = -1: must be ...


WORDS = re.compile(r"\w+\W+\w+\W+\w+")  # what a parser says of a text


class Call(NamedTuple):
    """A public function, its name with its module's, and arguments that it takes.

    refusal: what its sentences of refusal look like.
    """

    name: str
    function: Callable
    arguments: dict
    refusal: re.Pattern = REFUSAL


def public_functions(package) -> dict[str, Callable]:
    """Return module.name -> function of all in a package that check what they are given."""
    found = {}
    for entry in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{entry.name}")
        for name, value in vars(module).items():
            own = inspect.isfunction(value) and value.__module__ == module.__name__
            words = inspect.getdoc(value) or ""
            refuses = re.search("[Rr]aises ValueError|rrors (and source )?as in", words)
            if own and refuses and not name.startswith("_") and "unchecked" not in words:
                found[f"{entry.name}.{name}"] = value
    return found


def _predictors() -> list[Call]:
    """Return the predictor of each case and card with the defaults that its page begins with."""
    models = list(cases().values()) + [card.model for card in cards().values()]
    return [
        Call(
            one.predictor.removeprefix("tunables.chapters.") + ".predict",
            one.predict,
            {parameter.name: parameter.default for parameter in one.parameters},
        )
        for one in models
    ]


def _functions(package, table: dict[str, dict]) -> list[Call]:
    functions = public_functions(package)
    return [
        Call(name, functions[name], arguments | changes)
        for name, arguments in table.items()
        for changes in [{}, *VARIANTS.get(name, [])]
    ]


def _fragile(number: float) -> float:
    """Go wrong in each of the ways that the probe has to see."""
    if number == "":
        raise ValueError("too little")
    if number < 0:
        raise ValueError(f"number = {number}: must be at least 0")
    if number == 2**31:
        os.abort()
    while number == 0.5:
        pass
    return number


def calls(group: str) -> list[Call]:
    """Return the usual calls of a group: theory, simulators, predictors, or one bad function."""
    if group == "bad":
        return [Call("bad.fragile", _fragile, {"number": 1.0})]
    if group == "predictors":
        return _predictors()
    if group in ("house", "chapters", "messages", "measure"):  # which import these
        return importlib.import_module(f"tests.hostile.{group}").calls()
    package, table = {
        "theory": (tunables.theory, THEORY),
        "simulators": (tunables.simulators, SIMULATORS),
    }[group]
    return _functions(package, table)
