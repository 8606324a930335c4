"""Chapter 3's system: a scan of files, a cache, a disk behind it."""

from tunables.parts.diagram import Arrow, Box, Diagram, Label, Places


def diagram() -> Diagram:
    """Return the diagram."""
    return Diagram(
        words=(
            "A scan writes to n files in turn. The cache has room for C of them. A share h of the "
            "writes finds its file there. Another write costs R times as much: it goes to the "
            "disk, and the least recently used file makes room. The whole round is S times as "
            "slow."
        ),
        lead="The slowdown of a round:",
        height=196,
        symbols={
            "n": "files in a scan",
            "C": "files that fit into the cache",
            "h": "the share of the writes that find their file there",
            "R": "the cost of a miss over that of a hit",
            "S": "the time of a round over that of one of hits alone",
        },
        parts=(
            Places("files", 0, 20, 25, 0),
            Places("cache", 0, 78, 14, 14),
            Box("disk", 52, 134, 92, 36, ("disk",)),
        ),
        arrows=(Arrow("files", "cache"), Arrow("cache", "disk")),
        labels=(
            Label(0, 13, "a scan of $n$ files, one after the other"),
            Label(106, 60, "a share $h$ is found"),
            Label(206, 90, "room for $C$ files"),
            Label(106, 118, "others cost $R$ times as much:"),
            Label(154, 148, "the file used longest"),
            Label(154, 166, "ago makes room"),
            Label(0, 190, "the whole round: $S$ times as slow"),
        ),
    )
