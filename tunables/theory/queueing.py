"""The queueing laws of the book under one name; each family has its own file."""

from tunables.theory.closed_network import closed_network_throughput
from tunables.theory.closed_queueing import (
    asymptotic_bounds,
    interactive_throughput,
    machine_repair,
    mva,
)
from tunables.theory.erlang import erlang_b, erlang_c
from tunables.theory.mg1 import (
    cobham_waits,
    mg1_fb_response,
    mg1_fifo_response,
    mg1_ps_response,
)
from tunables.theory.operational_laws import service_demand, utilisation

__all__ = [
    "asymptotic_bounds",
    "closed_network_throughput",
    "cobham_waits",
    "erlang_b",
    "erlang_c",
    "interactive_throughput",
    "machine_repair",
    "mg1_fb_response",
    "mg1_fifo_response",
    "mg1_ps_response",
    "mva",
    "service_demand",
    "utilisation",
]
