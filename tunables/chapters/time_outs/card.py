"""The operator's card of chapter 2: timeouts, retries, and the load that makes them a trap."""

from functools import cache

from tunables.chapters.time_outs.case import data, storm_case
from tunables.chapters.time_outs.predictor import STATES, predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

_CALM = ("below", "above")  # the server can be made safe by day
_LATE = ("near", "storm")  # answers come too late, and the retries keep them late
_ROOM = (*_CALM, *_LATE, "full")  # all states but a timeout that is too short
_BOUND = (
    "ound the server's queue at {queue_limit} requests, half a timeout's worth of work. Or pass "
    "the deadline on to the server, and don't let it begin a request that has less than "
    "{margin_ms} ms left."
)

_WITH_RETRIES = (
    "If you can't turn the retries off, turn away {refuse_percent}% of the new requests, so that "
    "at most {admit_per_s} per second get in. After {longest_s} s, when earlier clients have "
    "given up, empty the server's queue of waiting requests."
)


def _parameters() -> tuple[Parameter, ...]:
    storm = storm_case()
    return (
        borrow_parameter(
            storm, "arrival_rate_per_s", name="arrivals_per_s", low=0.1, high=100_000, scale="log"
        ),
        Parameter(
            "service_ms",
            "Time that a thread spends on one request",
            "ms",
            10.0,
            "assumed",
            "the chapter's server. You can also type how many requests one thread serves per "
            "second, such as 800/s",
            low=0.01,
            high=60_000,
            scale="log",
        ),
        Parameter(
            "threads",
            "Server threads",
            "threads",
            1.0,
            "assumed",
            "the chapter's server has one",
            low=1,
            high=10_000,
            scale="log",
            integer=True,
        ),
        borrow_parameter(
            storm,
            "timeout_s",
            name="timeout_ms",
            unit="ms",
            default=data()["lease-timeout-default"].value,
            source="Lease Query Time Out, paragraph 2: 1000 ms by default, with 3 retries",
            low=1,
            high=120_000,
            scale="log",
        ),
        borrow_parameter(storm, "retries", high=20),
        Parameter(
            "in_time_percent",
            "Attempts now answered in time",
            "%",
            100.0,
            "assumed",
            "as on a quiet day; in a storm it is near 0",
            low=0,
            high=100,
        ),
    )


@cache
def card() -> Card:
    """Return the card of the chapter; it opens with the report's numbers."""
    return Card(
        model=card_model(
            storm_case(),
            predict_headroom,
            _parameters(),
            (
                Output("safe_arrivals_per_s", "Knee: load must stay below", "1/s", None),
                Output("spare_percent", "Headroom relative to the current load", "%", 1),
                Output("capacity_per_s", "Capacity of the server", "1/s", None),
                Output("alarm_per_s", "Alert: load above", "1/s", None),
                Output(
                    "full_alarm_per_s",
                    "Alert with the queue bounded: load above",
                    "1/s",
                    None,
                ),
                Output("storm_per_s", "Attempts per second if all are late", "1/s", None),
                Output("growth_per_s", "Queue growth per second in a storm", "1/s", None),
                Output("drain_s", "Time to drain the queue, per minute of storm", "s", None),
                Output("admit_per_s", "Highest load to admit during a storm", "1/s", None),
                Output("refuse_percent", "Share of new requests to turn away in a storm", "%", 1),
                Output(
                    "shed_percent",
                    "Share of new requests to turn away if the server is nearly full",
                    "%",
                    1,
                ),
                Output("queue_limit", "Recommended queue limit", "requests", 0),
                Output("queue_alarm", "Alert: requests in the queue above", "requests", 1),
                Output("age_alarm_ms", "Alert: oldest request has waited longer than", "ms", None),
                Output(
                    "margin_ms",
                    "Minimum time to the deadline for a request to be started",
                    "ms",
                    None,
                ),
                Output("late_safe_per_s", "Safe load if late requests are skipped", "1/s", None),
                Output("safe_retries", "Safe number of retries at this load", "per request", 0),
                Output(
                    "least_timeout_ms",
                    "Shortest timeout for which the rules below work",
                    "ms",
                    None,
                ),
                Output(
                    "service_share_percent", "Service time as a share of the timeout", "%", None
                ),
                Output("longest_s", "Longest time that a client waits", "s", None),
                Output(
                    "callers_waiting", "Callers waiting if no request is answered", "callers", None
                ),
                Output("safe_callers", "Safe number of callers waiting for answers", "callers", 0),
                Output(
                    "three_layers",
                    "Maximum attempts per request if three layers retry",
                    "attempts",
                    0,
                ),
                Output("rehearsal_s", "Length of the outage to rehearse", "s", None),
            ),
            main=("safe_arrivals_per_s", "safe_retries", "queue_limit"),
            states=True,
        ),
        tunable="The client's timeout T and its number of retries r, which doesn't count the "
        "first attempt. A request takes up to (r + 1) T = {longest_s} s and costs the server "
        "the work of up to r + 1 attempts. If three layers retry like this, one request becomes "
        "up to {three_layers} attempts.",
        knee="For many independent clients, the knee is the server's capacity of "
        "{capacity_per_s} requests per second divided by r + 1, which is {safe_arrivals_per_s} per "
        "second, whatever T is. From that load on, retrying clients send {storm_per_s} attempts "
        "per second, which keeps the server full after the cause of an overload is gone. For "
        "callers who wait for their answers, the knee depends on T: the safe number of them is "
        "{safe_callers}.",
        failure="Above the knee, the server fails all at once and doesn't recover. Once more than "
        "a timeout's worth of work is in the queue, every answer comes too late: the server is "
        "busy but answers nobody in time, {callers_waiting} callers wait, and the queue grows by "
        "{growth_per_s} requests per second (0 below the knee).",
        watch=(
            Watch("New requests", "1/s", "above", "alarm_per_s", states=("below",)),
            # Step 1 bounds the queue or turns the retries off; either way this load is safe.
            Watch(
                "New requests let in (with the queue bounded or the retries off)",
                "1/s",
                "above",
                "full_alarm_per_s",
            ),
            Watch("Attempts per new request", "1", "above", 1.05, "for a minute", states=_ROOM),
            Watch(
                "Share of admitted attempts that are answered in time",
                "%",
                "below",
                90.0,
                "for a minute",
                states=_ROOM,
            ),
            Watch(
                "Requests in the queue",
                "requests",
                "above",
                "queue_alarm",
                "for a minute",
                states=_CALM,
            ),
            Watch(
                "Age of the oldest request in the queue",
                "ms",
                "above",
                "age_alarm_ms",
                "for a minute",
                states=_ROOM,
            ),
            Watch(
                "Share of all attempts refused by a full queue",
                "%",
                "above",
                5.0,
                "for a minute",
                states=_CALM,
            ),
        ),
        steps=(
            When(_LATE, "Turn the retries off now, everywhere: in clients and in proxies."),
            When(
                _LATE,
                "Once the retries are off, empty the server's queue of waiting requests, or "
                "restart the server, and do the same for each proxy that queues requests for it. "
                "Clients that are still retrying can fill the queue again. So if answers are still "
                "late after {longest_s} s, by which time those clients have given up, empty it "
                "once more. If a restart also empties a cache that the server needs, turn the new "
                "requests away first, and let them in a tenth at a time. Never empty a message "
                "queue whose messages must not be lost.",
            ),
            When(
                ("storm",),
                "If you leave the queue full, it takes {drain_s} s to drain for each minute of "
                "storm.",
            ),
            When(_LATE, _WITH_RETRIES),
            When(
                _LATE,
                "As soon as more than 90% of the attempts that get in during a whole minute are "
                "answered in time, let new requests in again, a tenth at a time: up to all of them "
                "if the retries are off, but at most {alarm_per_s} per second if they are still "
                "on.",
            ),
            When(
                _LATE,
                'Leave the retries off tonight. Tomorrow, in the daytime, set "Attempts now '
                'answered in time" above to 100%: the card then says what to do before you turn '
                "the retries on again.",
            ),
            When(
                ("full",),
                "Turn the retries off, because there is no capacity for their extra work.",
            ),
            When(
                ("few",),
                "Turn the retries off. Serving one request takes {service_share_percent}% of the "
                "timeout, so even a short queue makes attempts late, and each retry lengthens the "
                "queue.",
            ),
            When(
                ("full",),
                "Turn away {shed_percent}% of the new requests, so that at most "
                "{full_alarm_per_s} per second get in.",
            ),
            When(("full",), _WITH_RETRIES),
            When(
                ("full", "few"),
                "If fewer than half of the attempts are answered in time, turn the retries off "
                "and empty the server's queue of waiting requests. Do it again after "
                "{longest_s} s if answers are still late. Never empty a message queue whose "
                "messages must not be lost.",
            ),
            When(
                ("full",),
                "Add servers or threads until new requests use less than 80% of the capacity. "
                "Then enter the new numbers above.",
            ),
            When(
                ("brief",),
                "Leave the retries as they are: even if all of them are sent, the server has "
                "capacity to spare.",
            ),
            When(
                ("few", "brief"),
                "Lengthen the timeout to at least {least_timeout_ms} ms, for one client group "
                "first, or make the service faster. With the present timeout, no bound on the "
                "queue works.",
            ),
            When(("few", "brief"), "Enter the new timeout above, and follow the card from there."),
            When(
                ("below",),
                "If fewer than 90% of the attempts are answered in time, first find out what "
                f"slows the server down. Then b{_BOUND}",
            ),
            When(("above",), f"B{_BOUND}"),
            When(
                _CALM,
                "Build a switch that turns off all retries without a new release, and a command "
                "that empties the server's queue of waiting requests.",
            ),
            When(
                _CALM,
                "Limit the retries to a tenth of the requests. If you can't, and more than "
                "{safe_retries} per request are allowed now, allow only {safe_retries}; if "
                "fewer are allowed, don't raise the limit.",
            ),
            When(
                _CALM,
                "First make the change in one client group with 5% of the load, and watch that "
                "group for a day. Its attempts per new request must not rise.",
            ),
            When(
                _CALM,
                "Once the queue is bounded, rehearse an outage in a test system at the load of "
                "the busy hour, with the switch ready: pause the server for {rehearsal_s} s. The "
                "queue must not grow beyond {queue_limit} requests, and the server must recover "
                "with the retries on.",
            ),
            When(
                _CALM,
                "Shorten the timeout last, and only to a value above the 99.9th percentile of the "
                "latency. Never go below {least_timeout_ms} ms, and don't shorten it for callers "
                "who wait for their answers.",
            ),
        ),
        roll_back=(
            When(
                _CALM,
                "Undo the last change if, while the server is up and new requests are below "
                "{full_alarm_per_s} per second, more requests fail for good than you can accept.",
            ),
            When(
                _LATE,
                "If fewer than 90% of the attempts are answered in time a minute after the queue "
                "was emptied, the retries are not the cause. Leave them off, and find out what "
                "slows the server down.",
                "If it doesn't help",
            ),
            When(
                ("full",),
                "Let all new requests in again once those that arrive, including the ones turned "
                "away, have stayed below {full_alarm_per_s} per second for ten minutes and more "
                "than 90% of the attempts that get in are answered in time.",
                "When to let all requests in again",
            ),
            When(
                ("few",),
                "If callers run out of threads or connections, put the old timeout back, and "
                "leave the retries off.",
            ),
            When(
                ("brief",),
                "If callers run out of threads or connections, put the old timeout back.",
            ),
        ),
        never=(
            "Don't turn away only the excess: a full queue drains only if fewer than "
            "{capacity_per_s} attempts per second get in. The fewer get in, the faster it drains.",
            "Don't empty the queue while the retries are on and all new requests get in: the storm "
            "can fill it again within a timeout.",
            "Don't wait for a storm to pass, and don't add retries or shorten the timeout during "
            "one.",
            When(
                _CALM,
                "Don't rely only on skipping late requests, because that is sure to be enough only "
                "up to {late_safe_per_s} requests per second.",
            ),
        ),
        states=STATES,
    )
