"""Wrong ways to solve the problems of chapter 4."""

import math

HEADER_BYTES, FRAME_BYTES = 52, 38


def _share(given, packets):
    return 100 * given["max_packets"] / packets


def headers_forgotten(given):
    return _share(given, math.ceil(given["size_bytes"] / given["mtu_bytes"]))


def packets_not_rounded(given):
    return _share(given, given["size_bytes"] / (given["mtu_bytes"] - HEADER_BYTES))


def share_left_behind(given):
    packets = math.ceil(given["size_bytes"] / (given["mtu_bytes"] - HEADER_BYTES))
    return 100 - _share(given, packets)


def _users(given, share, bits=8):
    rate = given["link_gbps"] * 1e9 * share
    return rate * given["seconds"] / (bits * given["bytes_per_user"])


def _payload(given):
    return (given["mtu_bytes"] - HEADER_BYTES) / (given["mtu_bytes"] + FRAME_BYTES)


def users_of_the_bare_link(given):
    return math.floor(_users(given, 1))


def users_rounded_up(given):
    return math.ceil(_users(given, _payload(given)))


def bytes_for_bits(given):
    return math.floor(_users(given, _payload(given), bits=1))


def the_backlog_alone(given):
    return 1000 * given["backlog_s"]


def backlog_and_all_work(given):
    return 1000 * (given["backlog_s"] + given["users"] * given["own_s"])


def the_others_forgotten(given):
    return 1000 * (given["backlog_s"] + given["own_s"])


def littles_law_with_oneself(given):
    """Leave out one's own packets, and count oneself among the users who are found."""
    b, z = given["backlog_s"], given["think_s"]
    e = b + given["users"] * given["own_s"] - z
    return 1000 * (e + math.sqrt(e * e + 4 * b * z)) / 2


def _demand(given):
    return 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)


def nobody_queues(given):
    return given["users"] / (given["think_s"] + _demand(given))


def all_wait_for_all(given):
    return given["users"] / (given["think_s"] + given["users"] * _demand(given))


def bounds_for_the_mean(given):
    return min(nobody_queues(given), 1 / _demand(given))


def bytes_for_bits_on_the_port(given):
    demand = _demand(given) / 8
    return min(given["users"] / (given["think_s"] + demand), 1 / demand)


def _cycle(given):
    return given["alone_s"] / given["transactions"]


def delay_without_queueing(given):
    return 1000 * (_cycle(given) - _demand(given))


def delay_behind_everybody(given):
    return 1000 * (_cycle(given) - given["users"] * _demand(given))


def transactions_of_all_together(given):
    return 1000 * (given["users"] * _cycle(given) - _demand(given))


def the_whole_cycle(given):
    return 1000 * _cycle(given)


WRONG = {
    "packets-ahead": (headers_forgotten, packets_not_rounded, share_left_behind),
    "bound-users": (users_of_the_bare_link, users_rounded_up, bytes_for_bits),
    "fifo-backlog": (
        the_backlog_alone,
        backlog_and_all_work,
        the_others_forgotten,
        littles_law_with_oneself,
    ),
    "shared-port": (nobody_queues, all_wait_for_all, bounds_for_the_mean),
    "port-bound": (all_wait_for_all, bytes_for_bits_on_the_port),
    "delay-from-a-table": (
        delay_without_queueing,
        delay_behind_everybody,
        transactions_of_all_together,
        the_whole_cycle,
    ),
}


def port_limits(given):
    return 1 / _demand(given)


BLIND = {"port-bound": (nobody_queues, port_limits)}
