"""The card of chapter 5: the stage that limits a replication, and what each would need."""

from functools import cache

from tunables.chapters.replication.calibration import fitted_parameters
from tunables.chapters.replication.case import case
from tunables.chapters.replication.predictor import ASSUMED_RTT_S, LIMITS, predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

# A replica that applies 5% less than is written falls behind by 30 s in ten minutes.
LAG_GROWTH_S = 30.0


def states_of(limit: str) -> tuple[str, ...]:
    """Return the card's two states with this limit."""
    return (limit, f"{limit}-behind")


def _rate(name, label):
    return borrow_parameter(
        case(),
        f"{name}_lcr_s",
        fitted_parameters()["lcr_bytes"] / 1e6,
        name=f"{name}_mb_per_s",
        label=label,
        unit="MB/s",
        low=0.001,
        high=100_000,
    )


def _parameters() -> tuple[Parameter, ...]:
    wlcg = case()
    return (
        Parameter(
            "changes_mb_per_s",
            "Changes written at the source",
            "MB/s",
            1.0,
            "assumed",
            "enter the rate in your busiest hour",
            low=0.001,
            high=100_000,
            scale="log",
        ),
        borrow_parameter(
            wlcg,
            "rtt_s",
            name="rtt_ms",
            unit="ms",
            default=1000 * ASSUMED_RTT_S["BNL"],
            low=0.05,
            high=2000,
            scale="log",
        ),
        Parameter(
            "window_bytes",
            "TCP window per stream (the smaller of the windows at its two ends)",
            "B",
            float(2 * 2**20),
            "assumed",
            "half of 4 MiB, Linux's default maximum for a send buffer (tcp_wmem), because the "
            "slides don't give a window",
            low=1000,
            high=4e9,
            scale="log",
        ),
        Parameter(
            "streams",
            "Parallel streams",
            "1",
            1,
            "assumed",
            "one pump with one connection",
            low=1,
            high=64,
            integer=True,
        ),
        borrow_parameter(
            wlcg, "loss", label="Loss rate (share of segments lost)", low=1e-9, high=0.1
        ),
        borrow_parameter(wlcg, "mss_bytes", low=500, high=9000),
        borrow_parameter(wlcg, "link_gbps", low=0.001, high=800, scale="log"),
        borrow_parameter(
            wlcg,
            "compression_ratio",
            default=1.0,
            origin="assumed",
            source="1 means no compression",
        ),
        _rate("source", "Source rate, including capture and compression"),
        _rate("pump", "Pump rate, without compression"),
        _rate("apply", "Apply rate"),
    )


@cache
def card() -> Card:
    """Return the card of the chapter; its opening values are the report's."""
    return Card(
        model=card_model(
            case(),
            predict_headroom,
            _parameters(),
            (
                Output("pace_mb_per_s", "Knee: pace of the slowest stage", "MB/s", None),
                Output("spare_percent", "Headroom", "%", 1),
                Output(
                    "alert_mb_per_s",
                    "Current alert threshold for changes (80% of the knee)",
                    "MB/s",
                    None,
                ),
                Output("next_mb_per_s", "Pace once the present limit is removed", "MB/s", None),
                Output(
                    "next_alert_mb_per_s",
                    "Alert threshold once the present limit is removed",
                    "MB/s",
                    None,
                ),
                Output("window_mb_per_s", "Limit set by the window", "MB/s", None),
                Output("loss_mb_per_s", "Limit set by the loss, with CUBIC", "MB/s", None),
                Output("link_mb_per_s", "Limit set by the link", "MB/s", None),
                Output("window_least_bytes", "Smallest window that doesn't limit the pace", "B", 0),
                Output("window_needed_bytes", "Recommended window, with room to spare", "B", 0),
                Output("buffer_needed_bytes", "Buffer for the recommended window", "B", 0),
                Output("path_bytes", "Window that fills the link", "B", 0),
                Output("loss_allowed", "Largest loss rate that doesn't limit the pace", "1", None),
                Output(
                    "loss_alert_percent",
                    "Alert if the loss rate exceeds",
                    "%",
                    None,
                ),
                Output("catch_up_h", "Time to catch up on an hour of lag", "h", None),
            ),
            main=("pace_mb_per_s", "spare_percent", "next_mb_per_s"),
            states=True,
        ),
        states=tuple(state for limit in LIMITS for state in states_of(limit)),
        tunable="The TCP window of one connection (the buffers at both of its ends), the number "
        "of streams, and compression.",
        knee="The knee is the slowest stage's pace, {pace_mb_per_s} MB/s. A window below "
        "{window_least_bytes} B limits the pace, but a larger one gains nothing until the "
        "next-slowest stage is faster too. A loss rate above {loss_allowed} limits the pace as "
        "well. Once the present limit is removed, expect {next_mb_per_s} MB/s.",
        failure="Slowly: in each minute of the busy hour, the lag grows a little more. Distant "
        "sites are hit first, because each window of data takes a round trip. Catching up on one "
        "hour of lag takes {catch_up_h} h (∞ means never).",
        watch=(
            Watch("Growth of the replica's lag in ten minutes", "s", "above", LAG_GROWTH_S),
            Watch(
                "Changes written at the source",
                "MB/s",
                "above",
                "alert_mb_per_s",
                "(once the present limit is removed: above {next_alert_mb_per_s} MB/s)",
            ),
            Watch(
                "Share of the connection's busy time spent waiting for a window (ss -ti: "
                "rwnd_limited, sndbuf_limited)",
                "%",
                "above",
                50.0,
                "while the lag grows",
            ),
            Watch(
                "Share of segments retransmitted, while CUBIC is in use",
                "%",
                "above",
                "loss_alert_percent",
                "for ten minutes",
            ),
            Watch("Round-trip time, relative to the one entered above", "%", "above", 120.0),
            Watch("CPU used by the compressing process", "% of a core", "above", 80.0),
        ),
        steps=(
            "Find the slowest stage before you change anything. If the trail (the file of waiting "
            "changes) grows at the far end, that stage is apply. If the trail grows at the source, "
            "it is the pump or the network, and ss -ti shows which: app_limited most of the time "
            "means the pump; rwnd_limited, sndbuf_limited or many retransmitted segments mean the "
            "network. (If the receiver applies changes without storing them first, as in "
            "PostgreSQL's logical replication, rwnd_limited can also mean apply. Linux has counted "
            "the waits for a window since version 4.10.) If no trail grows but the lag does, that "
            "stage is the source or its capture.",
            When(
                states_of("window"),
                "The window is the limit. Find out at which end: rwnd_limited points to the "
                "receiver, sndbuf_limited to the sender. If that host's maximum (the third number "
                "of tcp_rmem or tcp_wmem) is below {buffer_needed_bytes} B, raise it to that "
                "size. (TCP allows a window of at most 1 GiB. If you need more, use several "
                "streams.) The maximum applies to the whole host, so note its old value, and "
                "never lower it below that.",
            ),
            When(
                states_of("window"),
                "If that host's maximum is already high enough, a program has set the buffer of "
                "this connection. Remove that setting, so that the kernel tunes the buffer. If you "
                "can't, first make sure that net.core.rmem_max and wmem_max allow "
                "{buffer_needed_bytes} B, then set the buffer to that size on this one path "
                "(TCPBUFSIZE, SO_RCVBUF or SO_SNDBUF). Then reconnect.",
            ),
            When(
                states_of("loss"),
                "Loss is the limit: find the bad link. Until it is repaired, use BBR with pacing, "
                "more streams, or compression if the source's CPU has room. A larger window won't "
                "help. If more than 1% of the segments are lost, TCP is even slower than this card "
                "says, because it also waits for timeouts.",
            ),
            When(
                states_of("link"),
                "The link is the limit: compress if the source's CPU has room, or get a faster "
                "link. Neither a larger window nor more streams will help.",
            ),
            When(
                states_of("pump"),
                "The pump is the limit: compress if the source's CPU has room, or run several "
                "pumps, each with its own tables.",
            ),
            When(
                states_of("apply"),
                "Apply is the limit: let several workers apply changes that don't depend on each "
                "other, or make the batches larger.",
            ),
            When(
                states_of("source"),
                "The source is the limit, so nothing you change on the path will help. Capture "
                "in parallel, or turn off compression at the source if that is what uses up its "
                "CPU.",
            ),
            When(
                tuple(f"{limit}-behind" for limit in LIMITS if limit != "source"),
                "The replica is falling behind. Send readers who need fresh data to the source, "
                "and postpone bulk loads, until changes are below {pace_mb_per_s} MB/s. Once this "
                "limit is removed, the next one is {next_mb_per_s} MB/s; if your changes get close "
                "to that, the next-slowest stage must become faster too.",
            ),
            When(
                ("source-behind",),
                "The replica is falling behind, and the source is the limit: don't send any more "
                "readers to the source. Postpone bulk loads until changes are below "
                "{pace_mb_per_s} MB/s.",
            ),
            "Change one path first. Compare the replica's lag over an hour with that in the same "
            "hour last week, and only then change the next path.",
        ),
        roll_back="Put the old value back and reconnect if, a quarter of an hour into the busy "
        "hour, the lag still grows as fast as before, or if answers from the source database or "
        "from other services on the path take a tenth longer than before.",
        never=(
            "Don't set tcp_rmem or tcp_wmem lower than you found them, because every connection of "
            "the host uses them.",
            "Don't set a socket buffer in a program (TCPBUFSIZE, SO_RCVBUF) above the net.core "
            "limits: the kernel cuts it to the limit without an error, and auto-tuning is off "
            "from then on.",
            "Don't set larger buffers on all paths at once: the paths may share a link, and more "
            "than {path_bytes} B in flight only fills queues.",
            "Don't skip transactions or rebuild the replica to get rid of the lag: skipping loses "
            "data, and rebuilding sends all of it over the same path.",
        ),
    )
