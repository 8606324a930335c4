"""The laws of queueing, by their public names."""

from tunables.theory.closed_network import closed_network_throughput
from tunables.theory.mg1 import (
    cobham_waits,
    mg1_fb_response,
    mg1_fifo_response,
    mg1_ps_response,
)

__all__ = [
    "closed_network_throughput",
    "cobham_waits",
    "mg1_fb_response",
    "mg1_fifo_response",
    "mg1_ps_response",
]
