"""Chapter 4's closed forms: five workloads that share a switch port, and the card's headroom."""

import math

from tunables.base.arguments import choice, integer, number
from tunables.base.portable import plain_sum
from tunables.theory.closed_network import closed_network_throughput
from tunables.theory.closed_queueing import mva
from tunables.theory.shared_port import calibrate_delay, completion_times

# Table 1 of the document, in bytes and seconds.
CLASSES = ("extra_small", "small", "medium", "large_1", "large_2")
SIZE_BYTES = (18e3, 64e3, 128e3, 32e6, 64e6)
TRANSACTIONS = (41805, 36585, 30612, 507, 240)
ALONE_S = (300, 300, 300, 300, 300)

# IPv4 and TCP headers with time stamps: part of an MTU, but not of a transaction.
HEADER_BYTES = 52
# Preamble, Ethernet header, checksum and gap between frames: not part of an MTU.
FRAME_BYTES = 38

STRUCTURES = ("S0", "S1", "M4", "M5")
# The same in words, for readers. Links use the short names.
STRUCTURE_NAMES = ("sharing only", "one wait", "separate residuals", "one residual")

# Thresholds, states and verdicts of the card.
# Above this load of the port, priority traffic delays itself and takes capacity from the rest.
HEAVY_PERCENT = 50
LEAST_GAIN = 0.1  # share of a transaction's time; priority that saves less is not worth a change
MOST_PACKETS = 1000  # the highest setting that the card takes; the switch's own limit is not known
DROP_OF_LARGE = 0.9  # alert if the large flows have less than this share of the rate due to them

STATES = (
    "covered",
    "short",
    "too-long",
    "heavy",
    "heavy-ahead",
    "heavy-alone",
    "merged",
    "passing",
    "idle",
    "idle-port",
    "mismatch",
)
VERDICTS = {
    "covered": "Below the knee: every packet of the transaction goes ahead.",
    "short": "Past the knee: the last packet is left behind, and is delayed or lost in the "
    "ordinary queue.",
    "too-long": "Past the knee: the transaction has more packets than the highest setting covers, "
    "so its last packet is left behind.",
    "heavy": "Past the knee: if all packets went ahead, priority traffic would fill more than "
    "half of the port.",
    "heavy-ahead": "Past the knee: all packets go ahead, and priority traffic fills more than half "
    "of the port.",
    "heavy-alone": "Past the knee: if all packets went ahead, even a single user would fill more "
    "than half of the port.",
    "merged": "Past the knee: users' pauses are shorter than the pause that ends a flow, so the "
    "count never restarts.",
    "passing": "Past the knee: packets wait longer than the pause that ends a flow, so large "
    "flows count as new and go ahead too.",
    "idle": "Below the knee: priority on this port could save less than a tenth of a "
    "transaction's time.",
    "idle-port": "Below the knee: priority could save less than a tenth of a transaction's time, "
    "because the port itself is slow for transactions of this size.",
    "mismatch": "The card can't say which side of the knee you are on. These numbers contradict "
    "each other: a transaction's time outside this port, plus the time that its bytes need on the "
    "port, is not shorter than the whole transaction. Measure both again.",
}


def effective_priority(sizes_bytes, ahead_bytes):
    """Return how many bytes of each transaction go ahead with any effect: all of them, or none.

    A transaction longer than ahead_bytes ends with a packet in the slow queue. That queue is
    assumed to be served first come, first served, and to drop nothing. The last packet waits
    there for all that came before it, however many of its other packets went ahead. If the
    slow queue drops packets, those that go ahead do gain something: see `percents_left`.
    """
    return [size if size <= ahead_bytes else 0.0 for size in sizes_bytes]


def latencies(structure, sizes_bytes, ahead_bytes, queueing_delay_s, residuals_s, excess_s):
    """Return what the structure adds to each class's delay, in seconds.

    - "S0", sharing only: nothing
    - "S1", one wait: queueing_delay_s for transactions longer than ahead_bytes, the bytes that
      go ahead of the slow queue, because their last packet waits in it
    - "M4", separate residuals: also residuals_s[k] for the three classes of small transactions,
      with or without priority
    - "M5", one residual: also residuals_s[0] for all three, and excess_s more for the third,
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
    "port_utilisation", without DPP while all five run; "port_traffic_gbps", the traffic on the
    wire at that time, headers and frames included; "extra_small_alone_transactions" and so on,
    the number that each user would carry out in Table 1's time if the class had the port alone;
    and "small_delay_ms", the mean of the delays of the three small classes.
    users: of each database; port_rate_gbps: payload rate of the port, without headers. With DPP
    the first max_packets packets of a transaction go ahead, each of mtu_bytes with its 52 bytes
    of headers. They help it only if it has no others (`effective_priority`).
    structure and the five times: see `latencies`. Each class's delay is the one with which
    table_1_users take Table 1's 300 s alone at table_1_port_rate_gbps. It stays the same for
    other values of users and port_rate_gbps.
    Good to about 1% while the bytes that go ahead load the port by less than a half.
    Raises ValueError for a parameter outside its range, by its name.

    >>> sharing = {"queueing_delay_s": 0, "extra_small_residual_s": 0, "small_residual_s": 0}
    >>> sharing.update(structure="S0", medium_residual_s=0, medium_excess_s=0)
    >>> port = {"users": 20, "max_packets": 20, "mtu_bytes": 9000, "port_rate_gbps": 9.5}
    >>> answer = predict(table_1_users=20, table_1_port_rate_gbps=9.5, **port, **sharing)
    >>> round(answer["extra_small_without_s"]), round(answer["extra_small_with_s"])
    (325, 300)
    """
    choice("structure", structure, STRUCTURES)
    users = integer("users", users, at_least=1)
    packet_bytes = integer("mtu_bytes", mtu_bytes, at_least=HEADER_BYTES + 1) - HEADER_BYTES
    ahead_bytes = integer("max_packets", max_packets) * packet_bytes
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
    alone = [integer("table_1_users", table_1_users, at_least=1)] * len(CLASSES)
    alone_rate_bps = 1e9 * number("table_1_port_rate_gbps", table_1_port_rate_gbps, above=0)
    demands = [8 * size / port_rate_bps for size in SIZE_BYTES]
    delays = calibrate_delay(alone, SIZE_BYTES, TRANSACTIONS, ALONE_S, alone_rate_bps)
    outputs = {"small_delay_ms": 1e3 * plain_sum(delays[:3]) / 3}
    for column, ahead in (("without", 0), ("with", ahead_bytes)):
        extra = latencies(structure, SIZE_BYTES, ahead, wait, residuals, excess)
        priority = effective_priority(SIZE_BYTES, ahead)
        times = completion_times(*work, delays, port_rate_bps, extra, priority)
        for name, time in zip(CLASSES, times):
            outputs[f"{name}_{column}_s"] = time
        if not ahead:
            cycle = [z + w for z, w in zip(delays, extra)]
            throughputs = closed_network_throughput(population, cycle, demands)[0]
            busy = plain_sum(x * d for x, d in zip(throughputs, demands))
            on_the_wire = (packet_bytes + HEADER_BYTES + FRAME_BYTES) / packet_bytes
            outputs["port_utilisation"] = busy
            outputs["port_traffic_gbps"] = busy * port_rate_bps * on_the_wire / 1e9
    for name, demand, delay, alone_s in zip(CLASSES, demands, delays, ALONE_S):
        throughput = mva([demand], users, think_time_s=delay)[0]
        outputs[f"{name}_alone_transactions"] = alone_s * throughput / users
    return outputs


def _state(pause, gap, wait, full_percent, other, own, target, without, packets, allowed, most):
    """Return the first state that applies; an earlier one makes the later ones meaningless.

    most: the most users whose packets may all go ahead.
    """
    short = packets > allowed
    if other + own >= without:
        return "mismatch"
    if pause < gap:
        return "merged"
    if gap < wait:
        return "passing"
    if full_percent > HEAVY_PERCENT:
        if most == 0:
            return "heavy-alone"
        return "heavy" if short else "heavy-ahead"
    if target > (1 - LEAST_GAIN) * without:
        return "idle-port" if target - other > other else "idle"
    if short and packets > MOST_PACKETS:
        return "too-long"
    return "short" if short else "covered"


def _port_time(users, own, away):
    """Return how many ms per transaction takes in the port if all of it goes ahead.

    It shares the port only with the other users' transactions: R = S (1 + (N - 1) R/(Z + R)). This
    is mean value analysis with (N - 1)/N of Q(N) in place of Q(N - 1) (Schweitzer).
    """
    excess = users * own - away
    root = math.sqrt(excess * excess + 4 * own * away)
    return (root + excess) / 2 if excess > 0 else 2 * own * away / (root - excess)


def _load(users, own_ahead, cycle):
    return min(users * own_ahead / cycle, 1.0)


def _most_users(own, away):
    """Return the most users who load the port by HEAVY_PERCENT or less, with every packet ahead."""
    share = HEAVY_PERCENT / 100
    # R is between S and S/(1 - share), so this is at most one too many.
    users = math.floor(share * (away + own / (1 - share)) / own)
    while users > 0 and _load(users, own, away + _port_time(users, own, away)) > share:
        users -= 1
    return users


def predict_headroom(
    *,
    port_gbps,
    users,
    flow_bytes,
    pause_ms,
    mtu_bytes,
    max_packets,
    flow_gap_ms,
    queue_ms,
    other_ms,
    without_ms,
) -> dict:
    """Return what priority for the first max_packets packets gives flows of flow_bytes.

    - "packets": how many a flow has, of mtu_bytes each with 52 bytes of headers, which is the
      setting needed; "most_packets": the highest setting, MOST_PACKETS; "advised_packets": a
      tenth more than "packets", for growth, and at most MOST_PACKETS, or max_packets if that is
      higher or no setting covers the flow
    - "covered_bytes": the longest flow that max_packets cover; "advised_bytes": the longest that
      the advice covers, which is advised_packets in the state "short" and max_packets otherwise
    - "target_ms": the time of a transaction with all its packets ahead, pause excluded: other_ms,
      which priority does not cure, plus its time in the port, R = S (1 + (N - 1) R/(pause + other
      + R)) with S = 8 flow_bytes/port; "own_ms": S; "port_ms": R; "other_ms": as entered
    - "transfer_ms": its time with the present setting: target_ms, or without_ms if a packet is
      left behind (if the slow queue drops it may be less, or a little more: see `percents_left`)
    - "alert_ms": midway between target_ms and without_ms, where half of the gain is lost
    - "load_percent": load of the port by what goes ahead, N 8 b/(C (pause + transfer));
      "most_users": the most whose whole flows load it by HEAVY_PERCENT or less;
      "load_alert_percent": midway between the load of whole flows and HEAVY_PERCENT, and never
      above HEAVY_PERCENT
    - "large_percent": the share of last week's rate below which the large flows lose more than
      they must: 90% of what the small ones leave them, after the change in the state "short"
    - "restart_ms": flow_gap_ms. Packets that wait longer in the ordinary queue are overtaken by
      later ones of their connection, and flows with a shorter pause do not count as new.
      "room_ms": by how much it exceeds queue_ms
    - "state", one of STATES, and "verdict": which side of the knee

    Raises ValueError for a number out of its range, by its name.

    >>> port = {"port_gbps": 10, "users": 20, "pause_ms": 10, "flow_gap_ms": 5, "queue_ms": 4}
    >>> flow = {"flow_bytes": 128_000, "mtu_bytes": 9000, "other_ms": 6, "without_ms": 12}
    >>> card = predict_headroom(max_packets=20, **flow, **port)
    >>> card["packets"], card["covered_bytes"], card["state"]
    (15.0, 178960.0, 'covered')
    >>> [round(card[name], 2) for name in ("target_ms", "alert_ms", "load_percent")]
    [6.12, 9.06, 12.71]
    """
    rate = number("port_gbps", port_gbps, above=0) * 1e6  # bits/ms
    n = integer("users", users, at_least=1)
    size = number("flow_bytes", flow_bytes, above=0)
    pause = number("pause_ms", pause_ms, at_least=0)
    payload = integer("mtu_bytes", mtu_bytes, at_least=HEADER_BYTES + 1) - HEADER_BYTES
    allowed = integer("max_packets", max_packets)
    gap = number("flow_gap_ms", flow_gap_ms, above=0)
    wait = number("queue_ms", queue_ms, at_least=0)
    other = number("other_ms", other_ms, at_least=0)
    without = number("without_ms", without_ms, above=0)
    packets = math.ceil(size / payload)
    advised = allowed
    if packets <= MOST_PACKETS:
        advised = max(min(math.ceil(11 * packets / 10), MOST_PACKETS), allowed)
    own, away = 8 * size / rate, pause + other

    target = other + _port_time(n, own, away)
    full = _load(n, own, pause + target)
    short = packets > allowed
    most_users = _most_users(own, away)
    times = (other, own, target, without)
    state = _state(pause, gap, wait, 100 * full, *times, packets, allowed, most_users)
    behind = short or state == "merged"
    transfer = without if behind else target
    ahead = own * min(allowed * payload / size, 1.0) if state != "merged" else 0.0
    left_before = 1 - min(n * own / (pause + without), full)
    kept = (1 - full) / left_before if state == "short" and left_before > 0 else 1.0
    return {
        "state": state,
        "verdict": VERDICTS[state],
        "packets": float(packets),
        "most_packets": float(MOST_PACKETS),
        "advised_packets": float(advised),
        "covered_bytes": float(allowed * payload),
        "advised_bytes": float((advised if state == "short" else allowed) * payload),
        "load_percent": 100 * _load(n, ahead, pause + transfer),
        "load_alert_percent": (min(100 * full, HEAVY_PERCENT) + HEAVY_PERCENT) / 2,
        "most_users": float(most_users),
        "transfer_ms": transfer,
        "target_ms": target,
        "own_ms": own,
        "port_ms": target - other,
        "other_ms": other,
        "alert_ms": (target + without) / 2,
        "large_percent": 100 * DROP_OF_LARGE * kept,
        "restart_ms": gap,
        "room_ms": gap - wait,
    }
