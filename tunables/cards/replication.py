"""The card of chapter 5: the stage that limits a replication, and the window that it needs."""

from tunables.cards.card import Card, Watch, borrowed, card_model
from tunables.cases.case import Output, Parameter
from tunables.cases.wlcg import CASE
from tunables.cases.wlcg_parameters import FITTED
from tunables.cases.wlcg_paths import ASSUMED_RTT_S

_MB_PER_LCR = FITTED["lcr_bytes"] / 1e6


def _rate(name, label):
    return borrowed(
        CASE,
        f"{name}_lcr_s",
        _MB_PER_LCR,
        name=f"{name}_mb_per_s",
        label=label,
        unit="MB/s",
        low=0.001,
        high=100_000,
    )


_PARAMETERS = (
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
    borrowed(CASE, "rtt_s", name="rtt_ms", unit="ms", default=1000 * ASSUMED_RTT_S["BNL"],
             low=0.05, high=2000, scale="log"),
    Parameter(
        "window_bytes",
        "TCP window (least of both ends)",
        "B",
        float(4 * 2**20),
        "assumed",
        "4 MiB, Linux's largest by default (tcp_wmem); the slides give none",
        low=1000,
        high=4e9,
        scale="log",
    ),
    borrowed(CASE, "loss", label="Segments lost", low=1e-9, high=0.1),
    borrowed(CASE, "mss_bytes", low=500, high=9000),
    borrowed(CASE, "link_gbps", low=0.001, high=800, scale="log"),
    borrowed(CASE, "compression_ratio", default=1.0, origin="assumed", source="1 is without"),
    _rate("source", "Source, capture and compression"),
    _rate("pump", "Pump, without compression"),
    _rate("apply", "Apply"),
)  # fmt: skip

CARD = Card(
    model=card_model(
        CASE,
        "tunables.predictors.stage_limits",
        _PARAMETERS,
        (
            Output("pace_mb_per_s", "Knee: the slowest stage", "MB/s", None),
            Output("spare_percent", "Headroom", "%", 1),
            Output("window_mb_per_s", "The window would carry", "MB/s", None),
            Output("loss_mb_per_s", "At this loss CUBIC carries", "MB/s", None),
            Output("link_mb_per_s", "The link would carry", "MB/s", None),
            Output("window_needed_bytes", "Window needed", "B", 0),
            Output("path_bytes", "Window that fills the link", "B", 0),
            Output("loss_allowed", "Loss that the next stage allows", "1", None),
            Output("catch_up_h", "An hour of lag is gone after", "h", None),
        ),
    ),
    tunable="The TCP window (net.ipv4.tcp_rmem and tcp_wmem on both ends, and the options of the "
    "pump), and compression.",
    knee="The slowest stage, {pace_mb_per_s} MB/s. The window limits below {window_needed_bytes} "
    "B; a larger one gives nothing until the next stage is faster too. Loss limits above "
    "{loss_allowed}.",
    failure="Slowly: lag grows by a few seconds a minute in the busy hour. Distant sites go first, "
    "for the window law charges every byte for the round trip, and a lag of an hour takes "
    "{catch_up_h} h to drain (∞: it never does).",
    watch=(
        Watch("Lag of the replica", "s", "growing for ten minutes, or above what you promise"),
        Watch("Changes written at the source", "MB/s", "above 80 % of {pace_mb_per_s} MB/s"),
        Watch("Bytes in flight and window (ss -ti)", "B", "in flight equal to the window"),
        Watch("Segments retransmitted", "1", "above {loss_allowed}"),
        Watch("Round-trip time", "ms", "up by a fifth: the path has changed"),
        Watch("CPU of the compressing process", "%", "above 80 % of a core"),
    ),
    steps=(
        "Find the stage first: ping for the round trip, ss -ti for window and retransmissions, "
        "and the queues before pump and apply. Change only the stage that limits.",
        "If it is the window: set its maximum to {window_needed_bytes} B on both ends of one "
        "path; {path_bytes} B fill the link. Reconnect.",
        "If it is the loss: mend the path, or compress. A larger window does not help.",
        "If it is the pump or the network: compress on one path, and watch the source's CPU.",
        "Compare an hour with the same hour of last week, then take the next path.",
    ),
    roll_back="Retransmissions rise or other traffic on the path slows down (a window above "
    "{path_bytes} B only fills buffers), or compression takes the source's CPU. Put the old "
    "value back and reconnect.",
)
