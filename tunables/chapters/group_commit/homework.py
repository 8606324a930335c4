"""Chapter 1: the think time behind a table, and three laws of group commit."""

from tunables.parts.homework import factor, uniform
from tunables.theory.closed_queueing import interactive_throughput
from tunables.theory.group_commit import (
    adaptive_flush_wait,
    closed_group_commit,
    poisson_group_commit,
)


def _round_trip(chance):
    """A closed system seen from outside: its throughput follows from a think time we draw."""
    customers, response_time_s = chance.randint(5, 200), factor(chance, 0.02, 20)
    think_time_s = response_time_s * uniform(chance, 0.1, 2)
    return {
        "customers": customers,
        "throughput": interactive_throughput(customers, response_time_s, think_time_s),
        "response_time_s": response_time_s,
    }


def _think_time(customers, throughput, response_time_s):
    return customers / throughput - response_time_s


def _open(chance):
    flush_time_s = factor(chance, 0.001, 0.02)
    return {
        "arrival_rate": float(f"{uniform(chance, 0.2, 3) / flush_time_s:.3g}"),
        "flush_time_s": flush_time_s,
        "max_delay_s": float(f"{flush_time_s * uniform(chance, 0.3, 4):.3g}"),
    }


def _group(arrival_rate, flush_time_s, max_delay_s):
    return poisson_group_commit(arrival_rate, flush_time_s, max_delay_s)[:2]


def _latency(arrival_rate, flush_time_s, max_delay_s):
    return poisson_group_commit(arrival_rate, flush_time_s, max_delay_s)[2]


def _closed(chance):
    return {
        "customers": chance.randint(2, 100),
        "flush_time_s": factor(chance, 0.0005, 0.02),
        "max_delay_s": factor(chance, 0.0002, 0.05),
    }


def _closed_at_once(chance):
    return {**_closed(chance), "max_delay_s": 0}


def _adaptive(chance):
    return {
        "active": chance.randint(2, 60),
        "completion_rate": factor(chance, 5, 50),
        "max_delay_s": uniform(chance, 0.1, 1),
        "abort_probability": 0,
    }


def _adaptive_with_aborts(chance):
    return {**_adaptive(chance), "abort_probability": uniform(chance, 0.005, 0.1)}


QUESTIONS = {
    "think time": (_think_time, _round_trip),
    "group": (_group, _open),
    "latency": (_latency, _open),
    "closed": (closed_group_commit, _closed),
    "closed, no delay": (closed_group_commit, _closed_at_once),
    "adaptive": (adaptive_flush_wait, _adaptive),
    "adaptive, aborts": (adaptive_flush_wait, _adaptive_with_aborts),
}
