"""Chapter 6: the clocks in the printed tables, and how busy the event loop was between them."""

from typing import NamedTuple

from tunables.evidence.published import published
from tunables.plain.adding import added

# BGP_IMPORT_INTERVAL_DEFAULT in bgpd/bgp_nexthop.h: `bgp_import` sets itself anew as it runs
IMPORT_PERIOD_S = 15
CONNECT_RETRY_S = 120  # BGP_DEFAULT_CONNECT_RETRY in bgpd/bgpd.h


class Clocks(NamedTuple):
    """Seconds between the two summaries, and bounds of those between the two CPU tables;
    what the loop did between those tables, by the wall and on the processor; and how long
    after the first summary each cleared session was up again."""

    summaries_s: float
    tables_s: tuple[float, float]
    loop_wall_s: float
    loop_cpu_s: float
    up_again_s: dict[int, float]


def read_clocks() -> Clocks:
    """Return what the clocks of the document's tables say.

    A session that stayed up was up longer in the second summary, by the time between the two.
    One that was cleared had been up for what the second summary prints. All times are rounded
    down to whole seconds, so that differences are right within a second. Between n calls of
    a timer and n more lie more than n - 1 and less than n + 1 of its periods.
    """
    summary, cpu = published("quagga-bgp-summary"), published("quagga-thread-cpu")

    def up_s(table, host):
        return summary[f"summary-{table}-neighbour-{host}-up"].value

    def gain(row, quantity):
        first, second = (cpu[f"table-{table}-{row}-{quantity}"].value for table in (1, 2))
        return second - first

    def wall_s(table):
        total = f"table-{table}-total"
        return cpu[f"{total}-mean-wall"].value * cpu[f"{total}-calls"].value / 1e6

    stayed_s = {up_s(2, host) - up_s(1, host) for host in (11, 53)}
    between_s = added(stayed_s) / len(stayed_s)
    calls = gain("bgp-import", "calls")
    return Clocks(
        summaries_s=between_s,
        tables_s=((calls - 1) * IMPORT_PERIOD_S, (calls + 1) * IMPORT_PERIOD_S),
        loop_wall_s=wall_s(2) - wall_s(1),
        loop_cpu_s=gain("total", "runtime") / 1000,
        up_again_s={host: between_s - up_s(2, host) for host in (23, 18)},
    )
