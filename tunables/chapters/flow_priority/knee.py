"""Operator's card of chapter 4: how many packets of a flow must go ahead, and what that loads."""

import math

from tunables.chapters.flow_priority.predictor import HEADER_BYTES
from tunables.plain.arguments import number, whole

# Beyond this share of the port the priority traffic delays itself, and starves the rest.
HEAVY_PERCENT = 50


def _verdict(packets, max_packets, restarts, load_percent):
    if not restarts:
        return (
            "Over the knee: the pause is shorter than the flow's gap, so counting never restarts."
        )
    if packets > max_packets:
        return "Over the knee: the last packet is left behind, and it waits for the whole queue."
    if load_percent > HEAVY_PERCENT:
        return "Over the knee: all packets go ahead, and priority traffic loads half of the port."
    return "Below the knee: every packet of the transaction goes ahead."


def predict(
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
) -> dict:
    """Return what priority for the first max_packets packets gives flows of flow_bytes.

    - "packets": of a flow, mtu_bytes each with 52 bytes of headers: the setting needed;
      "last_packets": one fewer; "advised_packets": a tenth more, for growth
    - "covered_bytes", "advised_bytes": the longest flow that max_packets, advised_packets cover
    - "load_percent": of the port by what goes ahead, if users each send a flow, pause for
      pause_ms and send the next: at most N 8 b/(C (pause + 8 S/C)); "most_users": whose whole
      flows load it by HEAVY_PERCENT
    - "transfer_ms": of a flow, S/(C (1 - load)) and other_ms, which priority does not cure, and
      queue_ms more, the wait in the ordinary queue, if a packet is left behind; inf at a load
      of 1; "transfer_without_ms": with no priority at all; "target_ms": with the advised
      setting; "alert_ms": midway between these two, where half of the wait is back
    - "room_ms": by which flow_gap_ms exceeds queue_ms; below 0 later packets of a connection
      overtake earlier ones
    - "verdict": which side of the knee

    A flow ends with a pause of flow_gap_ms; after a shorter one the packets are counted on.
    Raises ValueError for a number out of its range, by its name.

    >>> port = {"port_gbps": 10, "users": 20, "pause_ms": 8, "flow_gap_ms": 5, "queue_ms": 4}
    >>> card = predict(flow_bytes=128_000, mtu_bytes=9000, max_packets=20, other_ms=6, **port)
    >>> card["packets"], card["covered_bytes"], round(card["load_percent"], 1)
    (15.0, 178960.0, 25.3)
    >>> round(card["target_ms"], 2), round(card["alert_ms"], 2), round(card["room_ms"], 2)
    (6.14, 8.12, 1.0)
    """
    rate = number("port_gbps", port_gbps, above=0) * 1e6  # bits/ms
    n = whole("users", users, at_least=1)
    size = number("flow_bytes", flow_bytes, above=0)
    pause = number("pause_ms", pause_ms, at_least=0)
    payload = whole("mtu_bytes", mtu_bytes, at_least=HEADER_BYTES + 1) - HEADER_BYTES
    allowed = whole("max_packets", max_packets)
    gap = number("flow_gap_ms", flow_gap_ms, above=0)
    wait = number("queue_ms", queue_ms, at_least=0)
    other = number("other_ms", other_ms, at_least=0)
    packets = math.ceil(size / payload)
    advised = math.ceil(11 * packets / 10)
    own = 8 * size / rate

    def load(bytes_ahead):
        return min(n * 8 * bytes_ahead / rate / (pause + own), 1.0)

    def transfer(load_ahead):
        return other + (own / (1 - load_ahead) if load_ahead < 1 else math.inf)

    restarts = pause >= gap
    ahead = load(min(size, allowed * payload) if restarts else 0.0)
    behind = packets > allowed or not restarts
    target, without = transfer(load(size)), own + wait + other
    return {
        "verdict": _verdict(packets, allowed, restarts, 100 * ahead),
        "packets": float(packets),
        "last_packets": float(max(packets - 1, 0)),
        "advised_packets": float(advised),
        "covered_bytes": float(allowed * payload),
        "advised_bytes": float(advised * payload),
        "load_percent": 100 * ahead,
        "most_users": float(math.floor(HEAVY_PERCENT / 100 * (pause + own) / own)),
        "transfer_ms": transfer(ahead) + (wait if behind else 0.0),
        "transfer_without_ms": without,
        "target_ms": target,
        "alert_ms": (target + without) / 2,
        "room_ms": gap - wait,
    }
