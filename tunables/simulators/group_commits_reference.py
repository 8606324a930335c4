"""The closed group commit event by event in plain Python: the reference for the kernel."""

import heapq

_BEGINS, _ENDS, _ASKS = range(3)  # in this order at the same time


def group_commits_reference(customers, commits, flush_time_s, max_delay_s, think_s):
    """Return what the kernel returns for these arguments, and a list of the rows of `Commits`."""
    calendar = [(0.0, _ASKS, customer) for customer in range(customers)]
    waiting: list[tuple[float, int]] = []
    group: list[tuple[float, int]] = []
    rows: list[tuple] = []
    idle, flushes, begun_s, latency_s = True, 0, 0.0, 0.0
    while len(rows) < commits:
        now, event, customer = heapq.heappop(calendar)
        if event == _ASKS:
            waiting.append((now, customer))
        elif event == _BEGINS:
            begun_s, group, waiting = now, waiting, []
            heapq.heappush(calendar, (now + flush_time_s, _ENDS, 0))
        else:
            for asked_s, member in group:
                latency_s += now - asked_s
                heapq.heappush(calendar, (now + think_s[len(rows)], _ASKS, member))
                rows.append((asked_s, begun_s, now, member, flushes))
            flushes, idle = flushes + 1, True
        if idle and waiting:  # the first of them is the leader
            heapq.heappush(calendar, (now + max_delay_s, _BEGINS, 0))
            idle = False
    return len(rows) / now, latency_s / len(rows), rows
