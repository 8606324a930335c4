"""Chapter 6's system: an event loop, one thread, and a queue that it empties in slices."""

from tunables.parts.diagram import Arrow, Box, Diagram, Label, Places


def diagram() -> Diagram:
    """Return the diagram."""
    return Diagram(
        words=(
            "One thread runs a loop, one turn in a time C. First come timers, reads and writes; a "
            "timer is late by L. Then comes a slice of the work queue: it takes g items, which "
            "cost c each, and looks at the clock. If the quantum Q is over, it lets the others go "
            "first; else it takes g more, until the look number k."
        ),
        lead="If all items cost the same:",
        height=172,
        symbols={
            "c": "the cost of an item",
            "g": "the granularity: items between two looks",
            "Q": "the quantum",
            "k": "the looks of a slice",
            "C": "the time of one turn of the loop",
            "L": "the lateness of a timer",
        },
        parts=(
            Places("items", 244, 2, 7, 7),
            Box("others", 0, 44, 110, 76, ("timers, late", "by $L$; reads,", "writes")),
            Box("slice", 234, 44, 124, 76, ("a slice:", "$g$ items, then", "a look")),
        ),
        arrows=(
            Arrow("items", "slice"),
            Arrow("others", "slice", shift=-18),
            Arrow("slice", "others", shift=14),
            Arrow("slice", "slice", via=((320, 142), (270, 142))),
        ),
        labels=(
            Label(236, 14, "items, cost $c$ each", "end"),
            Label(172, 86, "one turn: $C$", "middle"),
            Label(172, 114, "$Q$ is over", "middle"),
            Label(358, 164, "not over: again, $k$ looks in all", "end"),
        ),
    )
