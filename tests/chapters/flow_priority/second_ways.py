"""Second ways for chapter 4: packets counted, users added, ports played through."""

import heapq
from fractions import Fraction

from scipy.optimize import brentq

from tunables.theory.queueing import closed_network_throughput
from tunables.theory.shared_port import flowlet_priority_fraction


def packets_ahead(given):
    """Cut the transaction into packets, one after the other."""
    left = given["size_bytes"]
    times: list[float] = []
    while left > 0:
        left -= given["mtu_bytes"] - 52
        times.append(len(times) * 1e-6)
    return 100 * flowlet_priority_fraction(times, given["max_packets"], gap_s=0.005)


def bound_users(given):
    """Add users until their frames no longer fit into the run."""
    share = Fraction(given["mtu_bytes"] - 52, given["mtu_bytes"] + 38)
    room_bits = given["link_gbps"] * 10**9 * given["seconds"] * share
    users = 0
    while (users + 1) * 8 * given["bytes_per_user"] <= room_bits:
        users += 1
    return users


def fifo_backlog(given):
    """Solve Little's law for the waiting work by search."""
    b, w, z = given["backlog_s"], given["work_s"], given["think_s"]
    return 1000 * brentq(lambda d: d * (1 - w / (z + d)) - b, max(0, w - z), 10 + b + w)


def _demand(given):
    return 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)


def shared_port(given):
    """Integrate the network's normalisation constant, where the problem uses recursion."""
    station = [given["users"]], [given["think_s"]], [_demand(given)]
    return closed_network_throughput(*station)[0][0]


def port_bound(given):
    """Let the users take turns with constant times, which waste nothing of the port."""
    demand, n = _demand(given), given["users"]
    ready = [0.0] * n
    free = begin = 0.0
    for turn in range(60 * n):
        if turn == 20 * n:
            begin = free
        free = max(free, heapq.heappop(ready)) + demand
        heapq.heappush(ready, free + given["think_s"])
    return 40 * n / (free - begin)


def delay_from_a_table(given):
    """Search for the delay at which the integral gives the table's throughput."""
    n, demand = given["users"], _demand(given)
    rate = n * given["transactions"] / given["alone_s"]
    cycle_s = n / rate

    def excess(delay_s):
        return closed_network_throughput([n], [delay_s], [demand])[0][0] - rate

    return 1000 * brentq(excess, 0, cycle_s)


PATHS = {
    "packets-ahead": packets_ahead,
    "bound-users": bound_users,
    "fifo-backlog": fifo_backlog,
    "shared-port": shared_port,
    "port-bound": port_bound,
    "delay-from-a-table": delay_from_a_table,
}
