"""The card of chapter 4: how many packets of a flow go ahead."""

from tunables.cards.card import Card, Watch, borrowed, card_model
from tunables.cases.case import Output, Parameter
from tunables.cases.dpp import CASE
from tunables.cases.dpp_structures import DATA
from tunables.predictors.dpp import CLASSES, SIZE_BYTES

_PARAMETERS = (
    borrowed(CASE, "max_packets", high=1000),
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
    borrowed(CASE, "mtu_bytes", low=100, high=65_535),
    borrowed(CASE, "users", label="Users who send such transactions", high=100_000, scale="log"),
    Parameter(
        "pause_ms",
        "Pause of a user between two",
        "ms",
        DATA["transaction-delay"].value,
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
        DATA["flow-gap"].value,
        "published",
        "page 5, Switch Configuration",
        low=0.01,
        high=10_000,
        scale="log",
    ),
    borrowed(CASE, "port_rate_gbps", name="port_gbps", label="Port rate", low=0.001, high=800),
    borrowed(
        CASE,
        "queueing_delay_s",
        1000,
        name="queue_ms",
        label="Wait in the ordinary queue",
        unit="ms",
        low=0,
        high=1000,
    ),
)

CARD = Card(
    model=card_model(
        CASE,
        "tunables.predictors.priority_packets",
        _PARAMETERS,
        (
            Output("packets", "Knee: packets of a transaction", "packets", 0),
            Output("last_packets", "One fewer", "packets", 0),
            Output("covered_bytes", "Longest transaction covered", "B", 0),
            Output("load_percent", "Port loaded by what goes ahead", "%", 1),
            Output("most_users", "Users until that is half", "users", 0),
            Output("transfer_ms", "A transaction crosses in", "ms", None),
            Output("transfer_without_ms", "The same without priority", "ms", None),
        ),
    ),
    tunable="The number of packets of a flow that the switch sends ahead of all others "
    "(max-num-pkts), and the pause that ends a flow.",
    knee="{packets} packets: all of your transaction. With {last_packets} the last one stands in "
    "the ordinary queue, and nearly the whole gain is lost. Your setting covers transactions of "
    "up to {covered_bytes} B.",
    failure="Without a sign in the switch: every counter of priority packets rises as planned, and "
    "the application is as slow as before. Beyond {most_users} users the priority traffic loads "
    "half of the port; then it queues behind itself and starves the large flows.",
    watch=(
        Watch("Time of a transaction, 50th and 99th percentile", "ms", "above {transfer_ms} ms"),
        Watch("Size of a transaction, 99th percentile", "B", "above {covered_bytes} B"),
        Watch("Share of the port sent as priority", "%", "above 40 %"),
        Watch("Drops in the priority queue", "1/s", "any: it is meant to drop nothing"),
        Watch("Rate of the large flows", "Gb/s", "down by a tenth against last week"),
    ),
    steps=(
        "Look up the MTU that is in force, not the one that was ordered: ping with the DF bit.",
        "Measure the size of the transaction as the wire has it, answers included.",
        "Set {packets} packets on one switch; a tenth more leaves room for growth.",
        "See the median fall towards {transfer_ms} ms within minutes. If it does not, the wait "
        "is not in this port.",
        "Watch the large flows for a day, then the other switches.",
    ),
    roll_back="Drops in the priority queue, or large flows below what they need. Set the number "
    "back; it takes effect with the next flow.",
)
