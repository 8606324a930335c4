"""Chapter 2's system: attempts that stand in line, and those that come again."""

from tunables.parts.diagram import Arrow, Box, Diagram, Label, Places


def diagram() -> Diagram:
    """Return the diagram."""
    return Diagram(
        words=(
            "Clients send new requests at a rate λ. With those that come again, attempts join a "
            "line at a rate Λ, and a server answers μ a second. A share q of the attempts waits "
            "longer than the time-out T: their clients ask again, r times at most, and the old "
            "attempts stay in the line."
        ),
        lead="The attempts that arrive:",
        height=176,
        symbols={
            "λ": "new requests a second",
            "Λ": "attempts a second, with those that come again",
            "μ": "requests that the server can answer in a second",
            "q": "the share of attempts that are answered too late",
            "T": "the time-out",
            "r": "retries, so r + 1 attempts",
        },
        parts=(
            Box("clients", 0, 46, 66, 48, ("clients",)),
            Box("sum", 127, 59, 22, 22, ("+",)),
            Places("line", 178, 63, 7, 6),
            Box("server", 294, 46, 64, 48, ("server", "$μ$")),
        ),
        arrows=(
            Arrow("clients", "sum"),
            Arrow("sum", "line"),
            Arrow("line", "server"),
            Arrow("server", "clients", via=((326, 22), (33, 22))),
            Arrow("line", "sum", via=((227, 122), (138, 122))),
        ),
        labels=(
            Label(180, 14, "answered in time", "middle"),
            Label(97, 64, "new: $λ$", "middle"),
            Label(163, 48, "attempts: $Λ$", "middle"),
            Label(234, 110, "they stay in line"),
            Label(0, 146, "a share $q$ waits longer than $T$, and then"),
            Label(0, 168, "these clients ask again, $r$ times at most"),
        ),
    )
