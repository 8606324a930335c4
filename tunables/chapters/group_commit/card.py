"""The card of chapter 1: the longest that a commit waits for company."""

from functools import cache

from tunables.chapters.group_commit.calibration import fitted_caps, value
from tunables.chapters.group_commit.case import case
from tunables.chapters.group_commit.knee import predict
from tunables.chapters.group_commit.predictor import HYPOTHESES
from tunables.parts.card import Card, Watch, borrowed, card_model
from tunables.parts.model import Output, Parameter


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrowed(
            of,
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
            value("both-throughput"),
            "published",
            "benchmark table, row 3",
            low=0.1,
            high=100_000,
            scale="log",
        ),
        borrowed(
            of,
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
            float(HYPOTHESES.index(fitted_caps()) + 1),
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


@cache
def card() -> Card:
    """Return the card of the chapter, opened with the report's numbers."""
    return Card(
        model=card_model(
            case(),
            predict,
            _parameters(),
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
                Output("latency_alarm_ms", "Alert: commit latency from", "ms", None),
                Output("busy_alarm_percent", "Alert: device busy from", "%", None),
                Output("group_now", "Commits a flush now", "1", None),
                Output("group_zero", "Commits a flush, delay 0", "1", None),
                Output("group_best", "Commits a flush, shortest delay", "1", None),
                Output("closed_now_per_s", "Most commits, all clients back at once", "1/s", None),
                Output("closed_zero_per_s", "The same, delay 0", "1/s", None),
            ),
        ),
        tunable="The longest that a commit waits for others before the log is flushed (here "
        "/db/flush/delay/max). A maximum is what you pay when the company does not come.",
        knee="The flush time, {knee_ms} ms. A shorter delay can raise the throughput of clients "
        "who come back at once; a longer one always lowers it: now {closed_now_per_s} commits a "
        "second at most, without any delay {closed_zero_per_s}. Random arrivals are served soonest "
        "at delay 0; the shortest that keeps the device as free as you asked is {best_delay_ms} "
        "ms.",
        failure="Quietly. Latency steps up by a whole maximum, {cost_ms} ms a request, as soon as "
        "one open transaction outlasts it or aborts. CPU, disk and network all look idle.",
        watch=(
            Watch(
                "Commit latency, 50th and 99th percentile",
                "ms",
                "median above {latency_alarm_ms} ms for ten minutes: twice what the shortest delay "
                "should give",
            ),
            Watch("Commits a flush", "1", "near 1 with a delay set: you wait for nobody"),
            Watch("Time of one flush", "ms", "shorter than the delay: you are over the knee"),
            Watch("Device busy with flushes", "%", "above {busy_alarm_percent} % for ten minutes"),
            Watch("Oldest open transaction", "s", "older than the maximum delay"),
        ),
        steps=(
            "Measure the flush time of this very device, with its cache as in production.",
            "Record latency and commits a flush for a full busy hour.",
            "On one node set {best_delay_ms} ms. Expect {latency_best_ms} ms of latency, "
            "{group_best} commits a flush and a device {busy_best_percent} % busy.",
            "Leave it for a day with its busy hour, then go node by node.",
        ),
        roll_back="For an hour: the device more than {busy_alarm_percent} % busy with flushes, or "
        "the 99th percentile of commit latency above that of the hour you recorded, or a replica "
        "or backup on the same device falling behind. Put the old delay back.",
        today=(
            "PostgreSQL: commit_delay, in µs, default 0, and only while at least commit_siblings "
            "(default 5) other transactions are open.",
            "MySQL: binlog_group_commit_sync_delay, in µs, default 0; "
            "binlog_group_commit_sync_no_delay_count ends the wait at so many.",
            "Kafka's producer: linger.ms, default 0, since version 4.0 5; a full batch goes at "
            "once.",
        ),
        never=(
            "Do not make commits faster by not flushing (fsync off, a lying cache): the next crash "
            "loses what you acknowledged.",
            "Do not raise the delay because the device is slow: that adds latency to latency. Find "
            "the open transaction that everybody waits for, and end it.",
        ),
    )
