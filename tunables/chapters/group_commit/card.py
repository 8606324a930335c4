"""The operator's card of chapter 1: the longest time that a commit waits for others."""

from functools import cache

from tunables.chapters.group_commit.case import case, fitted_caps, value
from tunables.chapters.group_commit.predictor import HYPOTHESES, STATES, predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter


def _parameters() -> tuple[Parameter, ...]:
    rdu = case()
    caps = HYPOTHESES.index(fitted_caps()) + 1  # the maximum delays that a batch pays
    return (
        borrow_parameter(
            rdu,
            "max_delay_s",
            1000,
            name="delay_ms",
            label="Maximum delay before a flush",
            unit="ms",
            high=5000,
        ),
        Parameter(
            "flush_ms",
            "Flush time",
            "ms",
            5.0,
            "assumed",
            "not in the note; measure yours with pg_test_fsync or fio --fdatasync=1",
            low=0.01,
            high=1000,
            scale="log",
        ),
        Parameter(
            "commits_per_s",
            "Commits measured at this delay",
            "1/s",
            value("original-throughput") * caps,
            "calibrated",
            "row 1: 6 batches per second, two commits each",
            low=0.1,
            high=100_000,
            scale="log",
        ),
        borrow_parameter(
            rdu,
            "clients",
            label="Clients, each with one commit under way",
            unit="clients",
            high=10_000,
            scale="log",
        ),
        Parameter(
            "delays_paid",
            "Delays in one request",
            "delays",
            float(caps),
            "calibrated",
            "chapter 1: two for each batch",
            low=0,
            high=20,
            integer=True,
        ),
        Parameter(
            "busy_limit_percent",
            "Device time that flushes may take, at most",
            "%",
            50.0,
            "assumed",
            "what other work on the device leaves free",
            low=1,
            high=100,
        ),
        Parameter(
            "transaction_s",
            "Age of a transaction, 99.9th percentile",
            "s",
            10.0,
            "assumed",
            "longer than a batch of row 1, 8.1 s",
            low=0.001,
            high=86_400,
            scale="log",
        ),
    )


# The states in which the delay is to be cut, raised, or left alone.
CUT = ("over", "alone")
RAISED = ("short", "costly")
STEADY = ("spare", "fits", *RAISED)


@cache
def card() -> Card:
    """Return the card of the chapter; it opens with the numbers of row 1 of the report."""
    return Card(
        model=card_model(
            case(),
            predict_headroom,
            _parameters(),
            (
                Output("best_delay_ms", "Shortest delay you need", "ms", None),
                Output("knee_ms", "Knee: the flush time", "ms", None),
                Output("cost_ms", "Delay in one request, at most", "ms", None),
                Output("most_per_s", "Commits at the shortest delay, at most", "1/s", None),
                Output(
                    "latency_most_ms", "Commit latency at the shortest delay, at most", "ms", None
                ),
                Output(
                    "busy_most_percent", "Device busy at the shortest delay, at most", "%", None
                ),
                Output("latency_now_ms", "Mean latency now, random commits", "ms", None),
                Output("latency_zero_ms", "Mean latency without delay, random commits", "ms", None),
                Output(
                    "latency_best_ms",
                    "Mean latency at the shortest delay, random commits",
                    "ms",
                    None,
                ),
                Output("busy_now_percent", "Device busy now, random commits", "%", None),
                Output("busy_zero_percent", "Device busy without delay, random commits", "%", None),
                Output("group_now", "Commits per flush now, random commits", "1", None),
                Output(
                    "closed_now_per_s", "Most commits now, all clients back at once", "1/s", None
                ),
                Output(
                    "closed_zero_per_s",
                    "Most commits without delay, all clients back at once",
                    "1/s",
                    None,
                ),
                Output(
                    "closed_best_per_s",
                    "Most commits at the shortest delay, all clients back at once",
                    "1/s",
                    None,
                ),
                Output("half_flush_ms", "Half the flush time", "ms", None),
                Output("ceiling_ms", "Longest delay worth setting", "ms", None),
                Output(
                    "latency_alarm_ms", "Alert: commit latency at the shortest delay", "ms", None
                ),
                Output("flush_alarm_ms", "Alert: flush time", "ms", None),
                Output("age_alarm_s", "Alert: oldest open transaction", "s", None),
            ),
            states=True,
        ),
        states=STATES,
        tunable="The longest time a commit waits for others before the log is flushed (here "
        "/db/flush/delay/max). Whenever the others don't come, the commit waits for all of it.",
        knee="The flush time, {knee_ms} ms. Clients that wait for their commits gain from a delay "
        "well below it and lose from a longer one: they make at most {closed_now_per_s} commits "
        "per second now, and {closed_zero_per_s} without a delay. Commits that arrive at random "
        "are fastest without any delay; for them a delay only saves flushes.",
        failure="Quietly. If one open transaction outlasts the maximum or aborts, the others wait "
        "out the whole maximum each time they commit: {cost_ms} ms per request. CPU, disk "
        "and network all look idle.",
        watch=(
            Watch(
                "Commit latency, 50th percentile",
                "ms",
                "above",
                "latency_alarm_ms",
                "for ten minutes",
                STEADY,
            ),
            Watch(
                "Commit latency, 50th percentile, after the change",
                "ms",
                "above",
                "latency_alarm_ms",
                "for ten minutes",
                CUT,
            ),
            Watch("Flush time", "ms", "above", "flush_alarm_ms", "for ten minutes"),
            Watch("Oldest open transaction", "s", "above", "age_alarm_s"),
            Watch(
                "Commits per second, compared with the same hour last week",
                "%",
                "below",
                70.0,
                "for ten minutes",
                ("over", "spare", "fits", "alone"),
            ),
            Watch("Lag of a replica or backup on this device", "s", "above", 60.0),
        ),
        steps=(
            When(
                ("over",),
                "First look for the oldest open transaction. Ask its owner whether it may be "
                "ended; that may be all you need tonight.",
            ),
            When(
                ("costly",),
                "Instead of setting so long a delay, move the log to a device of its own.",
            ),
            When(
                RAISED,
                "Ask whether anything else on this device is too slow. If nothing is, change "
                "nothing: a device busy with flushes is not a fault.",
            ),
            When(
                ("spare",),
                "Nothing has to change. A shorter delay may be faster: try it as below.",
            ),
            When(
                ("over", "spare", *RAISED, "alone"),
                "In a quiet hour measure the flush time with pg_test_fsync, or with fio on a "
                "scratch file in the log's file system, never on the raw device. Then record "
                "commit latency and commits per second for a full busy hour.",
            ),
            When(
                ("over", "spare", "alone"),
                "On one node set {best_delay_ms} ms; plan the restart if it needs one. A commit "
                "then takes {latency_most_ms} ms at most. Expect up to {most_per_s} commits per "
                "second, and a device up to {busy_most_percent}% busy with flushes.",
            ),
            When(
                RAISED,
                "On one node set {best_delay_ms} ms; plan the restart if it needs one. A commit "
                "then takes {latency_most_ms} ms at most, flushes take {busy_most_percent}% of the "
                "device at most, and clients that wait make {closed_best_per_s} commits per second "
                "at most.",
            ),
            When(
                ("over", "spare"),
                "If clients wait for their commits, and half a flush ({half_flush_ms} ms) is "
                "longer than {best_delay_ms} ms, try half a flush on another node. Keep the delay "
                "with the lower median latency.",
            ),
            When(
                ("over", "spare", *RAISED, "alone"),
                "Leave it for a day that includes the busy hour, then go node by node. Enter the "
                "new rate in this card: it may call for another delay.",
            ),
            When(
                ("fits",),
                "Change nothing tonight.",
            ),
            When(
                ("fits",),
                "Measure the flush time and the commits per second again after each change of "
                "device, cache or load, and enter them in this card.",
            ),
            When(
                ("mismatch",),
                "Change nothing yet. Clients with one commit each under way make "
                "{closed_now_per_s} commits per second at most at this delay: count commits and "
                "clients again, in the same hour.",
            ),
            When(
                ("mismatch",),
                "If a client goes on before its commit is answered (Kafka's producer does), enter "
                "as many clients as commits may be under way at once.",
            ),
        ),
        roll_back=(
            When(
                ("over", "spare", "alone"),
                "For ten minutes of the next busy hour, the median commit latency or this node's "
                "commits per second are more than a tenth worse than in the hour you recorded, or "
                "a replica or backup on this device falls behind. Put the old delay back. A busier "
                "device alone is no reason: up to {busy_most_percent}% is expected.",
            ),
            When(
                RAISED,
                "For ten minutes the median commit latency is above {latency_most_ms} ms, or after "
                "a day nothing else on this device has become faster. Put the old delay back.",
            ),
        ),
        never=(
            "Don't make commits faster by not flushing (fsync off, a cache that lies): the next "
            "crash loses what you acknowledged.",
            "Don't set more than {ceiling_ms} ms because the device is slow: beyond that, commits "
            "only wait longer.",
            "Don't end a transaction that you don't know: it may be a backup or a migration.",
        ),
    )
