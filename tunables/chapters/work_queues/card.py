"""The card of chapter 6: slices of work in a loop that must keep its timers."""

from functools import cache

from tunables.chapters.work_queues.calibration import clear_queue
from tunables.chapters.work_queues.case import case
from tunables.chapters.work_queues.predictor import STATES, TIMES_MEAN, predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter
from tunables.theory.slicing import GROWTH_RULES, RULE_NAMES

_OVER, _OVER_ITEM, _ITEM, _UNBOUNDED, _SMALL, _BOUNDED = ((state,) for state in STATES)
_FIRST_AID = _OVER + _OVER_ITEM
_PLANNED = _ITEM + _UNBOUNDED
_RULES = RULE_NAMES | {"fixed": "bounded, or fixed"}


def _timer(name, label, default):
    return Parameter(
        name,
        label,
        "s",
        default,
        "assumed",
        "usual for BGP; in FRRouting's profile for data centres, K is 3 s and H 9 s",
        low=0.01,
        high=3600,
        scale="log",
    )


def _parameters() -> tuple[Parameter, ...]:
    quagga = case()
    return (
        borrow_parameter(quagga, "items", label="Items in each queue", high=100_000_000),
        borrow_parameter(
            quagga,
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
            "Cost of the most expensive item",
            "µs",
            1000.0,
            "assumed",
            "as in the chapter; enter the most that one item can cost; if you know only the mean "
            f"in your most expensive minute, enter {TIMES_MEAN} times that",
            low=0.01,
            high=1e8,
            scale="log",
        ),
        borrow_parameter(
            quagga,
            "quantum_s",
            1000,
            name="quantum_ms",
            unit="ms",
            low=0.01,
            high=10_000,
            scale="log",
        ),
        borrow_parameter(quagga, "rule", choice_texts=tuple(_RULES[rule] for rule in GROWTH_RULES)),
        borrow_parameter(
            quagga,
            "granularity",
            name="granularity_now",
            label="Granularity now (Gran.)",
            default=float(clear_queue().snapshots[-1].granularity),
            source="the clear queue's value in the last printout",
            high=1_000_000,
        ),
        borrow_parameter(quagga, "queues", high=1000, scale="log"),
        _timer("keepalive_s", "Keepalive interval K", 60.0),
        _timer("hold_s", "Hold time H", 180.0),
        Parameter(
            "sessions",
            "Sessions that must stay up",
            "sessions",
            10.0,
            "assumed",
            "as in the chapter",
            low=1,
            high=100_000,
            scale="log",
            integer=True,
        ),
    )


def _watch() -> tuple[Watch, ...]:
    return (
        Watch("Longest slice since the last reading", "ms", "above", "alert_slice_ms"),
        Watch(
            "Granularity of each queue, once it is bounded",
            "items",
            "above",
            "bound",
            states=_OVER + _PLANNED + _SMALL + _BOUNDED,
        ),
        Watch("Mean cost of an item in each minute", "µs", "above", "cost_alert_us"),
        Watch("Time since the queues were last empty", "s", "above", "long_drain_s"),
        Watch(
            "Sessions dropped when a hold timer ran out, at either end",
            "1/h",
            "above",
            0.0,
            "while a queue drains",
        ),
    )


def _steps() -> tuple[When, ...]:
    no_new_work = (
        "Tonight, don't create any new work: no clear, no reset, no restart, no new policy. Stop "
        "scripts that do any of these.",
        "Keep neighbours that are already down from coming back for now (neighbor … shutdown), "
        "except any that you need: each would send all its routes again, and so create new work.",
        "Wait until show work-queues reports 0 items in every queue: about {blocked_s} s for the "
        "work entered above. From FRRouting 10.3 on, process_queue shows 1 until all its work is "
        "done.",
        "Bring the neighbours back one at a time. Before the next one, wait until the queues are "
        "empty again.",
    )
    return (
        *(When(_FIRST_AID, text) for text in no_new_work),
        When(
            _OVER,
            "Not tonight, but in a maintenance window: first check that each neighbour has "
            "already negotiated graceful restart, because a new build needs a restart. Then "
            "install a build that bounds the granularity at {bound}. The longest turn then falls "
            "from {worst_turn_ms} to {bounded_turn_ms} ms.",
        ),
        When(
            _OVER_ITEM,
            "Not tonight, but in a maintenance window: first check that each neighbour has "
            "already negotiated graceful restart, because a new build needs a restart. Then "
            "install a build with smaller items, a shorter quantum or fewer queues. A bound on "
            "the granularity alone, even of {bound}, would leave turns of up to "
            "{bounded_turn_ms} ms.",
        ),
        When(
            _PLANNED + _SMALL + _BOUNDED,
            "Find the longest task with show event cpu (before FRRouting 10.0: show thread cpu), "
            "in the Max column. If it isn't work_queue_run, stop here: no slice is to blame.",
        ),
        When(
            _PLANNED + _SMALL,
            "Work out the mean cost of an item from one drain: divide the wall time of "
            "work_queue_run by the number of items done. Read the counters before and after the "
            "drain and subtract, because no command resets those of show work-queues. A single "
            f"item can cost many times as much: allow for {TIMES_MEAN} times the mean, unless you "
            "have timed single items.",
        ),
        When(
            _UNBOUNDED,
            "Patch lib/workqueue.c, where the quantum and the growth rule are compiled in, so "
            "that the granularity never rises above {bound}. The longest turn then falls from "
            "{worst_turn_ms} to {bounded_turn_ms} ms. A shorter quantum helps less.",
        ),
        When(
            _ITEM,
            "Make the items smaller, because even with the granularity bounded at {bound} a turn "
            "can last up to {bounded_turn_ms} ms. In FRRouting 4.0 to 10.2, an item of "
            "process_queue is a batch of up to 10,000 prefixes: plan an upgrade to 10.3, or a "
            "patch that sets ARBITRARY_PROCESS_QLEN to {batch}.",
        ),
        When(
            _SMALL,
            "Don't change anything tonight: no turn exceeds {worst_turn_ms} ms, unless there are "
            "more items, or a more expensive one, than you entered above. But this build doesn't "
            "keep the granularity at {bound} or below, so plan a patch to lib/workqueue.c that "
            "does. Check the granularity after each upgrade.",
        ),
        When(
            _PLANNED + _SMALL,
            "A new build needs a restart, which drops every session. A neighbour keeps your "
            "routes meanwhile only if graceful restart was negotiated in advance. Check this at "
            "each neighbour. Then install the build on one router, in a maintenance window.",
        ),
        When(
            _ITEM,
            "In the same quiet hour, clear one session on that router and compare the slices with "
            "the earlier ones. Enter the new numbers above. Then change the other routers, one per "
            "day.",
        ),
        When(
            _UNBOUNDED + _SMALL,
            "In the same quiet hour, clear one session on that router and compare the slices with "
            "the earlier ones. Enter the new numbers above (rule: bounded). Then change the other "
            "routers, one per day.",
        ),
        When(
            _UNBOUNDED,
            "If you can't patch, avoid clearing sessions. If one must be cleared, clear only that "
            "one, and wait until the queues are empty before you clear the next. A longer hold "
            "time must be set at both ends, and takes effect only after the session's next reset.",
        ),
        When(
            _BOUNDED,
            "Don't change anything: no turn exceeds {worst_turn_ms} ms, unless there are more "
            "items, or a more expensive one, than you entered above. After each upgrade, check the "
            "granularity: a package without the patch brings the old rule back.",
        ),
    )


def _roll_back() -> tuple[When, ...]:
    late = (
        "a hold timer runs out and drops a session while a queue drains, or if drains take more "
        "than a tenth longer than before and so delay route changes, wait for the next quiet "
        "hour. Then check graceful restart at each neighbour, and go back to the old build."
    )
    return (
        When(_FIRST_AID + _PLANNED + _SMALL, f"If, after the new build is installed, {late}"),
        When(_BOUNDED, f"If this build is new, and {late}"),
    )


def _outputs() -> tuple[Output, ...]:
    return (
        Output("usual_slice_ms", "Mean slice with items of the usual cost", "ms", None),
        Output(
            "dearest_slice_ms", "Longest slice: Q plus g times the highest item cost", "ms", None
        ),
        Output("granularity", "Granularity once the rule no longer raises it", "items", 0),
        Output("most_granularity", "Knee: largest safe granularity", "items", 0),
        Output("lateness_ms", "Mean lateness of a timer", "ms", None),
        Output("worst_turn_ms", "Longest turn of the loop", "ms", None),
        Output("bound", "Recommended bound on the granularity", "items", 0),
        Output("bounded_turn_ms", "Longest turn with the recommended bound", "ms", None),
        Output("batch", "Largest batch, if items are batches", "prefixes", 0),
        Output("alert_slice_ms", "Alert if a slice lasts longer than", "ms", None),
        Output("cost_alert_us", "Alert if the mean cost of an item exceeds", "µs", None),
        Output("silence_s", "Silence that neighbours tolerate", "s", None),
        Output(
            "blocked_s",
            "Time that the work takes at the usual cost, in slices or in one piece",
            "s",
            None,
        ),
        Output("long_drain_s", "Alert if the queues haven't been empty for", "s", None),
        Output(
            "blocked_drop_percent",
            "Chance that a session drops if the work, at its usual cost, runs in one piece",
            "%",
            None,
        ),
        Output(
            "sliced_drop_percent",
            "Chance that a session drops in the longest turn, if the work runs in slices",
            "%",
            None,
        ),
    )


@cache
def card() -> Card:
    """Return the card of the chapter; its opening values are those of the clear queue."""
    return Card(
        model=card_model(
            case(),
            predict_headroom,
            _parameters(),
            _outputs(),
            main=("bound", "worst_turn_ms", "bounded_turn_ms"),
            states=True,
        ),
        states=STATES,
        tunable="The quantum Q, after which a slice yields, and the granularity g, the number of "
        "items between two clock checks. A slice can last for Q plus the time for "
        "up to g more items.",
        knee="The knee is how long your neighbours tolerate silence: {silence_s} s (hold time "
        "minus keepalive interval). At the usual cost, the work takes {blocked_s} s in one piece. "
        "In slices, a turn of the loop takes at most {worst_turn_ms} ms if no item costs more than "
        "you entered. With a granularity above {most_granularity}, and more items than that in "
        "each queue, a turn could last longer than the neighbours tolerate. Your own hold "
        "timers run as well: if a loop serves timers before reads, it drops a neighbour whose "
        "keepalive has arrived but has not been read. And FRRouting's watchdog, watchfrr, restarts "
        "a daemon whose loop hasn't answered for 90 s (its option -t).",
        failure="By a ratchet. Cheap items raise the granularity to {granularity}, nothing lowers "
        "it, and when expensive items arrive, a slice takes up to {dearest_slice_ms} ms instead of "
        "{usual_slice_ms} ms. Past the knee, sessions drop, which creates more work.",
        watch=_watch(),
        steps=_steps(),
        roll_back=_roll_back(),
        never=(
            "Don't clear another session while the queue drains: that would add just as many "
            "items again.",
            "Don't restart the daemon tonight to lower the granularity: every session would drop, "
            "and all routes would have to be processed again.",
            "Don't change timers or turn on BFD as first aid. A shorter hold time "
            "lowers the knee. BFD drops a session after a shorter silence on the link. A "
            "longer hold time must be set at both ends, and needs a reset.",
            "Don't configure graceful restart as first aid. It takes effect only after a session's "
            "next reset, and a reset creates exactly the work that you want to avoid.",
        ),
    )
