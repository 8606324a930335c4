"""The queueing laws of the book under one name; each family has a file of its own."""

from tunables.theory.closed_queueing import (
    asymptotic_bounds,
    interactive_throughput,
    machine_repair,
    mva,
)
from tunables.theory.erlang import erlang_b, erlang_c
from tunables.theory.operational_laws import service_demand, utilisation

__all__ = [
    "asymptotic_bounds",
    "erlang_b",
    "erlang_c",
    "interactive_throughput",
    "machine_repair",
    "mva",
    "service_demand",
    "utilisation",
]
