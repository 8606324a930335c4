"""The operator's card of chapter 8: the delay before the second copy, and its budget."""

from functools import cache

from tunables.chapters.hedged_requests.calibration import value
from tunables.chapters.hedged_requests.case import duplicates_case
from tunables.chapters.hedged_requests.predictor import (
    BUSY_PERCENT,
    STATES,
    UNCANCELLED_PERCENT,
    predict_headroom,
)
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

_OPEN = ("calm", "hasty", "many")  # the states in which second copies may be sent
_BEARABLE = (*_OPEN, "shared")
_CROWDED = ("near", "storm")  # the states in which the copies take too much of the servers
_OFF = ("full", *_CROWDED)


def _percentile(name: str, label: str) -> Parameter:
    return Parameter(
        f"{name}_ms",
        label,
        "ms",
        value(f"leaf-{name}"),
        "published",
        f"table 1, one random leaf: {value(f'leaf-{name}'):g} ms",
        low=0.001,
        high=600_000,
        scale="log",
    )


def _parameters() -> tuple[Parameter, ...]:
    return (
        borrow_parameter(
            duplicates_case(),
            "load_percent",
            label="Server load at peak, without second copies",
            low=0.1,
            high=99,
        ),
        _percentile("p50", "Median answer time, without second copies"),
        _percentile("p95", "95th percentile of answer times, without copies"),
        _percentile("p99", "99th percentile of answer times, without copies"),
        Parameter(
            "delay_ms",
            "Present or planned delay before the second copy",
            "ms",
            value("hedge-delay"),
            "published",
            "hedged requests, paragraph 2: 10 ms",
            low=0,
            high=600_000,
        ),
        Parameter(
            "copies_percent",
            "Second copies sent now, per 100 requests",
            "%",
            0.0,
            "assumed",
            "no second copies yet",
            low=0,
            high=100,
        ),
        Parameter(
            "both_slow_percent",
            "Share of second copies that were as slow as the first",
            "%",
            10.0,
            "assumed",
            "more than the 6% fitted to table 2",
            low=0,
            high=100,
        ),
    )


def _steps() -> tuple[When, ...]:
    return (
        When(_CROWDED, "Turn second copies off now, in all clients and proxies."),
        When(_CROWDED, "If you can't, cap them at {budget_percent} copies per 100 requests."),
        When(
            ("storm",),
            "With second copies off, the queues drain by themselves, in about {drain_s} s for each "
            "minute of storm. If that is too long, empty the servers' queues once, or restart "
            "the servers: one after another if the others can carry the whole load meanwhile, "
            "otherwise all at once. Requests in an emptied queue fail, and a restart also empties "
            "caches.",
        ),
        When(
            ("full",),
            "Turn second copies off, or leave them off: the servers have no capacity for them.",
        ),
        When(
            ("full",),
            "Add servers until the load at peak is below 80%. Once it has been "
            "below 80% for a whole day, enter the new numbers above.",
        ),
        When(
            ("shared",),
            "Don't lower the delay. Find out what slows both copies: perhaps a noisy neighbour, a "
            "disk that both use, or a request that is expensive everywhere.",
        ),
        When(
            ("shared",),
            "Send the second copy to a machine in another rack, and measure again what "
            "share of second copies is as slow as the first.",
        ),
        When(
            _BEARABLE,
            "Cancel the other copy when the first answer arrives, and check that the cancelled "
            "copy leaves the server's queue. If it doesn't, ask twice only while the load is below "
            f"{UNCANCELLED_PERCENT:g}%.",
        ),
        When(
            _BEARABLE,
            "Set a budget in the client: at most {budget_percent} copies per 100 requests, "
            "counted over the last ten seconds, or over the last few hundred requests if they span "
            "more time.",
        ),
        When(
            ("hasty",),
            "Make the delay at least {advised_delay_ms} ms. At the present delay, "
            "{expected_percent}% of the requests are due for a copy.",
        ),
        When(
            ("many",),
            "Leave the delay as it is. Only {expected_percent}% of the requests should be due for "
            "a copy, so find out why more are sent. Perhaps answers are slower than the times "
            "entered above, or two layers both ask twice.",
        ),
        When(
            ("calm",),
            "Once the budget is in place, set the delay to {advised_delay_ms} ms or a little more, "
            "but never below the 95th percentile without copies.",
        ),
        When(
            ("calm", "hasty"),
            "First change only a group of clients that sends 5% of the load. Watch it for a day. "
            "Its 99th percentile should fall by {saved_percent}%, to about {hedged_p99_ms} ms. If "
            "that is too little for the extra load, send no second copies. So small a group "
            "hardly adds load, so watch again with half of the clients, and with all of them.",
        ),
        When(_OPEN, "Work out the delay again each month, and after each change to the servers."),
    )


@cache
def card() -> Card:
    """Return the card of the chapter; it opens with the article's leaf."""
    return Card(
        model=card_model(
            duplicates_case(),
            predict_headroom,
            _parameters(),
            (
                Output(
                    "safe_budget_percent", "Knee: copies that would saturate the servers", "%", 1
                ),
                Output("spare_percent", "Copies that you can add now", "%", 1),
                Output("budget_percent", "Budget for copies, if any are allowed", "%", 1),
                Output("advised_delay_ms", "Delay that just uses up the budget", "ms", None),
                Output("expected_percent", "Requests due for a copy at the present delay", "%", 1),
                Output("alarm_percent", "Alert threshold for copies", "%", 1),
                Output("busy_percent", "Load, present copies included", "%", 1),
                Output("p99_once_ms", "Alert threshold for the 99th percentile", "ms", None),
                Output("hedged_p99_ms", "99th percentile with the advised delay", "ms", None),
                Output("saved_percent", "Reduction in the 99th percentile", "%", 0),
                Output(
                    "drain_s", "Time to drain the queues per minute of storm, copies off", "s", None
                ),
            ),
            main=("safe_budget_percent", "advised_delay_ms", "hedged_p99_ms"),
            states=True,
        ),
        tunable="The delay before a second copy of a request is sent to another server. At the "
        "present delay, {expected_percent}% of the requests are due for a second copy.",
        knee="The knee is {safe_budget_percent} copies per 100 requests. If more are sent and none "
        "is cancelled, more work can arrive than the servers can handle. A knee of 100 means that "
        "the servers can handle a copy of every request. Your load, present copies included, is "
        "{busy_percent}%.",
        failure="It fails all at once and doesn't recover by itself. Late answers trigger copies, "
        "copies lengthen the queues, and longer queues make more answers late. The servers are "
        "full of copies whose requests have already been answered.",
        watch=(
            Watch(
                "Second copies per 100 requests",
                "%",
                "above",
                "alarm_percent",
                "for a minute",
                _OPEN,
            ),
            Watch(
                "Load of the servers, copies included",
                "%",
                "above",
                BUSY_PERCENT,
                "for five minutes",
            ),
            Watch(
                "99th percentile with second copies",
                "ms",
                "above",
                "p99_once_ms",
                "for an hour",
                _OPEN,
            ),
            Watch(
                "Share of second copies that were as slow as the first",
                "%",
                "above",
                50.0,
                "for an hour",
                _OPEN,
            ),
            Watch(
                "Share of served copies whose request had already been answered",
                "%",
                "above",
                20.0,
                "for a minute",
                _BEARABLE,
            ),
            Watch(
                "Share of copies that were due but exceeded the budget",
                "%",
                "above",
                50.0,
                "for ten minutes",
                _OPEN,
            ),
        ),
        steps=_steps(),
        roll_back=(
            When(
                _BEARABLE,
                "If the 99th percentile of the changed group stays above the other clients' for an "
                "hour, or if an alert fires, turn second copies off in that group.",
            ),
            When(
                _OFF,
                "Leave second copies off until the load without them has been below 80% for a "
                "whole day and a budget of {budget_percent} copies per 100 requests is in place.",
                "When to turn second copies on again",
            ),
        ),
        never=(
            "Don't send a second copy of a request that changes something, unless all servers "
            "together make sure that it is carried out only once.",
            "Don't send the second copy to a server whose data lags behind, if an answer must show "
            "the latest change.",
            "Don't lower the delay while answers are late.",
            "Don't hedge in two layers: the copies multiply.",
            "Don't ask twice without a budget: if all servers stop briefly, a storm can start.",
        ),
        states=STATES,
    )
