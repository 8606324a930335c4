"""The card of chapter 5: the stage that limits a replication, and what each would need."""

from functools import cache

from tunables.chapters.replication.case import case
from tunables.chapters.replication.knee import predict
from tunables.chapters.replication.paths import ASSUMED_RTT_S
from tunables.chapters.replication.results import calibrated
from tunables.parts.card import Card, Watch, borrowed, card_model
from tunables.parts.model import Output, Parameter


def _rate(name, label):
    return borrowed(
        case(),
        f"{name}_lcr_s",
        calibrated()["lcr_bytes"] / 1e6,
        name=f"{name}_mb_per_s",
        label=label,
        unit="MB/s",
        low=0.001,
        high=100_000,
    )


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        Parameter(
            "changes_mb_per_s",
            "Changes that the source writes",
            "MB/s",
            1.0,
            "assumed",
            "put in your busiest hour",
            low=0.001,
            high=100_000,
            scale="log",
        ),
        borrowed(
            of,
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
            "TCP window of a stream (least of both ends)",
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
            "Streams side by side",
            "1",
            1,
            "assumed",
            "one pump, one connection",
            low=1,
            high=64,
            whole=True,
        ),
        borrowed(of, "loss", label="Segments lost", low=1e-9, high=0.1),
        borrowed(of, "mss_bytes", low=500, high=9000),
        borrowed(of, "link_gbps", low=0.001, high=800, scale="log"),
        borrowed(of, "compression_ratio", default=1.0, origin="assumed", source="1 is without"),
        _rate("source", "Source, capture and compression"),
        _rate("pump", "Pump, without compression"),
        _rate("apply", "Apply"),
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
                Output("pace_mb_per_s", "Knee: the slowest stage", "MB/s", None),
                Output("spare_percent", "Headroom", "%", 1),
                Output("next_mb_per_s", "With that limit gone", "MB/s", None),
                Output("alert_mb_per_s", "80 % of it: alert above", "MB/s", None),
                Output("window_mb_per_s", "The window would carry", "MB/s", None),
                Output("loss_mb_per_s", "At this loss CUBIC carries", "MB/s", None),
                Output("link_mb_per_s", "The link would carry", "MB/s", None),
                Output("window_needed_bytes", "Window needed", "B", 0),
                Output("buffer_needed_bytes", "Buffer for that window", "B", 0),
                Output("path_bytes", "Window that fills the link", "B", 0),
                Output("loss_allowed", "Loss that the next stage allows", "1", None),
                Output("catch_up_h", "An hour of lag is gone after", "h", None),
            ),
        ),
        tunable="The TCP window (net.ipv4.tcp_rmem at the receiver, tcp_wmem at the sender, or the "
        "pump's own socket buffer), the number of streams, and compression.",
        knee="The slowest stage, {pace_mb_per_s} MB/s. The window limits below "
        "{window_needed_bytes} B; a larger one gives nothing until the next stage is faster too. "
        "Loss limits above {loss_allowed}. With the present limit gone, expect {next_mb_per_s} "
        "MB/s.",
        failure="Slowly: lag grows by a few seconds a minute in the busy hour. Distant sites go "
        "first, for the window law charges every byte for the round trip, and a lag of an hour "
        "takes {catch_up_h} h to drain (∞: it never does).",
        watch=(
            Watch("Lag of the replica", "s", "growing for ten minutes, or above what you promise"),
            Watch("Changes written at the source", "MB/s", "above {alert_mb_per_s} MB/s"),
            Watch(
                "Time limited by a window (ss -ti: rwnd_limited, sndbuf_limited)",
                "%",
                "above half of the time busy, while there is lag",
            ),
            Watch("Segments retransmitted", "1", "above {loss_allowed} for ten minutes"),
            Watch(
                "Round-trip time", "ms", "a fifth above the one put in here: the path has changed"
            ),
            Watch("CPU of the compressing process", "%", "above 80 % of a core"),
        ),
        steps=(
            "Find the stage first. Does the trail pile up before the pump, or at the far end "
            "before apply? ping gives the round trip; ss -ti the window and the retransmissions. "
            "Change only the stage that limits.",
            "If it is the window: it must be {window_needed_bytes} B, and a buffer holds the "
            "packets' overhead as well. So set the third number of tcp_rmem and tcp_wmem to "
            "{buffer_needed_bytes} B, for one path first, and reconnect. If the pump sets its own "
            "buffer, raise net.core.rmem_max and wmem_max before that.",
            "If it is the loss: find the bad link. Until it is mended, use BBR with pacing, more "
            "streams, or compression. A larger window does not help.",
            "If it is apply: let several workers apply what does not depend on each other, or make "
            "the batches larger. If it is the pump: compress, or run several. If it is the source, "
            "neither helps.",
            "Compare an hour with the same hour of last week, then take the next path.",
        ),
        roll_back="After a quarter of an hour the lag grows as before, retransmissions have "
        "doubled, other traffic on the path slows down (more than {path_bytes} B in flight only "
        "fills buffers), or the source's CPU is full. Put the old value back and reconnect.",
        today=(
            "Linux: the third number of net.ipv4.tcp_rmem (up to 6 MB by default) and of tcp_wmem "
            "(up to 4 MB) bounds the buffers that tune themselves; net.core.rmem_max and wmem_max "
            "bound those that a program asks for. Up to 6.5 half of a receive buffer is window "
            "(tcp_adv_win_scale = 1); from 6.6 each socket measures its share.",
            "Linux: net.ipv4.tcp_congestion_control = bbr. It paces itself from 4.13; before that "
            "it needs the queue discipline fq.",
            "GoldenGate: TCPBUFSIZE, TCPFLUSHBYTES and COMPRESS of RMTHOST; several pumps or "
            "distribution paths; parallel Replicat.",
            "PostgreSQL 16: a subscription with streaming = parallel, and "
            "max_parallel_apply_workers_per_subscription (2).",
            "MySQL 8: replica_parallel_workers (4 from 8.0.27), SOURCE_COMPRESSION_ALGORITHMS.",
        ),
        never=(
            "Do not set a socket buffer in the pump (TCPBUFSIZE, SO_RCVBUF) unless the net.core "
            "limits allow it: the kernel cuts it without an error, and auto-tuning is off from "
            "then on.",
            "Do not raise the windows of all paths at once: they may share a link.",
            "Do not skip transactions or rebuild the replica to be rid of the lag: the first loses "
            "data, the second sends all of it over the same path.",
        ),
    )
