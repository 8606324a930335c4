"""Chapter 5's system: four stages, from a database's log to a copy far away."""

from tunables.parts.diagram import Arrow, Box, Diagram, Label, Places

WAN = "round trip $RTT$, window $W$"


def diagram() -> Diagram:
    """Return the diagram."""
    return Diagram(
        words=(
            "Change records pass four stages, each with a rate of its own: the source at CERN, "
            "which fills a trail file; the pump, which sends the trail, with r times fewer bytes "
            "if it is compressed; the network, with a round trip RTT and a window W; and apply, "
            "which writes the copy far away. X records arrive a second."
        ),
        lead="The slowest stage sets the pace:",
        height=222,
        symbols={
            "X_source": "the rate of the source",
            "X_pump": "the rate of the pump without compression",
            "r": "the compression ratio",
            "X_network": "the rate of the network without compression",
            "RTT": "the round-trip time",
            "W": "the window: bytes that may be under way",
            "X_apply": "the rate of apply",
            "X": "the rate of the whole",
        },
        parts=(
            Box("source", 0, 20, 104, 46, ("source", "$X_source$")),
            Places("trail", 126, 36, 6, 4),
            Box("pump", 232, 20, 104, 46, ("pump", "$X_pump$")),
            Box("network", 74, 98, 262, 46, ("network: $X_network$", WAN)),
            Box("apply", 232, 172, 104, 46, ("apply", "$X_apply$")),
            Box("copy", 0, 172, 104, 46, ("the copy,", "far away")),
        ),
        arrows=(
            Arrow("source", "trail"),
            Arrow("trail", "pump"),
            Arrow("pump", "network"),
            Arrow("network", "apply"),
            Arrow("apply", "copy"),
        ),
        labels=(
            Label(0, 13, "at CERN"),
            Label(168, 28, "trail file", "middle"),
            Label(274, 88, "COMPRESS: $r$ times less", "end"),
            Label(168, 188, "$X$ a second", "middle"),
        ),
    )
