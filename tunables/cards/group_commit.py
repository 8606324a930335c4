"""The card of chapter 1: the longest that a commit waits for company."""

from tunables.cards.card import Card, Watch, borrowed, card_model
from tunables.cases.case import Output, Parameter
from tunables.cases.rdu import CASE
from tunables.cases.rdu_calibration import fitted_caps
from tunables.evidence.published import published
from tunables.predictors.rdu import HYPOTHESES

_data = published("rdu-batch-tuning")
_CAPS = float(HYPOTHESES.index(fitted_caps()) + 1)

_PARAMETERS = (
    borrowed(
        CASE,
        "max_delay_s",
        1000,
        name="delay_ms",
        label="Maximum delay before a flush",
        unit="ms",
        high=5000,
    ),
    Parameter(
        "flush_ms",
        "Time of one flush",
        "ms",
        5.0,
        "assumed",
        "not in the note: measure yours, pg_test_fsync or fio --fdatasync=1",
        low=0.01,
        high=1000,
        scale="log",
    ),
    Parameter(
        "commits_per_s",
        "Commits",
        "1/s",
        _data["both-throughput"].value,
        "published",
        "benchmark table, row 3",
        low=0.1,
        high=100_000,
        scale="log",
    ),
    borrowed(
        CASE,
        "clients",
        label="Clients who commit again at once",
        unit="clients",
        high=10_000,
        scale="log",
    ),
    Parameter(
        "delays_paid",
        "Delays that one request pays",
        "delays",
        _CAPS,
        "calibrated",
        "chapter 1: two for each batch",
        low=0,
        high=20,
        whole=True,
    ),
    Parameter(
        "busy_limit_percent",
        "Flushes may take this much of the device",
        "%",
        50.0,
        "assumed",
        "what other work leaves free",
        low=1,
        high=100,
    ),
)

CARD = Card(
    model=card_model(
        CASE,
        "tunables.predictors.flush_delay",
        _PARAMETERS,
        (
            Output("best_delay_ms", "Shortest delay you need", "ms", None),
            Output("knee_ms", "Knee: the flush time", "ms", None),
            Output("cost_ms", "A request pays at most", "ms", None),
            Output("latency_now_ms", "Commit latency now", "ms", None),
            Output("latency_zero_ms", "Commit latency, delay 0", "ms", None),
            Output("latency_best_ms", "Commit latency, shortest delay", "ms", None),
            Output("busy_now_percent", "Device busy with flushes now", "%", None),
            Output("busy_zero_percent", "Device busy, delay 0", "%", None),
            Output("busy_best_percent", "Device busy, shortest delay", "%", None),
            Output("group_now", "Commits a flush now", "1", None),
            Output("group_zero", "Commits a flush, delay 0", "1", None),
            Output("group_best", "Commits a flush, shortest delay", "1", None),
            Output("closed_now_per_s", "Most commits, all clients back at once", "1/s", None),
            Output("closed_zero_per_s", "The same, delay 0", "1/s", None),
        ),
    ),
    tunable="The longest that a commit waits for others before the log is flushed (here "
    "/db/flush/delay/max; PostgreSQL: commit_delay). A maximum is what you pay when the company "
    "does not come.",
    knee="The flush time, {knee_ms} ms. A shorter delay can raise the throughput of clients who "
    "come back at once; a longer one always lowers it: now {closed_now_per_s} commits a second "
    "at most, without any delay {closed_zero_per_s}. Random arrivals are served soonest at "
    "delay 0; the shortest that keeps the device as free as you asked is {best_delay_ms} ms.",
    failure="Quietly. Latency steps up by a whole maximum, {cost_ms} ms a request, as soon as one "
    "open transaction outlasts it or aborts. CPU, disk and network all look idle.",
    watch=(
        Watch("Commit latency, 50th and 99th percentile", "ms", "median above {latency_now_ms} ms"),
        Watch("Commits a flush", "1", "near 1 with a delay set: you wait for nobody"),
        Watch("Time of one flush", "ms", "shorter than the delay: you are over the knee"),
        Watch("Device busy with flushes", "%", "above {busy_now_percent} % for ten minutes"),
        Watch("Oldest open transaction", "s", "older than the maximum delay"),
    ),
    steps=(
        "Measure the flush time of this very device, with its cache as in production.",
        "Record latency and commits a flush for a full busy hour.",
        "On one node set {best_delay_ms} ms. Expect {latency_best_ms} ms of latency, "
        "{group_best} commits a flush and a device {busy_best_percent} % busy.",
        "Leave it for a day with its busy hour, then go node by node.",
    ),
    roll_back="The device stays more than {busy_best_percent} % busy with flushes, or the "
    "replication or backup that shares it falls behind. Put the old delay back; no restart is "
    "needed where the setting is reloaded.",
)
