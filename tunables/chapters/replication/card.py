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
            "enter your busiest hour",
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
            "TCP window of a stream (the smaller of both ends)",
            "B",
            float(2 * 2**20),
            "assumed",
            "half of 4 MiB, Linux's largest send buffer by default (tcp_wmem); the slides give "
            "none",
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
            "one pump, one connection",
            low=1,
            high=64,
            integer=True,
        ),
        borrow_parameter(wlcg, "loss", label="Segments lost", low=1e-9, high=0.1),
        borrow_parameter(wlcg, "mss_bytes", low=500, high=9000),
        borrow_parameter(wlcg, "link_gbps", low=0.001, high=800, scale="log"),
        borrow_parameter(
            wlcg,
            "compression_ratio",
            default=1.0,
            origin="assumed",
            source="1 means no compression",
        ),
        _rate("source", "Source, capture and compression"),
        _rate("pump", "Pump, without compression"),
        _rate("apply", "Apply"),
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
                Output("pace_mb_per_s", "Knee: the slowest stage", "MB/s", None),
                Output("spare_percent", "Headroom", "%", 1),
                Output("alert_mb_per_s", "Alert now, at 80% of the knee", "MB/s", None),
                Output("next_mb_per_s", "Pace without the present limit", "MB/s", None),
                Output("next_alert_mb_per_s", "Alert once that limit is gone", "MB/s", None),
                Output("window_mb_per_s", "Limit set by the window", "MB/s", None),
                Output("loss_mb_per_s", "Limit set by this loss, with CUBIC", "MB/s", None),
                Output("link_mb_per_s", "Limit set by the link", "MB/s", None),
                Output("window_least_bytes", "Smallest window that is not the limit", "B", 0),
                Output("window_needed_bytes", "Window needed, with room to spare", "B", 0),
                Output("buffer_needed_bytes", "Buffer for that window", "B", 0),
                Output("path_bytes", "Window that fills the link", "B", 0),
                Output("loss_allowed", "Largest loss that is not the limit", "1", None),
                Output("loss_alert_percent", "Alert: share of segments lost", "%", None),
                Output("catch_up_h", "Time to work off an hour of lag", "h", None),
            ),
            states=True,
        ),
        states=tuple(state for limit in LIMITS for state in states_of(limit)),
        tunable="The TCP window of one connection (the buffers at both of its ends), the number "
        "of streams, and compression.",
        knee="The slowest stage, {pace_mb_per_s} MB/s. A window below {window_least_bytes} B is "
        "the limit; a larger one gains nothing until the next stage is faster too. Loss above "
        "{loss_allowed} is the limit. Without the present limit, expect {next_mb_per_s} MB/s.",
        failure="Slowly: in each minute of the busy hour the lag grows a little more. Distant "
        "sites go first, because each window takes a round trip. Hours to work off one hour of "
        "lag: {catch_up_h} (∞ means never).",
        watch=(
            Watch("Growth of the replica's lag in ten minutes", "s", "above", LAG_GROWTH_S),
            Watch(
                "Changes written at the source",
                "MB/s",
                "above",
                "alert_mb_per_s",
                "(after the change: above {next_alert_mb_per_s} MB/s)",
            ),
            Watch(
                "Share of its busy time that the connection waits for a window (ss -ti: "
                "rwnd_limited, sndbuf_limited)",
                "%",
                "above",
                50.0,
                "while the lag grows",
            ),
            Watch(
                "Share of segments sent again, while CUBIC is in use",
                "%",
                "above",
                "loss_alert_percent",
                "for ten minutes",
            ),
            Watch("Round-trip time, compared with the one put in here", "%", "above", 120.0),
            Watch("CPU of the compressing process", "% of a core", "above", 80.0),
        ),
        steps=(
            "Find the stage before you change anything. A trail that grows at the far end means "
            "apply. A trail that grows at the source means pump or network, and ss -ti tells "
            "which: app_limited most of the time means the pump; rwnd_limited, sndbuf_limited or "
            "many segments sent again mean the network. (Linux counts the waits for a window from "
            "4.10 on.) If no trail grows, the source or its capture is the limit.",
            When(
                states_of("window"),
                "The window is the limit. See which end: rwnd_limited is the receiver, "
                "sndbuf_limited "
                "the sender. If that host's maximum (third number of tcp_rmem or tcp_wmem) is "
                "below {buffer_needed_bytes} B, raise it to that; the whole host uses it, so never "
                "lower it.",
            ),
            When(
                states_of("window"),
                "If the maximum is already larger, a program has set the buffer of this "
                "connection. Set it to {buffer_needed_bytes} B on this one path (TCPBUFSIZE, "
                "SO_RCVBUF or SO_SNDBUF), after net.core.rmem_max and wmem_max allow it, or take "
                "the setting out so that the kernel tunes the buffer. Reconnect.",
            ),
            When(
                states_of("loss"),
                "Loss is the limit: find the bad link. Until it is repaired, use BBR with pacing, "
                "more "
                "streams, or compression. A larger window does not help.",
            ),
            When(
                states_of("link"),
                "The link is the limit: compress, or get a faster link. Neither a larger window "
                "nor more streams will help.",
            ),
            When(
                states_of("pump"),
                "The pump is the limit: compress, or run several pumps on separate tables.",
            ),
            When(
                states_of("apply"),
                "Apply is the limit: let several workers apply what does not depend on each other, "
                "or "
                "make the batches larger.",
            ),
            When(
                states_of("source"),
                "The source is the limit: nothing you change on the path helps. Capture in "
                "parallel, or take compression off the source if it is what fills the CPU.",
            ),
            When(
                tuple(f"{limit}-behind" for limit in LIMITS if limit != "source"),
                "The replica falls behind now. Send readers who need fresh data to the source, "
                "and postpone bulk loads, until changes are below {pace_mb_per_s} MB/s. Once the "
                "present limit is gone, they may be up to {next_alert_mb_per_s} MB/s; if yours are "
                "higher, the next stage must become faster too.",
            ),
            When(
                ("source-behind",),
                "The replica falls behind now, and the source is the limit: send it no more "
                "readers. Postpone bulk loads until changes are below {pace_mb_per_s} MB/s.",
            ),
            "Change one path. Compare an hour with the same hour of last week, then change the "
            "next path.",
        ),
        roll_back="A quarter of an hour into the busy hour the lag still grows as fast as before, "
        "or answers from the source database or from other services on the path take a "
        "tenth longer than before. Put the old value back and reconnect.",
        never=(
            "Don't lower tcp_rmem or tcp_wmem: every connection of the host uses them.",
            "Don't set a socket buffer in a program (TCPBUFSIZE, SO_RCVBUF) above the net.core "
            "limits: the kernel cuts it without an error, and auto-tuning is off from then on.",
            "Don't set larger buffers on all paths at once: they may share a link, and more than "
            "{path_bytes} B under way only fills queues.",
            "Don't skip transactions or rebuild the replica to get rid of the lag: skipping loses "
            "data, and rebuilding sends all of it over the same path.",
        ),
    )
