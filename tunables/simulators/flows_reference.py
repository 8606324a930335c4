"""The flow simulation in plain Python, as its definition reads: the reference for the kernels."""

from collections.abc import Sequence
from dataclasses import dataclass

_SAME_S = 1e-12  # attained services that differ by less differ by rounding


@dataclass
class _Flow:
    user: int
    size_s: float
    arrived_s: float
    priority_s: float  # the part of its service that goes ahead under "dpp"
    attained_s: float = 0.0

    @property
    def left_s(self):
        return self.size_s - self.attained_s


def _fifo(flows):
    return [min(flows, key=lambda flow: flow.arrived_s)]


def _ps(flows):
    return flows


def _srpt(flows):
    return [min(flows, key=lambda flow: (flow.left_s, flow.arrived_s))]


def _fb(flows):
    least = min(flow.attained_s for flow in flows)
    return [flow for flow in flows if flow.attained_s < least + _SAME_S]


def _dpp(flows):
    return [flow for flow in flows if flow.attained_s < flow.priority_s - _SAME_S] or flows


# The flows that share the server, equally, until something changes
SERVED = {"fifo": _fifo, "ps": _ps, "srpt": _srpt, "fb": _fb, "dpp": _dpp}


def _until_change(served, flows):
    """Return how much service each served flow can get before the served set may change."""
    marks = [flow.attained_s for flow in flows]
    gaps = [mark - flow.attained_s for flow in served for mark in (flow.priority_s, *marks)]
    return min([flow.left_s for flow in served] + [gap for gap in gaps if gap > _SAME_S])


def serve(cycles, service_s, discipline, priority_s=0.0):
    """Return the time at which each pool's last job ends; see `flows.serve`."""
    think_s, first, jobs, pool_of = cycles
    limits = priority_s if isinstance(priority_s, Sequence) else [priority_s] * len(jobs)
    issued = [0] * len(jobs)
    finished = [0.0] * len(jobs)
    waking: dict[int, float] = {}  # user: time
    flows: list[_Flow] = []

    def think(user, now):
        pool = pool_of[user]
        if issued[pool] < jobs[pool]:
            waking[user] = now + think_s[first[pool] + issued[pool]]
            issued[pool] += 1

    now = 0.0
    for user in range(len(pool_of)):
        think(user, now)
    while waking or flows:
        served = SERVED[discipline](flows) if flows else []
        step = _until_change(served, flows) if flows else float("inf")
        change = now + step * len(served) if flows else float("inf")
        next_user = min(waking, key=lambda user: waking[user], default=-1)
        wake = waking.get(next_user, float("inf"))
        event = min(wake, change)
        for flow in served:
            flow.attained_s += (event - now) / len(served)
        now = event
        if wake <= change:
            del waking[next_user]
            pool = pool_of[next_user]
            flows.append(_Flow(next_user, service_s[pool], now, limits[pool]))
        for flow in [flow for flow in served if flow.left_s < _SAME_S]:
            flows.remove(flow)
            finished[pool_of[flow.user]] = now
            think(flow.user, now)
    return finished
