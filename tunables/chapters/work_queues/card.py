"""The card of chapter 6: slices of work in a loop that must keep its timers."""

from functools import cache

from tunables.chapters.work_queues.case import case
from tunables.chapters.work_queues.knee import predict
from tunables.evidence.published import published
from tunables.parts.card import Card, Watch, borrowed, card_model
from tunables.parts.model import Output, Parameter


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


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrowed(
            of,
            "items",
            label="Items in a queue",
            default=published("quagga-prose")["prefixes-per-session"].value,
            origin="published",
            source="paragraph 5: prefixes in a full feed",
            high=100_000_000,
        ),
        borrowed(
            of,
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
        borrowed(
            of, "quantum_s", 1000, name="quantum_ms", unit="ms", low=0.01, high=10_000, scale="log"
        ),
        borrowed(of, "rule"),
        borrowed(of, "queues", high=1000, scale="log"),
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
                Output("usual_slice_ms", "A slice of usual items", "ms", None),
                Output("dearest_slice_ms", "A slice of dear items", "ms", None),
                Output("granularity", "Granularity that the rule reaches", "items", 0),
                Output("most_granularity", "Knee: largest safe granularity", "items", 0),
                Output("lateness_ms", "A timer is late by, on average", "ms", None),
                Output("worst_turn_ms", "Longest turn of the loop", "ms", None),
                Output("bound", "Bound the granularity to", "items", 0),
                Output("bounded_turn_ms", "Longest turn under that bound", "ms", None),
                Output("look_ms", "Look by day: a turn from", "ms", None),
                Output("silence_s", "Neighbours bear a silence of", "s", None),
                Output("page_s", "Alert: a turn from", "s", None),
                Output("blocked_s", "The work in one piece", "s", None),
                Output("blocked_items", "Items that one piece may have", "items", 0),
                Output("blocked_drop_percent", "A session drops, one piece", "%", None),
                Output("sliced_drop_percent", "A session drops, sliced", "%", None),
            ),
        ),
        tunable="The quantum Q after which a slice yields, and the granularity g, the items "
        "between two looks at the clock. A slice lasts up to Q and then g items more.",
        knee="The silence that your neighbours bear, hold time less keepalive: {silence_s} s. In "
        "one piece the work takes {blocked_s} s. Sliced, a turn of the loop takes {worst_turn_ms} "
        "ms at worst; with a granularity above {most_granularity} it could outlast the silence. "
        "Your own hold timers run as well: a loop that serves timers before reads drops a "
        "neighbour whose keepalive lies unread.",
        failure="By a ratchet. Cheap items raise the granularity to {granularity}, nothing lowers "
        "it, and when dear items come a slice takes {dearest_slice_ms} ms instead of "
        "{usual_slice_ms}. Beyond the knee sessions drop, which makes more work.",
        watch=(
            Watch(
                "Longest turn of the loop",
                "ms",
                "page: {page_s} s, a tenth of the silence; by day: {look_ms} ms, ten times what "
                "the bound allows",
            ),
            Watch(
                "Granularity of each queue", "items", "above {most_granularity}, or still rising"
            ),
            Watch("Longest run of each queue (Best)", "items", "up by half since yesterday"),
            Watch(
                "Sessions dropped on hold time, by either side", "1/h", "any while a queue drains"
            ),
            Watch("Items queued", "items", "not falling for a minute"),
        ),
        steps=(
            "Read the costs: clear the counters, drain once, and take time over items of "
            "work_queue_run. Take the dearest items apart.",
            "In Quagga and FRRouting quantum and granularity are compiled in. To bound the "
            "granularity is a patch of one line: let it not rise above {bound}. Then no turn is "
            "longer than {bounded_turn_ms} ms. A shorter quantum helps less: dear items overshoot "
            "it alike.",
            "No patch? Let the timers bear more (keepalive 60 s and hold time 180 s), clear one "
            "session at a time, and wait for the queue to empty in between.",
            "Only a restart brings a granularity down, and it drops every session. First check at "
            "each neighbour that graceful restart was negotiated, then one daemon in a quiet hour.",
            "Clear a session there and see the longest turn. Then the others, one a day.",
        ),
        roll_back="A drain takes longer by more than a tenth, a session drops on its hold time, or "
        "a neighbour did not keep the routes through the restart. Go back to the old build in the "
        "next quiet hour.",
        today=(
            "FRRouting: a slice yields after 10 ms, that of BGP's process_queue after 50 ms (hold "
            "50 ms). Neither is a command.",
            "FRRouting: show work-queues, show event cpu; service walltime-warning logs what takes "
            "longer than so many ms, default 5000.",
            "FRRouting since 4.0 sends keepalives from a thread of their own, so a busy loop no "
            "longer silences them. Its own hold timers are still served by that loop. Since 7.5 "
            "they look for unread messages first, but not in 8.3 to 9.1 nor in early 10.0 to 10.3.",
            "bgp graceful-restart: the whole of it is off by default, FRRouting only helps a "
            "neighbour; restart-time is 120 s.",
            "BFD: 3 × 300 ms by default, in a daemon of its own (bfdd). It does not wait for this "
            "loop; where your loop does answer it, put in 0.3 s and 0.9 s.",
        ),
        never=(
            "Do not clear another session while the queue drains: it adds as many items again.",
            "Do not restart the daemon to bring the granularity down tonight: every session drops, "
            "and all routes come back as work.",
            "Do not shorten hold times or turn BFD on to see failures sooner: that moves the knee "
            "towards you.",
        ),
    )
