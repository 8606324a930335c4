"""Chapter 4: completion times of five database workloads that share one switch port."""

from tunables.plain.adding import added
from tunables.plain.arguments import choice, number, whole
from tunables.theory.closed_network import closed_network_throughput
from tunables.theory.closed_queueing import mva
from tunables.theory.shared_port import calibrate_delay, completion_times

# Table 1 of the document, in bytes and seconds.
CLASSES = ("extra_small", "small", "medium", "large_1", "large_2")
SIZE_BYTES = (18e3, 64e3, 128e3, 32e6, 64e6)
TRANSACTIONS = (41805, 36585, 30612, 507, 240)
ALONE_S = (300, 300, 300, 300, 300)

# IPv4 and TCP headers with time stamps, which an MTU includes and a transaction does not.
HEADER_BYTES = 52
# Preamble, Ethernet header, checksum and gap between frames, which an MTU does not include.
FRAME_BYTES = 38

STRUCTURES = ("S0", "S1", "M4", "M5")
# The same in words, for readers; links hold the short names.
STRUCTURE_NAMES = ("sharing only", "one wait", "a residual each", "one residual")


def effective_priority(sizes_bytes, ahead_bytes):
    """Return how many bytes of each transaction go ahead to any effect: all of them, or none.

    A transaction longer than ahead_bytes ends with a packet in the slow queue. That queue is
    served first come, first served: its last packet waits there for all that came before it,
    however many of its other packets went ahead.
    """
    return [size if size <= ahead_bytes else 0.0 for size in sizes_bytes]


def latencies(structure, sizes_bytes, ahead_bytes, queueing_delay_s, residuals_s, excess_s):
    """Return what the structure adds to each class's delay, in seconds.

    - "S0", sharing only: nothing
    - "S1", one wait: queueing_delay_s, where the transaction's last packet waits in the slow
      queue: it is longer than ahead_bytes, the bytes that go ahead of the queue
    - "M4", a residual each: and residuals_s[k], with priority or without it, for the three
      classes of small transactions
    - "M5", one residual: and residuals_s[0] for all three, and excess_s more for the third,
      "medium"
    """
    waits = [queueing_delay_s if size > ahead_bytes else 0.0 for size in sizes_bytes]
    if structure == "S0":
        return [0.0] * len(waits)
    if structure == "S1":
        return waits
    if structure == "M4":
        extra = list(residuals_s)
    else:
        extra = [residuals_s[0], residuals_s[0], residuals_s[0] + excess_s]
    extra += [0.0] * (len(waits) - len(extra))
    return [wait + more for wait, more in zip(waits, extra)]


def predict(
    *,
    structure,
    users,
    max_packets,
    mtu_bytes,
    port_rate_gbps,
    queueing_delay_s,
    extra_small_residual_s,
    small_residual_s,
    medium_residual_s,
    medium_excess_s,
    table_1_users,
    table_1_port_rate_gbps,
) -> dict:
    """Return completion times in seconds without and with DPP, and the port's utilisation.

    The keys are "extra_small_without_s", "extra_small_with_s" and so on for the five classes;
    "port_utilisation", without DPP while all five run; "port_traffic_gbps", what is then on the
    wire, headers and frames included; "extra_small_alone_transactions" and so on, what each
    user would carry out in Table 1's time if the class had the port alone; and "small_delay_ms",
    the mean of the delays of the three small classes.
    users: of each database; port_rate_gbps: what the port carries without headers; with DPP the
    first max_packets packets of a transaction go ahead, each of mtu_bytes with its 52 bytes of
    headers, and help it only if they are all of it (`effective_priority`).
    structure and the five times: see `latencies`. Each class's delay is the one with which
    table_1_users take Table 1's 300 s alone at table_1_port_rate_gbps; it is kept when users
    and port_rate_gbps are other than those.
    Good to about 1 % while the bytes that go ahead load the port by less than a half.
    Raises ValueError for a parameter outside its range, by its name.

    >>> sharing = {"queueing_delay_s": 0, "extra_small_residual_s": 0, "small_residual_s": 0}
    >>> sharing.update(structure="S0", medium_residual_s=0, medium_excess_s=0)
    >>> port = {"users": 20, "max_packets": 20, "mtu_bytes": 9000, "port_rate_gbps": 9.5}
    >>> answer = predict(table_1_users=20, table_1_port_rate_gbps=9.5, **port, **sharing)
    >>> round(answer["extra_small_without_s"]), round(answer["extra_small_with_s"])
    (325, 300)
    """
    choice("structure", structure, STRUCTURES)
    users = whole("users", users, at_least=1)
    packet_bytes = whole("mtu_bytes", mtu_bytes, at_least=HEADER_BYTES + 1) - HEADER_BYTES
    ahead_bytes = whole("max_packets", max_packets) * packet_bytes
    wait = number("queueing_delay_s", queueing_delay_s, at_least=0)
    residuals = (
        number("extra_small_residual_s", extra_small_residual_s, at_least=0),
        number("small_residual_s", small_residual_s, at_least=0),
        number("medium_residual_s", medium_residual_s, at_least=0),
    )
    excess = number("medium_excess_s", medium_excess_s, at_least=0)

    port_rate_bps = 1e9 * number("port_rate_gbps", port_rate_gbps, above=0)
    population = [users] * len(CLASSES)
    work = (population, SIZE_BYTES, TRANSACTIONS)
    alone = [whole("table_1_users", table_1_users, at_least=1)] * len(CLASSES)
    alone_rate_bps = 1e9 * number("table_1_port_rate_gbps", table_1_port_rate_gbps, above=0)
    demands = [8 * size / port_rate_bps for size in SIZE_BYTES]
    delays = calibrate_delay(alone, SIZE_BYTES, TRANSACTIONS, ALONE_S, alone_rate_bps)
    outputs = {"small_delay_ms": 1e3 * added(delays[:3]) / 3}
    for column, ahead in (("without", 0), ("with", ahead_bytes)):
        extra = latencies(structure, SIZE_BYTES, ahead, wait, residuals, excess)
        priority = effective_priority(SIZE_BYTES, ahead)
        times = completion_times(*work, delays, port_rate_bps, extra, priority)
        for name, time in zip(CLASSES, times):
            outputs[f"{name}_{column}_s"] = time
        if not ahead:
            cycle = [z + w for z, w in zip(delays, extra)]
            throughputs = closed_network_throughput(population, cycle, demands)[0]
            busy = added(x * d for x, d in zip(throughputs, demands))
            on_the_wire = (packet_bytes + HEADER_BYTES + FRAME_BYTES) / packet_bytes
            outputs["port_utilisation"] = busy
            outputs["port_traffic_gbps"] = busy * port_rate_bps * on_the_wire / 1e9
    for name, demand, delay, alone_s in zip(CLASSES, demands, delays, ALONE_S):
        throughput = mva([demand], users, think_time_s=delay)[0]
        outputs[f"{name}_alone_transactions"] = alone_s * throughput / users
    return outputs
