"""The card of chapter 4: how many packets of a flow go ahead."""

from functools import cache

from tunables.chapters.flow_priority.calibration import data
from tunables.chapters.flow_priority.case import case
from tunables.chapters.flow_priority.predictor import (
    CLASSES,
    MOST_PACKETS,
    SIZE_BYTES,
    STATES,
    predict_headroom,
)
from tunables.chapters.flow_priority.simulation import delays_of
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

MEDIUM = CLASSES.index("medium")

_HEAVY = ("heavy", "heavy-ahead", "heavy-alone")
_IDLE = ("idle", "idle-port")


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
        borrow_parameter(of, "max_packets", high=MOST_PACKETS),
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
            of,
            "users",
            label="Users who send transactions that must be fast",
            high=100_000,
            scale="log",
        ),
        Parameter(
            "pause_ms",
            "A user's pause between two transactions",
            "ms",
            _medium_pause_ms(),
            "calibrated",
            "fitted to Table 1: the medium workload's 30,612 transactions in 300 s, alone on the "
            "port",
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
            label="A transaction's time outside this port, measured with the port idle",
            unit="ms",
            low=0,
            high=1000,
        ),
        Parameter(
            "without_ms",
            "Transaction time without priority, not counting the pause",
            "ms",
            _medium_without_ms(),
            "calibrated",
            "page 7, Table 2: the medium workload's 672 s divided by its 30,612 transactions, less "
            "the pause",
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
                Output("most_packets", "Highest setting that this card allows", "packets", 0),
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
                Output("load_percent", "Port load from these users' priority packets", "%", 1),
                Output(
                    "load_alert_percent", "Alert: port load from priority traffic above", "%", 0
                ),
                Output(
                    "most_users",
                    "Largest number of users whose priority traffic fills at most half the port",
                    "users",
                    0,
                ),
                Output("transfer_ms", "Transaction time with your setting", "ms", None),
                Output("target_ms", "Transaction time if all packets go ahead", "ms", None),
                Output("own_ms", "Time that a transaction's bytes need on the port", "ms", None),
                Output(
                    "port_ms",
                    "Transaction's time at the port if all packets go ahead",
                    "ms",
                    None,
                ),
                Output("other_ms", "Transaction's time outside the port, as entered", "ms", None),
                Output(
                    "alert_ms",
                    "Transaction time at which half of the gain is lost",
                    "ms",
                    None,
                ),
                Output(
                    "large_percent",
                    "Alert: rate of the large flows, relative to last week, below",
                    "%",
                    0,
                ),
                Output("restart_ms", "Pause that ends a flow, as entered", "ms", None),
                Output(
                    "room_ms",
                    "Pause that ends a flow, minus the wait in the ordinary queue",
                    "ms",
                    2,
                ),
            ),
            main=("advised_packets", "transfer_ms", "most_users"),
            states=True,
        ),
        states=STATES,
        tunable="The number of packets of each flow that the switch sends ahead of all others "
        "(max-num-pkts), and the pause that ends a flow.",
        knee="The knee is the number of packets in your transaction: {packets}. With a lower "
        "setting, the last packet has to go through the ordinary queue. If that queue only "
        "delays packets, the whole gain may be lost; if it drops packets, half of the gain or more "
        "may be left. Your setting covers transactions of up to {covered_bytes} B.",
        failure="The switch shows no sign of trouble: its counters of priority packets rise as "
        "expected, but the application is hardly any faster. The number of users whose "
        "packets can all go ahead is limited to {most_users}. With more users, priority traffic "
        "fills more than half of the port, so it queues behind itself, and the large flows have to "
        "share the rest.",
        watch=(
            Watch(
                "Transaction time with priority, 50th percentile",
                "ms",
                "above",
                "alert_ms",
                "for ten minutes",
                states=("covered", "short"),
            ),
            Watch(
                "Transaction size, 99th percentile",
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
                "Leave the number as it is. After each release, capture one transaction at the "
                "switch and count its packets: there must not be more than your setting allows.",
            ),
            When(
                ("covered",),
                "If the median transaction time is still above {alert_ms} ms, count the packets "
                "before you change anything, because an application may send packets smaller than "
                "the MTU allows.",
            ),
            When(
                ("short",),
                "To find out which MTU is really in force, ping with the DF bit set. The MTU may "
                "differ from the configured one.",
            ),
            When(
                ("short",),
                "Capture some of these transactions at the switch and count the packets of the "
                "largest: on a host, segmentation offload shows a few large packets in place of "
                "many. Some databases send packets smaller than the MTU allows (SQL Server: 4,096 "
                "bytes by default). If you count more than {packets}, use a value in the next step "
                "that is a tenth above your count, but at most {most_packets}. If you count more "
                "than {most_packets}, stop here: this card knows of no setting that covers the "
                "transaction.",
            ),
            When(
                ("short",),
                "Set max-num-pkts to {advised_packets} (or to your own number from the step "
                "before) on one switch, in a maintenance window, because the change itself may "
                "interrupt traffic.",
            ),
            When(
                ("short",),
                "Ten minutes later, check that the median transaction time has gone down to about "
                "{target_ms} ms. If it hasn't, the wait is not at this port, so put the old number "
                "back before the window closes.",
            ),
            When(
                ("short",),
                "Watch the large flows for a day. Then change the next switch, again "
                "in a maintenance window.",
            ),
            When(
                ("too-long",),
                "Leave the number as it is: it would have to be {packets} or more, and this card "
                "knows of no setting above {most_packets}. Unless your switch's manual allows "
                "more, no setting helps.",
            ),
            When(
                ("too-long",),
                "Check the MTU on the whole path. If you can raise it, plan to do so, because each "
                "transaction would then need fewer packets. Then enter the new MTU above.",
            ),
            When(
                ("heavy",),
                "Leave the number as it is. If all packets of these users went ahead, they would "
                "fill more than half of the port.",
            ),
            When(
                ("heavy-ahead",),
                "Leave the number as it is. All packets of these users go ahead already, and they "
                "fill {load_percent}% of the port. With a lower number, each transaction would "
                "leave packets behind.",
            ),
            When(
                ("heavy", "heavy-ahead"),
                "Plan to move users to another port: at most {most_users} can share this one. Or "
                "move the large flows to another port.",
            ),
            When(
                ("heavy-alone",),
                "Leave the number as it is. If all packets went ahead, even a single user would "
                "fill more than half of the port.",
            ),
            When(
                ("heavy-alone",),
                "Plan to move these transactions to a faster port, or to one without large flows.",
            ),
            When(
                ("merged",),
                "Leave the number as it is: a higher number would be used up too, because the "
                "count does not restart after a pause shorter than {restart_ms} ms.",
            ),
            When(
                ("merged",),
                "Compare the users' pause with the wait in the ordinary queue. If the users' pause "
                "is longer, set the pause that ends a flow to a value between the two, in a "
                "maintenance window.",
            ),
            When(
                ("passing",),
                "Leave the number as it is. First bring the wait in the ordinary queue below "
                "{restart_ms} ms: until then, large flows go ahead too.",
            ),
            When(
                (*_HEAVY, "too-long", "merged", "passing"),
                "In a maintenance window, shorten the ordinary queue: let the switch mark (ECN) "
                "or drop (AFD) packets of large flows early. That also helps transactions that "
                "don't get priority.",
            ),
            When(
                _IDLE,
                "Leave the setting as it is, because priority could save less than a tenth of a "
                "transaction's time.",
            ),
            When(
                ("idle",),
                "Of the {target_ms} ms that a transaction takes with priority, {port_ms} ms are "
                "spent at this port. Find out where the other {other_ms} ms are spent: in the "
                "server, its disks or the client.",
            ),
            When(
                ("idle-port",),
                "Plan for a faster port, or for smaller transactions. Of the {target_ms} ms that a "
                "transaction takes with priority, {port_ms} ms are spent at this port: {own_ms} ms "
                "for its own bytes, and the rest for other users. Only {other_ms} ms are spent "
                "elsewhere.",
            ),
            When(
                ("mismatch",),
                "Leave the switch as it is until you have measured both transaction times again. "
                "The present numbers contradict each other, so the card can't give advice.",
            ),
            When(
                ("mismatch",),
                "Time a transaction on an idle port. Compare it with a transaction on the busy "
                "port without priority, which must take longer. The time outside the port is the "
                "time on the idle port minus the {own_ms} ms that the bytes need there. If "
                "priority is already in force, use a measurement from before it was turned on. "
                "Don't turn priority off for this.",
            ),
        ),
        roll_back=(
            When(
                ("short", "covered"),
                "If, ten minutes after a change, the users' median transaction time is still above "
                "{alert_ms} ms, or if packets are dropped in the priority queue, or if a backup or "
                "copy misses its deadline, put the old number back. Do so at once if the "
                "maintenance window is still open, otherwise in the next one.",
            ),
            When(
                ("too-long", *_HEAVY, "merged", "passing", *_IDLE, "mismatch"),
                "If, ten minutes after a change, the users' median transaction time is longer "
                "than before or the large flows are slower, undo the change. Do so at once if the "
                "maintenance window is still open, otherwise in the next one.",
            ),
        ),
        never=(
            "Don't raise the number so far that nearly all traffic goes ahead: if everyone is "
            "first, nobody is.",
            "Don't respond to drops with lossless Ethernet (priority flow control): it pauses the "
            "neighbouring devices, so one slow receiver can stop flows that have nothing to do "
            "with it.",
            "Don't make the pause that ends a flow shorter than the wait in the ordinary queue, "
            "because large flows would then go ahead too.",
            "Don't turn on DCTCP on a host unless every switch on its paths marks packets: it "
            "applies to all connections of the host.",
            "Don't change a queuing policy on a busy Nexus 9000 outside a maintenance window: "
            "according to its guide, all ports of the same type lose traffic for a moment.",
        ),
    )
