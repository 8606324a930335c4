"""The card of chapter 4: how many packets of a flow go ahead."""

from functools import cache

from tunables.chapters.flow_priority.case import case
from tunables.chapters.flow_priority.knee import predict
from tunables.chapters.flow_priority.predictor import CLASSES, SIZE_BYTES
from tunables.chapters.flow_priority.structures import data
from tunables.parts.card import Card, Watch, borrowed, card_model
from tunables.parts.model import Output, Parameter


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrowed(of, "max_packets", high=1000),
        Parameter(
            "flow_bytes",
            "Size of a transaction that must be fast",
            "B",
            SIZE_BYTES[CLASSES.index("medium")],
            "published",
            "page 6, Table 1: medium",
            low=64,
            high=1e9,
            scale="log",
            whole=True,
        ),
        borrowed(of, "mtu_bytes", low=100, high=65_535),
        borrowed(of, "users", label="Users who send such transactions", high=100_000, scale="log"),
        Parameter(
            "pause_ms",
            "Pause of a user between two",
            "ms",
            data()["transaction-delay"].value,
            "published",
            "page 5, Switch Configuration: about 8",
            low=0.01,
            high=100_000,
            scale="log",
        ),
        Parameter(
            "flow_gap_ms",
            "Pause that ends a flow",
            "ms",
            data()["flow-gap"].value,
            "published",
            "page 5, Switch Configuration",
            low=0.01,
            high=10_000,
            scale="log",
        ),
        borrowed(of, "port_rate_gbps", name="port_gbps", label="Port rate", low=0.001, high=800),
        borrowed(
            of,
            "queueing_delay_s",
            1000,
            name="queue_ms",
            label="Wait in the ordinary queue",
            unit="ms",
            low=0,
            high=1000,
        ),
        borrowed(
            of,
            "medium_residual_s",
            1000,
            name="other_ms",
            label="What else a transaction waits for",
            unit="ms",
            low=0,
            high=1000,
        ),
    )


@cache
def card() -> Card:
    """Return the card of the chapter, opened with the report's numbers."""
    return Card(
        model=card_model(
            case(),
            predict,
            _parameters(),
            (
                Output("packets", "Knee: packets of a transaction", "packets", 0),
                Output("last_packets", "One fewer", "packets", 0),
                Output("advised_packets", "Advised: a tenth more than the knee", "packets", 0),
                Output("covered_bytes", "Longest transaction covered", "B", 0),
                Output("advised_bytes", "Covered by the advised setting", "B", 0),
                Output("load_percent", "Port loaded by what goes ahead", "%", 1),
                Output("most_users", "Users until that is half", "users", 0),
                Output("transfer_ms", "A transaction takes, pause excluded", "ms", None),
                Output("transfer_without_ms", "The same without priority", "ms", None),
                Output("target_ms", "The same with the advised setting", "ms", None),
                Output("alert_ms", "Half of the wait is back at", "ms", None),
                Output("room_ms", "Pause that ends a flow, less the wait", "ms", 2),
            ),
        ),
        tunable="The number of packets of a flow that the switch sends ahead of all others "
        "(max-num-pkts), and the pause that ends a flow.",
        knee="{packets} packets: all of your transaction. With {last_packets} the last one waits "
        "in the ordinary queue for all that came before it, and little or nothing of the gain is "
        "left. Your setting covers transactions of up to {covered_bytes} B.",
        failure="Without a sign in the switch: every counter of priority packets rises as planned, "
        "and the application is as slow as before. Beyond {most_users} users the priority traffic "
        "loads half of the port; then it queues behind itself and starves the large flows.",
        watch=(
            Watch(
                "Time of a transaction, 50th percentile",
                "ms",
                "above {alert_ms} ms for ten minutes: half of the wait is back ({target_ms} ms is "
                "what the advised setting gives)",
            ),
            Watch("Size of a transaction, 99th percentile", "B", "above {advised_bytes} B"),
            Watch("Share of the port sent as priority", "%", "above 40 %"),
            Watch("Drops in the priority queue", "1/s", "any"),
            Watch(
                "Wait in the ordinary queue, 99th percentile",
                "ms",
                "above the pause that ends a flow: later packets of a connection overtake earlier "
                "ones, and TCP takes that for loss (room now: {room_ms} ms)",
            ),
            Watch("Rate of the large flows", "Gb/s", "down by a tenth against last week"),
        ),
        steps=(
            "Look up the MTU that is in force, not the one that was ordered: ping with the DF bit.",
            "Capture one transaction and count its packets. Some databases send smaller ones than "
            "the MTU allows: SQL Server's default is 4,096 bytes.",
            "Set {advised_packets} packets on one switch.",
            "See the median fall to about {target_ms} ms within minutes. If it does not, the wait "
            "is not in this port.",
            "Watch the large flows for a day, then the other switches.",
        ),
        roll_back="Drops in the priority queue, large flows below what they need, or a median "
        "still above {alert_ms} ms after ten minutes. Set the old number again.",
        never=(
            "Raise the number until nearly all traffic goes ahead: where all are first, nobody is.",
            "Answer drops with lossless Ethernet (priority flow control): it pauses whole "
            "neighbours, and one slow receiver stops flows that have nothing to do with it.",
            "Shorten the pause that ends a flow below the wait in the ordinary queue.",
            "Change a queuing policy of a busy Nexus 9000 in passing: its guide says that all "
            "ports of the type lose traffic for a moment.",
        ),
        today=(
            "Nexus 9000: hardware qos dynamic-packet-prioritization max-num-pkts, with dpp "
            "set-qos-group in the network-qos policy, as in the report. We found no published "
            "default.",
            "The same switches shorten the ordinary queue itself: approximate fair drop (AFD, "
            "hardware qos afd profile, default burst) drops from large flows, or marks them (ECN).",
            "Linux hosts: DCTCP (net.ipv4.tcp_congestion_control=dctcp) keeps queues short where "
            "the switch marks; the kernel's guide says at about 65 packets for 10 Gb/s.",
            "Linux routers: fq_codel puts new flows first and needs no number of packets; target 5 "
            "ms.",
        ),
    )
