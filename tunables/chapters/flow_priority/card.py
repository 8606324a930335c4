"""The card of chapter 4: how many packets of a flow go ahead."""

from functools import cache

from tunables.chapters.flow_priority.calibration import data
from tunables.chapters.flow_priority.case import case
from tunables.chapters.flow_priority.predictor import CLASSES, SIZE_BYTES, STATES, predict_headroom
from tunables.chapters.flow_priority.simulation import delays_of
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

MEDIUM = CLASSES.index("medium")


def _medium_pause_ms() -> float:
    """Return the pause of medium's users, from their 300 s alone on the port."""
    settings = case().settings()
    return 1e3 * delays_of(settings["table_1_users"], settings["table_1_port_rate_gbps"])[MEDIUM]


def _medium_without_ms() -> float:
    """Return the time of medium's transaction without DPP: its cycle in Table 2 less the pause."""
    cycle_s = data()["medium-without"].value / data()["medium-transactions"].value
    return 1e3 * cycle_s - _medium_pause_ms()


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrow_parameter(of, "max_packets", high=1000),
        Parameter(
            "flow_bytes",
            "Size of a transaction that must be fast",
            "B",
            SIZE_BYTES[MEDIUM],
            "published",
            "page 6, Table 1: medium",
            low=64,
            high=1e9,
            scale="log",
            integer=True,
        ),
        borrow_parameter(of, "mtu_bytes", low=100, high=65_535),
        borrow_parameter(
            of, "users", label="Users who send such transactions", high=100_000, scale="log"
        ),
        Parameter(
            "pause_ms",
            "A user's pause between two transactions",
            "ms",
            _medium_pause_ms(),
            "calibrated",
            "fitted to Table 1: medium's 30,612 transactions in 300 s alone",
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
        borrow_parameter(
            of, "port_rate_gbps", name="port_gbps", label="Port rate", low=0.001, high=800
        ),
        borrow_parameter(
            of,
            "queueing_delay_s",
            1000,
            name="queue_ms",
            label="Wait in the ordinary queue",
            unit="ms",
            low=0,
            high=1000,
        ),
        borrow_parameter(
            of,
            "medium_residual_s",
            1000,
            name="other_ms",
            label="Rest of a transaction's time, measured on an idle port",
            unit="ms",
            low=0,
            high=1000,
        ),
        Parameter(
            "without_ms",
            "Time of a transaction without priority, pause excluded",
            "ms",
            _medium_without_ms(),
            "calibrated",
            "page 7, Table 2: medium's 672 s over 30,612 transactions, less the pause",
            low=0.01,
            high=100_000,
            scale="log",
        ),
    )


@cache
def card() -> Card:
    """Return the card of the chapter, filled in with the report's numbers."""
    return Card(
        model=card_model(
            case(),
            predict_headroom,
            _parameters(),
            (
                Output("packets", "Knee: packets in a transaction", "packets", 0),
                Output("last_packets", "One packet below the knee", "packets", 0),
                Output(
                    "advised_packets", "Recommended setting: a tenth above the knee", "packets", 0
                ),
                Output("covered_bytes", "Largest transaction that your setting covers", "B", 0),
                Output(
                    "advised_bytes",
                    "Largest transaction that the recommended setting covers",
                    "B",
                    0,
                ),
                Output("load_percent", "Port load from priority traffic", "%", 1),
                Output(
                    "load_alert_percent", "Alert: port load from priority traffic above", "%", 0
                ),
                Output(
                    "most_users",
                    "Users at which priority traffic fills half of the port",
                    "users",
                    0,
                ),
                Output("transfer_ms", "Time of a transaction with your setting", "ms", None),
                Output("target_ms", "Time of a transaction with all packets ahead", "ms", None),
                Output(
                    "alert_ms",
                    "Time of a transaction at which half of the gain is lost",
                    "ms",
                    None,
                ),
                Output(
                    "large_percent",
                    "Alert: rate of the large flows, relative to last week, below",
                    "%",
                    0,
                ),
                Output("restart_ms", "A flow is new after a pause of", "ms", None),
                Output("room_ms", "That pause minus the wait in the ordinary queue", "ms", 2),
            ),
            states=True,
        ),
        states=STATES,
        tunable="The number of packets of a flow that the switch sends ahead of all others "
        "(max-num-pkts), and the pause that ends a flow.",
        knee="{packets} packets, which is all of your transaction. With {last_packets} the last "
        "one has to go through the ordinary queue. If that queue only delays packets, none of the "
        "gain is left; if it drops them, half or more may be left. Your setting covers "
        "transactions of up to "
        "{covered_bytes} B.",
        failure="The switch shows no sign of it: its counters of priority packets rise as planned, "
        "but the application is hardly faster. Beyond {most_users} users the priority traffic "
        "fills half of the port: it queues behind itself, and the large flows share the rest.",
        watch=(
            Watch(
                "Time of a transaction with priority, 50th percentile",
                "ms",
                "above",
                "alert_ms",
                "for ten minutes",
                states=("covered", "short"),
            ),
            Watch(
                "Size of a transaction, 99th percentile",
                "B",
                "above",
                "advised_bytes",
                states=("covered", "short"),
            ),
            Watch("Share of the port used by priority traffic", "%", "above", "load_alert_percent"),
            Watch("Drops in the priority queue", "1/s", "above", 0.0),
            Watch("Wait in the ordinary queue, 99th percentile", "ms", "above", "restart_ms"),
            Watch("Pause between two transactions, 1st percentile", "ms", "below", "restart_ms"),
            Watch("Rate of the large flows, relative to last week", "%", "below", "large_percent"),
        ),
        steps=(
            When(
                ("covered",),
                "Leave the number as it is. Capture one transaction after each release and count "
                "its packets: they must stay within your setting.",
            ),
            When(
                ("covered",),
                "If the median is still above {alert_ms} ms, count the packets before you "
                "change anything: an application may send smaller ones than the MTU allows.",
            ),
            When(
                ("short",),
                "Find the MTU that is in force, not the one that was asked for: ping with the DF "
                "bit.",
            ),
            When(
                ("short",),
                "Capture one transaction and count its packets. Some databases send smaller ones "
                "than the MTU allows (SQL Server: 4,096 bytes by default). If it has more than "
                "{packets}, use the number that you counted, and a tenth more.",
            ),
            When(
                ("short",),
                "Set {advised_packets} packets on one switch, in a maintenance window: the change "
                "itself may interrupt traffic.",
            ),
            When(
                ("short",),
                "Check that the median falls to about {target_ms} ms within ten minutes. If it "
                "does not, "
                "the wait is not in this port: set the old number again.",
            ),
            When(("short",), "Watch the large flows for a day, then go on to the next switch."),
            When(
                ("heavy",),
                "Leave the number as it is. With all their packets ahead these users would fill "
                "more than half of the port.",
            ),
            When(
                ("heavy",),
                "Move users or large flows to another port, until at most {most_users} of these "
                "users share this one.",
            ),
            When(
                ("merged",),
                "Leave the number as it is: a higher one is used up as well, since the counting "
                "does not restart after a pause shorter than {restart_ms} ms.",
            ),
            When(
                ("merged",),
                "If the users' pause is longer than the wait in the ordinary queue, set the "
                "flow's gap between the two, in a maintenance window.",
            ),
            When(
                ("passing",),
                "Leave the number as it is. First bring the wait in the ordinary queue below "
                "{restart_ms} ms: until then large flows go ahead too.",
            ),
            When(
                ("heavy", "merged", "passing"),
                "Shorten the ordinary queue: let the switch mark or drop packets of large flows "
                "early (ECN, AFD). That helps transactions that stay behind as well.",
            ),
            When(("idle",), "Leave the switch as it is: the wait is not in this port."),
            When(
                ("idle",),
                "Look for it where the {target_ms} ms that no priority cures are spent: in the "
                "server, its disks or the client.",
            ),
            When(
                ("mismatch",),
                "Leave the switch as it is until both times have been measured again: no advice "
                "follows from these numbers.",
            ),
            When(
                ("mismatch",),
                "Time a transaction on an idle port, and compare it with one on the busy port "
                "without priority, which must take longer. If priority is in force, use a record "
                "from before: don't switch it off for this.",
            ),
        ),
        roll_back=(
            When(
                ("short", "covered"),
                "Ten minutes after a change the users' median is still above {alert_ms} ms, "
                "packets are dropped in the priority queue, or a backup or copy misses its "
                "deadline. Set the old number again: at once if the maintenance window is still "
                "open, otherwise in the next one.",
            ),
            When(
                ("heavy", "merged", "passing", "idle", "mismatch"),
                "The users' median or the large flows are slower ten minutes after a change than "
                "before it. Undo the change.",
            ),
        ),
        never=(
            "Don't raise the number so far that nearly all traffic goes ahead: where everyone is "
            "first, nobody is.",
            "Don't answer drops with lossless Ethernet (priority flow control): it pauses whole "
            "neighbours, and one slow receiver stops flows that have nothing to do with it.",
            "Don't shorten the pause that ends a flow below the wait in the ordinary queue.",
            "Don't change a queuing policy of a busy Nexus 9000 outside a maintenance window: its "
            "guide says that all ports of the type lose traffic for a moment.",
        ),
    )
