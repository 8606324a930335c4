"""Second ways to the answers of chapter 4: counted packets, added users, simulated ports."""

import heapq
from fractions import Fraction

from scipy.optimize import brentq

from tests.theory.fifo_port import fifo_port
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
    """Simulate the port, which the problem treats by an approximate recursion."""
    names = ("backlog_s", "own_s", "think_s", "users")
    return 1000 * fifo_port(*(given[name] for name in names))


def _demand(given):
    return 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)


def shared_port(given):
    """Integrate the network's normalisation constant, instead of the problem's recursion."""
    station = [given["users"]], [given["think_s"]], [_demand(given)]
    return closed_network_throughput(*station)[0][0]


def port_bound(given):
    """Let the users take turns with constant times, so that the port wastes no time."""
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
