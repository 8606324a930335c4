"""The card of chapter 2: time-outs and retries, and the load from which they are a trap."""

from tunables.cards.card import Card, Watch, borrowed, card_model
from tunables.cases.case import Output, Parameter
from tunables.cases.storm import CASE

_PARAMETERS = (
    borrowed(CASE, "arrival_rate_per_s", name="arrivals_per_s", low=0.1, high=100_000, scale="log"),
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
        CASE, "timeout_s", 1000, name="timeout_ms", unit="ms", low=1, high=120_000, scale="log"
    ),
    borrowed(CASE, "retries", high=20),
)

CARD = Card(
    model=card_model(
        CASE,
        "tunables.predictors.retry_headroom",
        _PARAMETERS,
        (
            Output("safe_arrivals_per_s", "Knee: largest safe load", "1/s", None),
            Output("spare_percent", "Spare load", "%", 1),
            Output("capacity_per_s", "The server can do", "1/s", None),
            Output("alarm_per_s", "Alert from", "1/s", None),
            Output("storm_per_s", "Attempts if all are late", "1/s", None),
            Output("tipping_per_s", "Attempts that tip it over", "1/s", None),
            Output("safe_retries", "Most retries at this load", "retries", 0),
            Output("longest_ms", "A client waits at most", "ms", None),
            Output("callers_waiting", "Callers held if nobody answers", "callers", None),
        ),
    ),
    tunable="The client's time-out T and its retries r. Retries count after the first attempt: a "
    "request costs up to (r + 1) T = {longest_ms} ms and r + 1 pieces of work.",
    knee="What the server can do over r + 1: {safe_arrivals_per_s} of {capacity_per_s} requests a "
    "second. Above it the retries alone, {storm_per_s} attempts a second, keep the server full "
    "after the cause is gone. The time-out does not move this knee.",
    failure="All at once, and it stays. After a pause longer than the time-out every answer comes "
    "too late; the server runs at 100 % and answers nobody, while {callers_waiting} callers wait. "
    "Restarting clients makes it worse.",
    watch=(
        Watch("New requests", "1/s", "above {alarm_per_s} a second"),
        Watch("Attempts for each new request", "1", "above 1.1 for a minute"),
        Watch("Attempts", "1/s", "above {tipping_per_s} a second: the storm runs up"),
        Watch("Answered in time, of all attempts", "%", "below 90 %"),
        Watch("Age of the oldest request in the queue", "ms", "above the time-out"),
    ),
    steps=(
        "First let the server drop what nobody waits for any more (send the deadline along); "
        "that removes the trap.",
        "Then retries down to at most {safe_retries} (below 0: the server is too small even "
        "without), or cap them at a tenth of all requests.",
        "Change one client group, 5 % of the load, for a day. Its attempts for each new request "
        "must not rise.",
        "Rehearse in a quiet hour: stop one server for longer than T, and see it recover alone.",
        "Then the other groups. Shorten the time-out last, and only above the 99.9th percentile.",
    ),
    roll_back="Requests that fail for good rise above what you accept while the server is far "
    "from full. Put the retries back. In a storm do not touch the retries first: turn away "
    "load until attempts are below {tipping_per_s} a second.",
)
