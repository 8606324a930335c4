"""The operator's card of chapter 2: time-outs, retries, and the load that makes them a trap."""

from functools import cache

from tunables.chapters.time_outs.case import data, storm_case
from tunables.chapters.time_outs.predictor import STATES, predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

_CALM = ("below", "above")  # the server can be made safe by day
_ROOM = ("below", "above", "storm", "full")  # all states but a timeout that is too short
_BOUND = (
    "ound the server's queue at {queue_limit} requests, half a timeout's work. Or pass the "
    "deadline on, and begin nothing with less than {margin_ms} ms left."
)


def _parameters() -> tuple[Parameter, ...]:
    storm = storm_case()
    return (
        borrow_parameter(
            storm, "arrival_rate_per_s", name="arrivals_per_s", low=0.1, high=100_000, scale="log"
        ),
        Parameter(
            "service_ms",
            "Time that one request takes a thread",
            "ms",
            10.0,
            "assumed",
            "with one thread the server of the chapter, 100 a second",
            low=0.01,
            high=60_000,
            scale="log",
        ),
        Parameter(
            "threads",
            "Threads of the server",
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
            "Attempts that are answered in time now",
            "%",
            100.0,
            "assumed",
            "a quiet day; in a storm it is near 0",
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
                Output("safe_arrivals_per_s", "Knee: largest safe load", "1/s", None),
                Output("spare_percent", "Spare load", "%", 1),
                Output("capacity_per_s", "The server can do", "1/s", None),
                Output("alarm_per_s", "Alert from", "1/s", None),
                Output("full_alarm_per_s", "Alert from, queue bounded", "1/s", None),
                Output("storm_per_s", "Attempts if all are late", "1/s", None),
                Output("growth_per_s", "The storm's queue grows by", "1/s", None),
                Output("drain_s", "A minute of storm drains in", "s", None),
                Output("admit_per_s", "In a storm, let in at most", "1/s", None),
                Output("refuse_percent", "That turns away", "%", 0),
                Output("shed_percent", "To turn away if nearly full", "%", 0),
                Output("queue_limit", "Longest queue", "requests", 0),
                Output("queue_alarm", "Alert from a queue of", "requests", 1),
                Output("age_alarm_ms", "Alert from a wait of", "ms", None),
                Output("margin_ms", "Time left that is worth a start", "ms", None),
                Output("late_safe_per_s", "Safe if late ones are skipped", "1/s", None),
                Output("safe_retries", "Most retries at this load", "retries", 0),
                Output("least_timeout_ms", "Shortest timeout for these rules", "ms", None),
                Output("service_share_percent", "One service, of the timeout", "%", None),
                Output("longest_ms", "A client waits at most", "ms", None),
                Output("callers_waiting", "Callers held if nobody answers", "callers", None),
                Output("safe_callers", "Safe number of callers who wait", "callers", 0),
                Output("three_layers", "Attempts through three layers", "attempts", 0),
                Output("rehearsal_s", "Outage to rehearse", "s", None),
            ),
            states=True,
        ),
        tunable="The client's timeout T and its retries r, which count after the first attempt: "
        "a request takes up to (r + 1) T = {longest_ms} ms and r + 1 pieces of work. If three "
        "layers retry like this, one request is up to {three_layers} attempts.",
        knee="For many independent clients, what the server can do over r + 1: "
        "{safe_arrivals_per_s} of {capacity_per_s} requests a second, whatever T is. Above it the "
        "retries alone, {storm_per_s} attempts a second, keep the server full after the cause is "
        "gone. For callers who wait for their answers T decides: up to {safe_callers} of them are "
        "safe.",
        failure="Above the knee, all at once, and it stays. Once more than a timeout's work is in "
        "line, every answer comes too late: the server is full and answers nobody, "
        "{callers_waiting} callers wait, and the queue grows by {growth_per_s} requests a second "
        "(0 below the knee).",
        watch=(
            Watch("New requests", "1/s", "above", "alarm_per_s", states=("below",)),
            # Step 1 bounds the queue or turns the retries off; either way this load is safe.
            Watch("New requests let in, after step 1", "1/s", "above", "full_alarm_per_s"),
            Watch(
                "Attempts for each new request", "1", "above", 1.05, "for a minute", states=_ROOM
            ),
            Watch(
                "Answered in time, of the attempts let in",
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
                "Refused by a full queue, of all attempts",
                "%",
                "above",
                5.0,
                "for a minute",
                states=_CALM,
            ),
        ),
        steps=(
            When(("storm",), "Now turn the retries off everywhere, in clients and proxies."),
            When(
                ("storm",),
                "With the retries off, empty the server's queue or restart the server. Left full, "
                "it takes {drain_s} s to drain for each minute of storm.",
            ),
            When(
                ("storm",),
                "No switch for the retries? Turn away {refuse_percent} % of the new requests, so "
                "that at most {admit_per_s} a second get in. After {longest_ms} ms, when earlier "
                "clients have given up, empty the queue.",
            ),
            When(
                ("storm",),
                "Once over 90 % of the attempts that get in are answered in time for a minute, let "
                "new requests in again, a tenth at a time: all of them if the retries are off, at "
                "most {alarm_per_s} a second if they are still on.",
            ),
            When(
                ("storm",),
                'Leave the retries off tonight. By day, set "Attempts that are answered in time '
                'now" to 100 % above: the card then says what must be done before the retries '
                "come back.",
            ),
            When(("full",), "Turn the retries off: there is no room for the work that they add."),
            When(
                ("full",),
                "Turn away {shed_percent} % of the new requests, so that at most "
                "{full_alarm_per_s} a second get in.",
            ),
            When(
                ("full",),
                "If fewer than half of the attempts are answered in time and the retries are off, "
                "empty the queue.",
            ),
            When(
                ("full",),
                "Add servers or threads until the new requests take less than 80 % of them. Then "
                "put the new numbers in above.",
            ),
            When(
                ("few",),
                "Turn the retries off: one service takes {service_share_percent} % of the timeout, "
                "so a short queue is enough to make attempts late, and each retry lengthens the "
                "queue.",
            ),
            When(
                ("few",),
                "Lengthen the timeout to at least {least_timeout_ms} ms, for one client group "
                "first. Or make the service faster. With the present timeout no bound of the queue "
                "works.",
            ),
            When(("few",), "Put the new timeout in above, and follow the card from there."),
            When(
                ("below",),
                f"Under 90 % answered in time? First find what slows the server. Then b{_BOUND}",
            ),
            When(("above",), f"B{_BOUND}"),
            When(
                _CALM,
                "Build a switch that turns all retries off without a release, and a command that "
                "empties the queue.",
            ),
            When(
                _CALM,
                "Cap the retries at a tenth of the requests. If you can't, lower them to "
                "{safe_retries} for each if there are more now; never raise them to it.",
            ),
            When(
                _CALM,
                "Change one client group, 5 % of the load, for a day. Its attempts for each new "
                "request mustn't rise.",
            ),
            When(
                _CALM,
                "Once the queue is bounded, rehearse in a test system at the busy hour's load, "
                "the switch ready: pause the server for {rehearsal_s} s. The queue must "
                "not grow beyond {queue_limit}, and the server must recover with the retries on.",
            ),
            When(
                _CALM,
                "Shorten the timeout last: only above the 99.9th percentile, never below "
                "{least_timeout_ms} ms, and not for callers who wait for their answers.",
            ),
        ),
        roll_back=(
            When(
                _CALM,
                "Requests that fail for good rise above what you accept, while new requests are "
                "below {full_alarm_per_s} a second and the server is up: put the last change back.",
            ),
            When(
                ("storm",),
                "A minute after the queue was emptied fewer than 90 % are still answered in time: "
                "the retries are not the cause. Leave them off, and look for what slows the "
                "server.",
            ),
            When(
                ("full",),
                "The new requests that arrive, those turned away included, stay below "
                "{full_alarm_per_s} a second for ten minutes, and over 90 % of the attempts that "
                "get in are answered in time: let all new requests in again.",
            ),
            When(
                ("few",),
                "Callers run out of threads or connections: put the old timeout back, and leave "
                "the retries off.",
            ),
        ),
        never=(
            "Don't turn away only the excess: a full queue drains only if fewer than "
            "{capacity_per_s} attempts a second get in, and the further below, the faster.",
            "Don't empty the queue while the retries are on and all new requests get in: the storm "
            "can fill it again within a timeout.",
            "Don't wait for a storm to pass, and don't add retries or shorten the timeout in one.",
            When(
                _CALM,
                "Don't stop at skipping what is late already: that is safe only up to "
                "{late_safe_per_s} requests a second.",
            ),
        ),
        states=STATES,
        today=(
            "gRPC: maxAttempts (first attempt included, at most 5), retryThrottling; deadlines "
            "travel along, none by default; hedgingPolicy's copies are attempts.",
            "Envoy: num_retries; circuit_breakers.max_pending_requests (1024) bounds the queue, "
            "max_retries (3) or retry_budget (20 % of active requests) the retries.",
            "Clients that hold back: Finagle's RetryBudget, AWS SDKs' retry_mode, Google SRE's "
            "adaptive throttling, circuit breakers (resilience4j).",
            "Limits that find themselves: Envoy's adaptive_concurrency, Netflix's "
            "concurrency-limits; adaptive LIFO and CoDel (Maurer 2015).",
        ),
    )
