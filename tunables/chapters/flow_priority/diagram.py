"""Chapter 4's system: users who share a switch's port, and its two queues."""

from tunables.parts.diagram import Arrow, Box, Diagram, Label, Places


def diagram() -> Diagram:
    """Return the diagram."""
    return Diagram(
        words=(
            "Each of N users thinks for Z, and then has S bytes sent through a switch's port of "
            "rate C. The port has two queues: the first packets of a flow go ahead, all others "
            "wait W in the ordinary one. R is the time at the port alone, h a delay that nothing "
            "explains. X transactions a second are done, each with its last packet."
        ),
        lead="Transactions a second:",
        height=206,
        symbols={
            "N": "users",
            "Z": "the time that a user thinks",
            "S": "the bytes of a transaction",
            "W": "the wait of the last packet in the ordinary queue",
            "C": "the rate of the port",
            "R": "the time at the port, which others share",
            "h": "the residual, a delay that nothing here explains",
            "X": "transactions a second",
        },
        parts=(
            Box("users", 0, 24, 78, 92, ("$N$ users", "think $Z$")),
            Places("ahead", 136, 32, 9, 4),
            Places("ordinary", 136, 88, 9, 8),
            Box("port", 294, 24, 64, 92, ("port", "rate $C$")),
        ),
        arrows=(
            Arrow("users", "ahead"),
            Arrow("users", "ordinary"),
            Arrow("ahead", "port"),
            Arrow("ordinary", "port"),
            Arrow("port", "users", via=((326, 146), (46, 146))),
        ),
        labels=(
            Label(107, 72, "send $S$", "middle"),
            Label(136, 25, "ahead: first packets"),
            Label(136, 82, "ordinary: wait $W$"),
            Label(186, 140, "$X$ a second are done", "middle"),
            Label(0, 176, "up to its last packet it takes $R$ to cross;"),
            Label(0, 198, "a delay $h$ of each is unexplained"),
        ),
    )
