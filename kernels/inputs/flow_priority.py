"""The kernels of chapter 4 that the page may call, with calls that reach them."""

from kernels.entry import KernelEntry
from tunables.chapters.flow_priority.predictor import CLASSES, STRUCTURES
from tunables.chapters.flow_priority.simulation import end_times
from tunables.chapters.flow_priority.simulation import events as trace_events
from tunables.simulators.flows import simulate_queue
from tunables.simulators.packets import trace_packets


def _end_times(rng, events):
    settings = {f"{name}_residual_s": rng.random() / 100 for name in CLASSES[:3]}
    settings |= {"queueing_delay_s": rng.random() / 100, "medium_excess_s": rng.random() / 100}
    settings |= {"structure": str(rng.choice(STRUCTURES)), "users": int(rng.integers(1, 6))}
    settings |= {"port_rate_gbps": rng.uniform(8, 12)}
    settings |= {"table_1_users": 6, "table_1_port_rate_gbps": rng.uniform(8, 12)}
    counts = rng.integers(1, max(events // 15, 2), size=5).tolist()
    column = str(rng.choice(["without", "with"]))
    ahead = float(rng.choice([0, 18e3, 5e4, 1e8]))
    end_times(int(rng.integers(1000)), settings, column, ahead, counts, spread=rng.random())


def _queue(rng, events, discipline):
    sizes_s = (0.01 + rng.random(rng.integers(1, 5))).tolist()
    simulate_queue(
        rng.uniform(0.1, 3),
        sizes_s,
        [1 / len(sizes_s)] * len(sizes_s),
        discipline,
        max(events, 1),
        seed=int(rng.integers(1000)),
        priority_s=rng.random(),
    )


def _levels(rng, events):
    _queue(rng, events, str(rng.choice(["ps", "dpp"])))


def _in_turn(rng, events):
    _queue(rng, events, str(rng.choice(["fifo", "srpt"])))


def _groups(rng, events):
    _queue(rng, events, "fb")


def _packets(rng, events):
    classes = int(rng.integers(1, 4))
    trace_packets(
        rng.integers(1, 5, classes).tolist(),
        rng.integers(1, 40_000, classes).tolist(),
        rng.integers(1, max(events // 40, 2), classes).tolist(),
        (rng.random(classes) / 50).tolist(),
        1e8,
        max_packets=int(rng.integers(30)),
        gap_s=0.002,
        segment_bytes=1000,
        buffer_bytes=1000 * int(rng.integers(1, 40)),
        round_trip_s=0.0003,
        timeout_s=rng.uniform(0.001, 0.05),
        window_bytes=1000 * int(rng.integers(1, 40)),
        seed=int(rng.integers(1000)),
        pooled=bool(rng.integers(2)),
        packet_rows=int(rng.choice([0, 50, 10_000])),
        transaction_rows=int(rng.choice([0, 5, 1000])),
    )


def _animation(rng, events):
    trace_events(
        int(rng.integers(1000)),
        max_packets=int(rng.integers(20)),
        users=rng.integers(3, size=3).tolist(),
        large_users=int(rng.integers(1, 4)),
        gap_s=rng.uniform(0.001, 0.1),
        window_packets=int(rng.integers(1, 30)),
        buffer_bytes=rng.uniform(1e4, 1e6),
        seconds=events / 5000,
    )


ENTRIES = (
    KernelEntry("tunables.chapters.flow_priority.simulation", "experiment", _end_times),
    KernelEntry("tunables.chapters.flow_priority.simulation", "trace", _animation),
    KernelEntry("tunables.simulators.flows", "serve_levels", _levels),
    KernelEntry("tunables.simulators.flows", "serve_in_turn", _in_turn),
    KernelEntry("tunables.simulators.flows", "serve_groups", _groups),
    KernelEntry("tunables.simulators.packets", "run_port", _packets),
)
