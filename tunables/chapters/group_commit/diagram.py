"""Chapter 1's system: clients, a server, a machine that never answers, a flush that is shared."""

from tunables.parts.diagram import Arrow, Box, Diagram, Label, Places


def diagram() -> Diagram:
    """Return the diagram."""
    return Diagram(
        words=(
            "N clients ask a server for a change. The server asks another machine, which never "
            "answers: r + 1 times, T each. All else takes b. The finished change is held back "
            "k times, for D at most, and flushed to the log on disk in F. The client has its "
            "answer after R."
        ),
        lead="The time of a change:",
        height=206,
        symbols={
            "N": "clients",
            "r": "retries, so r + 1 attempts",
            "T": "the time-out of an attempt",
            "b": "all else that a change takes",
            "k": "how many times a change is held back for the whole delay",
            "D": "the longest delay before a flush",
            "F": "the time of a flush",
            "R": "the time from question to answer",
        },
        parts=(
            Box("clients", 0, 24, 84, 46, ("$N$ clients",)),
            Box("server", 134, 24, 96, 46, ("server", "all else: $b$")),
            Box("other", 272, 24, 86, 46, ("another", "machine")),
            Places("held", 147, 106, 5, 5),
            Box("disk", 130, 156, 104, 46, ("log on disk", "a flush: $F$")),
        ),
        arrows=(
            Arrow("clients", "server"),
            Arrow("server", "other"),
            Arrow("server", "held"),
            Arrow("held", "disk"),
            Arrow("disk", "clients", via=((42, 179),)),
        ),
        labels=(
            Label(109, 41, "asks", "middle"),
            Label(358, 14, "no answer: $r$ + 1 times, $T$ each", "end"),
            Label(226, 110, "held back $k$"),
            Label(226, 128, "times, $D$ at most"),
            Label(50, 110, "answer"),
            Label(50, 128, "after $R$"),
        ),
    )
