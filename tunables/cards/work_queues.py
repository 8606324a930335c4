"""The card of chapter 6: slices of work in a loop that must keep its timers."""

from tunables.cards.card import Card, Watch, borrowed, card_model
from tunables.cases.case import Output, Parameter
from tunables.cases.quagga import CASE
from tunables.evidence.published import published

_prose = published("quagga-prose")


def _timer(name, label, default):
    return Parameter(
        name,
        label,
        "s",
        default,
        "assumed",
        "customary for BGP",
        low=0.01,
        high=3600,
        scale="log",
    )


_PARAMETERS = (
    borrowed(
        CASE,
        "items",
        label="Items in a queue",
        default=_prose["prefixes-per-session"].value,
        origin="published",
        source="paragraph 5: prefixes in a full feed",
        high=100_000_000,
    ),
    borrowed(
        CASE,
        "item_cost_s",
        1e6,
        name="usual_item_us",
        label="Usual cost of an item",
        unit="µs",
        low=0.01,
        high=1e6,
    ),
    Parameter(
        "dearest_item_us",
        "Cost of a dear item",
        "µs",
        1000.0,
        "assumed",
        "the chapter's dear items; take your 99.9th percentile",
        low=0.01,
        high=1e7,
        scale="log",
    ),
    borrowed(CASE, "quantum_s", 1000, name="quantum_ms", unit="ms", low=0.01, high=10_000,
             scale="log"),
    borrowed(CASE, "rule"),
    borrowed(CASE, "queues", high=1000, scale="log"),
    _timer("keepalive_s", "Keepalive interval K", 60.0),
    _timer("hold_s", "Hold time H", 180.0),
    Parameter(
        "sessions",
        "Sessions to keep",
        "sessions",
        10.0,
        "assumed",
        "as in the chapter",
        low=1,
        high=100_000,
        scale="log",
        whole=True,
    ),
)  # fmt: skip

CARD = Card(
    model=card_model(
        CASE,
        "tunables.predictors.slice_length",
        _PARAMETERS,
        (
            Output("usual_slice_ms", "A slice of usual items", "ms", None),
            Output("dearest_slice_ms", "A slice of dear items", "ms", None),
            Output("granularity", "Granularity that the rule reaches", "items", 0),
            Output("most_granularity", "Knee: largest safe granularity", "items", 0),
            Output("lateness_ms", "A timer is late by, on average", "ms", None),
            Output("worst_turn_ms", "Longest turn of the loop", "ms", None),
            Output("silence_s", "Neighbours bear a silence of", "s", None),
            Output("blocked_s", "The work in one piece", "s", None),
            Output("blocked_items", "Items that one piece may have", "items", 0),
            Output("blocked_drop_percent", "A session drops, one piece", "%", None),
            Output("sliced_drop_percent", "A session drops, sliced", "%", None),
        ),
    ),
    tunable="The quantum Q after which a slice yields, and the granularity g, the items between "
    "two looks at the clock. A slice lasts up to Q and then g items more.",
    knee="The silence that your neighbours bear, hold time less keepalive: {silence_s} s. In one "
    "piece the work takes {blocked_s} s. Sliced, a turn of the loop takes {worst_turn_ms} ms at "
    "worst; with a granularity above {most_granularity} it could outlast the silence.",
    failure="By a ratchet. Cheap items raise the granularity to {granularity}, nothing lowers it, "
    "and when dear items come a slice takes {dearest_slice_ms} ms instead of {usual_slice_ms}. "
    "Beyond the knee sessions drop, which makes more work.",
    watch=(
        Watch("Longest turn of the loop", "ms", "above a tenth of {silence_s} s"),
        Watch("Lateness of a timer, mean", "ms", "above twice {lateness_ms} ms"),
        Watch("Granularity of each queue", "items", "above {most_granularity}, or still rising"),
        Watch("Longest run of each queue (Best)", "items", "up by half since yesterday"),
        Watch("Sessions dropped on hold time", "1/h", "any while a queue drains"),
        Watch("Items queued", "items", "not falling for a minute"),
    ),
    steps=(
        "Read the costs: time over items of a drain, and the dearest items apart.",
        "Bound the granularity rather than lower the quantum: a bound caps the overshoot of dear "
        "items, a short quantum costs looks at the clock.",
        "Try it on one daemon that can lose its sessions; clear one, and see the longest turn.",
        "Then on the others, one a day, outside the hours in which routes churn.",
        "Restart to bring a granularity down: no running daemon does it by itself.",
    ),
    roll_back="A drain takes longer by more than a tenth, or a session drops on its hold time. Put "
    "the old quantum or bound back and restart the daemon in a quiet hour.",
)
