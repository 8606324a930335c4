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
            "not in the report; measure yours with pg_test_fsync or fio --fdatasync=1",
            low=0.01,
            high=1000,
            scale="log",
        ),
        Parameter(
            "commits_per_s",
            "Commit rate, measured at this delay",
            "1/s",
            value("original-throughput") * caps,
            "calibrated",
            "the report's row 1: 6 batches per second with two commits each",
            low=0.1,
            high=100_000,
            scale="log",
        ),
        borrow_parameter(
            rdu,
            "clients",
            label="Clients, each with one commit in flight",
            unit="clients",
            high=10_000,
            scale="log",
        ),
        Parameter(
            "delays_paid",
            "Delays that one request waits out",
            "delays",
            float(caps),
            "calibrated",
            "chapter 1: two per batch",
            low=0,
            high=20,
            integer=True,
        ),
        Parameter(
            "busy_limit_percent",
            "Largest share of device time that flushes may take",
            "%",
            50.0,
            "assumed",
            "leaves half of the device's time for other work",
            low=1,
            high=100,
        ),
        Parameter(
            "transaction_s",
            "Transaction age, 99.9th percentile",
            "s",
            10.0,
            "assumed",
            "longer than the 8.1 s that a batch takes in the report's row 1",
            low=0.001,
            high=86_400,
            scale="log",
        ),
    )


# The states in which the delay is to be cut, raised, or left alone.
LONG = ("over", "long")
CUT = (*LONG, "alone")
RAISED = ("short", "costly")
STEADY = ("spare", "worth", "fits", *RAISED)


@cache
def card() -> Card:
    """Return the card of the chapter; it opens with the numbers of row 1 of the report."""
    return Card(
        model=card_model(
            case(),
            predict_headroom,
            _parameters(),
            (
                Output("best_delay_ms", "Shortest sufficient delay", "ms", None),
                Output("knee_ms", "Knee: the flush time", "ms", None),
                Output("cost_ms", "Longest total delay per request", "ms", None),
                Output(
                    "most_per_s",
                    "Highest commit rate that today's clients can reach at the shortest delay",
                    "1/s",
                    None,
                ),
                Output(
                    "latency_most_ms", "Longest commit latency at the shortest delay", "ms", None
                ),
                Output(
                    "busy_most_percent",
                    "Largest share of device time that flushes can take at the shortest delay",
                    "%",
                    None,
                ),
                Output(
                    "latency_now_ms",
                    "Mean commit latency now, assuming random arrivals",
                    "ms",
                    None,
                ),
                Output(
                    "latency_zero_ms",
                    "Mean commit latency without a delay, assuming random arrivals",
                    "ms",
                    None,
                ),
                Output(
                    "latency_best_ms",
                    "Mean commit latency at the shortest delay, assuming random arrivals",
                    "ms",
                    None,
                ),
                Output(
                    "busy_now_percent",
                    "Share of device time that flushes take now, assuming random arrivals",
                    "%",
                    None,
                ),
                Output(
                    "busy_zero_percent",
                    "Share of device time that flushes take without a delay, assuming random "
                    "arrivals",
                    "%",
                    None,
                ),
                Output("group_now", "Commits per flush now, assuming random arrivals", "1", None),
                Output(
                    "closed_now_per_s",
                    "Highest commit rate now, assuming every client commits again immediately",
                    "1/s",
                    None,
                ),
                Output(
                    "closed_zero_per_s",
                    "Highest commit rate without a delay, assuming every client commits "
                    "again immediately",
                    "1/s",
                    None,
                ),
                Output(
                    "closed_best_per_s",
                    "Highest commit rate at the shortest delay, assuming every client commits "
                    "again immediately",
                    "1/s",
                    None,
                ),
                Output("half_flush_ms", "Half the flush time", "ms", None),
                Output("ceiling_ms", "Longest delay worth setting", "ms", None),
                Output("latency_alarm_ms", "Alert: commit latency above", "ms", None),
                Output("flush_alarm_ms", "Alert: flush time above", "ms", None),
                Output("age_alarm_s", "Alert: oldest open transaction older than", "s", None),
            ),
            main=("best_delay_ms", "latency_best_ms", "latency_now_ms"),
            states=True,
        ),
        states=STATES,
        tunable="The longest time that a commit waits for others before the log is flushed (in "
        "the report: /db/flush/delay/max). If no others arrive, the commit waits the full time.",
        knee="The knee is the flush time, {knee_ms} ms. Clients that wait for their commits gain "
        "from a delay well below the flush time and lose from a delay above it. They can make at "
        "most {closed_now_per_s} commits per second now, and at most {closed_zero_per_s} without a "
        "delay. Commits that arrive at random are fastest without any delay, because for them "
        "a delay only saves flushes.",
        failure="It fails quietly. If one open transaction outlasts the maximum delay or aborts, "
        "the others wait the full time whenever they commit, which costs {cost_ms} ms per request. "
        "CPU, disk and network all look idle.",
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
                (*CUT, "spare", "worth", "fits"),
            ),
            Watch("Lag of a replica or backup on this device", "s", "above", 60.0),
        ),
        steps=(
            When(
                LONG,
                "First find the oldest open transaction, and ask its owner whether you may end "
                "it. That may be all you need to do tonight.",
            ),
            When(
                ("long", "costly"),
                "Plan to move the log to a device of its own, instead of setting a delay "
                "that is longer than a flush.",
            ),
            When(
                RAISED,
                "Find out whether anything else on this device is too slow. If nothing is, change "
                "nothing. Flushes that keep the device busy are no problem in themselves.",
            ),
            When(
                ("spare",),
                "You don't have to change anything. Commits may be faster with a shorter delay; if "
                "you want to try one, follow the steps below.",
            ),
            When(
                ("long",),
                "If nothing else on this device is too slow, use half the flush time "
                "({half_flush_ms} ms) instead of the delay advised below: clients that wait for "
                "their commits can then make more of them.",
            ),
            When(
                (*CUT, "spare", *RAISED),
                "In a quiet hour, measure the flush time with pg_test_fsync -f, or with fio "
                "--fdatasync=1 --size=16M, on a scratch file in the log's file system, never on "
                "the raw device. Then record commit latency and commits per second for a full "
                "busy hour.",
            ),
            When(
                (*CUT, "spare"),
                "On one node, set the delay to {best_delay_ms} ms; if that needs a restart, plan "
                "it. A commit then takes at most {latency_most_ms} ms. Expect up to {most_per_s} "
                "commits per second and a device that is up to {busy_most_percent}% busy with "
                "flushes.",
            ),
            When(
                RAISED,
                "On one node, set the delay to {best_delay_ms} ms; if that needs a restart, plan "
                "it. A commit then takes at most {latency_most_ms} ms, flushes take at most "
                "{busy_most_percent}% of the device's time, and clients that wait for their "
                "commits make at most {closed_best_per_s} commits per second.",
            ),
            When(
                ("over", "spare"),
                "If clients wait for their commits, and half the flush time ({half_flush_ms} ms) "
                "is longer than {best_delay_ms} ms, try a delay of half the flush time on another "
                "node. "
                "Keep whichever delay gives the lower median latency.",
            ),
            When(
                (*CUT, "spare", *RAISED),
                "Keep the new delay for a day that includes the busy hour, then change the other "
                "nodes one at a time. Enter the new commit rate above, because the card may then "
                "recommend another delay.",
            ),
            When(
                ("worth", "fits"),
                "Change nothing tonight.",
            ),
            When(
                ("worth", "fits"),
                "Measure the flush time and the commit rate again whenever the device, the "
                "cache or the load changes, and enter them above.",
            ),
            When(
                ("mismatch",),
                "Change nothing yet. At this delay, clients that each have one commit in flight "
                "can make at most {closed_now_per_s} commits per second, fewer than you entered. "
                "Count commits and clients again, both in the same hour.",
            ),
            When(
                ("mismatch",),
                "If a client goes on before its commit is answered (as Kafka's producer does), "
                "enter, instead of the number of clients, how many commits can be in flight at "
                "the same time.",
            ),
        ),
        roll_back=(
            When(
                (*CUT, "spare"),
                "Put the old delay back if, for ten minutes of the next busy hour, the median "
                "commit latency or this node's commits per second are more than a tenth worse "
                "than in the hour that you recorded, or if a replica or backup on this device "
                "falls behind. A busier device alone is no reason to put it back: up to "
                "{busy_most_percent}% is expected.",
            ),
            When(
                RAISED,
                "Put the old delay back if the median commit latency stays above "
                "{latency_most_ms} ms for ten minutes, or if nothing else on this device has "
                "become faster after a day.",
            ),
        ),
        never=(
            "Don't speed up commits by skipping the flush (fsync off, or a cache that reports "
            "writes as done before they are): the next crash would lose commits that you have "
            "acknowledged.",
            When(
                (*CUT, *STEADY),
                "Don't set the delay above {ceiling_ms} ms, even if the device is slow: beyond "
                "that, commits only wait longer.",
            ),
            "Don't end a transaction that you don't recognise: it may be a backup or a migration.",
        ),
    )
