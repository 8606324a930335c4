"""The card of chapter 2: time-outs and retries, and the load from which they are a trap."""

from functools import cache

from tunables.chapters.time_outs.knee import predict
from tunables.chapters.time_outs.storm_case import case
from tunables.parts.card import Card, Watch, borrowed, card_model
from tunables.parts.model import Output, Parameter


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrowed(
            of, "arrival_rate_per_s", name="arrivals_per_s", low=0.1, high=100_000, scale="log"
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
            whole=True,
        ),
        borrowed(
            of, "timeout_s", 1000, name="timeout_ms", unit="ms", low=1, high=120_000, scale="log"
        ),
        borrowed(of, "retries", high=20),
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
                Output("safe_arrivals_per_s", "Knee: largest safe load", "1/s", None),
                Output("spare_percent", "Spare load", "%", 1),
                Output("capacity_per_s", "The server can do", "1/s", None),
                Output("alarm_per_s", "Alert from", "1/s", None),
                Output("storm_per_s", "Attempts if all are late", "1/s", None),
                Output("growth_per_s", "The storm's queue grows by", "1/s", None),
                Output("drain_s", "A minute of storm drains in", "s", None),
                Output("admit_per_s", "In a storm, let in at most", "1/s", None),
                Output("refuse_percent", "That turns away", "%", 0),
                Output("queue_limit", "Longest queue", "requests", 0),
                Output("margin_ms", "Time left that is worth a start", "ms", None),
                Output("late_safe_per_s", "Safe if late ones are skipped", "1/s", None),
                Output("tipping_per_s", "Tips an empty server over", "1/s", None),
                Output("safe_retries", "Most retries at this load", "retries", 0),
                Output("longest_ms", "A client waits at most", "ms", None),
                Output("callers_waiting", "Callers held if nobody answers", "callers", None),
            ),
        ),
        tunable="The client's time-out T and its retries r. Retries count after the first attempt: "
        "a request costs up to (r + 1) T = {longest_ms} ms and r + 1 pieces of work.",
        knee="For many independent clients, what the server can do over r + 1: "
        "{safe_arrivals_per_s} of {capacity_per_s} requests a second. Above it the retries alone, "
        "{storm_per_s} attempts a second, keep the server full after the cause is gone; T does not "
        "matter. N callers who wait for their answers send at most N/T late attempts a second; "
        "there T decides, and r does not.",
        failure="All at once, and it stays. After a pause longer than the time-out every answer "
        "comes too late; the server runs at 100 % and answers nobody, while {callers_waiting} "
        "callers wait and the queue grows by {growth_per_s} requests a second.",
        watch=(
            Watch("New requests", "1/s", "above {alarm_per_s} a second"),
            Watch("Attempts for each new request", "1", "above 1.1 for a minute"),
            Watch("Answered in time, of all attempts", "%", "below 90 % for a minute"),
            Watch("Requests in the queue", "requests", "above {queue_limit}"),
            Watch("Age of the oldest request in the queue", "ms", "above the time-out"),
        ),
        steps=(
            "Bound the server's queue at {queue_limit} requests, half a time-out's work. Or pass "
            "the deadline on, and begin nothing that has less than {margin_ms} ms left. To skip "
            "only what is late already is not enough: it is safe up to {late_safe_per_s} requests "
            "a second.",
            "Build a switch that turns all retries off without a release, and a command that "
            "empties the queue.",
            "Cap the retries at a tenth of the requests, or set at most {safe_retries} (below 0: "
            "the server is too small even without).",
            "Change one client group, 5 % of the load, for a day. Its attempts for each new "
            "request must not rise.",
            "Rehearse in a quiet hour: stop one server for longer than T, and see it recover "
            "alone.",
            "Shorten the time-out last, only above the 99.9th percentile, and not for callers who "
            "wait for their answers.",
        ),
        roll_back="Requests that fail for good rise above what you accept while the server is far "
        "from full: put the retries back. In a storm the other way round: retries off everywhere, "
        "then empty the queue. Left full it takes {drain_s} s for each minute of storm to drain. "
        "No switch? Let in at most {admit_per_s} new requests a second, turn {refuse_percent} % "
        "away, until the queue is empty.",
        never=(
            "Turn away just enough: below {tipping_per_s} attempts a second an empty server stays "
            "well, but a full one drains only by what is left below {capacity_per_s}.",
            "Empty the queue with retries on, if {storm_per_s} is near twice {capacity_per_s} or "
            "above: the storm fills it again within a time-out.",
            "Wait, add retries, or shorten the time-out.",
        ),
        today=(
            "gRPC: maxAttempts (first attempt included, at most 5); retryThrottling stops retries "
            "once failures outrun successes; deadlines travel along, but none is set by default; "
            "hedgingPolicy sends copies before the time-out: count them as attempts.",
            "Envoy: num_retries; circuit_breakers.max_pending_requests (1024) bounds the queue, "
            "max_retries (3) the retries under way, or retry_budget (20 % of active requests).",
            "Finagle: RetryBudget, by default 20 % of the requests and 10 a second.",
            "AWS SDKs: retry_mode standard, 3 attempts and a quota; adaptive slows first attempts "
            "too.",
            "Circuit breakers (resilience4j: failureRateThreshold, 50 %) are a switch that opens "
            "by itself. Facebook's servers take the newest first and cut the time-out in the queue "
            "(adaptive LIFO and CoDel; Maurer 2015).",
        ),
    )
