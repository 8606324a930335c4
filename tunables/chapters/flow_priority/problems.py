"""Problems of chapter 4: packets that go ahead, and users who share one port."""

from tunables.chapters.flow_priority.packet_problems import bound_users, fifo_backlog, packets_ahead
from tunables.chapters.flow_priority.sharing_problems import (
    delay_from_a_table,
    port_bound,
    shared_port,
)

KINDS = {
    "packets-ahead": ("Which packets go ahead?", packets_ahead, 1),
    "bound-users": ("Bound the users", bound_users, 2),
    "fifo-backlog": ("Behind a backlog", fifo_backlog, 3),
    "shared-port": ("A few users share a port", shared_port, 3),
    "port-bound": ("What the port allows", port_bound, 1),
    "delay-from-a-table": ("A delay that nobody measured", delay_from_a_table, 3),
}
