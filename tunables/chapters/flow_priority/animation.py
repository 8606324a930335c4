"""Chapter 4's animation: the two lanes of a small port, and the last packet of a transaction."""

from functools import cache

from tunables.chapters.flow_priority.predictor import SIZE_BYTES
from tunables.chapters.flow_priority.simulation import GAPS_S, LONG, OWNER, PACKETS, play
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Overview

USERS = tuple(str(n + 1) for n in range(len(OWNER)))


def _bookmark(name, label, title, packets, at, since=None, gap=LONG, against=None) -> Bookmark:
    # at, since: milliseconds since the start of the run
    settings = {"max_packets": packets, "user": "5", "gap": gap}
    return Bookmark(name, label, title, settings, at, since, against)


@cache
def animation() -> Animation:
    """Return the animation of the chapter."""
    return Animation(
        name="dpp",
        title="A port with a priority queue, and the last packet of an answer",
        renderer="port",
        play=play,
        settings=(
            AnimationSetting("max_packets", "Priority packets", low=0, high=20),
            AnimationSetting(
                "user",
                "Watch",
                choices=USERS,
                choice_texts=tuple(
                    f"user {n + 1}: {PACKETS[size]} packets, {SIZE_BYTES[size] / 1e3:.0f} KB"
                    for n, size in enumerate(OWNER)
                ),
            ),
            AnimationSetting(
                "gap",
                "Pause that ends a flow",
                choices=tuple(GAPS_S),
                choice_texts=tuple(GAPS_S),
            ),
        ),
        bookmarks=(
            _bookmark(
                "fourteen",
                "Fourteen with priority",
                "Fourteen packets get priority. The fifteenth joins the ordinary queue, behind "
                "everything that arrived before it.",
                14,
                181.2,
                173.0,
            ),
            _bookmark(
                "fifteenth",
                "The fifteenth",
                "After five milliseconds, fourteen packets are through, but the answer isn't "
                "complete: the fifteenth is still waiting.",
                14,
                186.3,
                181.2,
            ),
            _bookmark(
                "fifteen",
                "Fifteen with priority",
                "All fifteen get priority, so none joins the ordinary queue. The answer takes "
                "less than a fifth as long as with fourteen.",
                15,
                163.4,
                155.0,
                against={"max_packets": 14},
            ),
            _bookmark(
                "none",
                "None with priority",
                "Without priority, the last packet leaves no later than with priority for "
                "fourteen. So in this queue, priority for fourteen packets gains nothing.",
                0,
                208.1,
                195.0,
            ),
            _bookmark(
                "twenty",
                "Twenty in a row",
                "With priority for fourteen packets, the last one is late in all twenty "
                "transactions. With priority for fifteen, it never is.",
                14,
                2750.0,
                against={"max_packets": 15},
            ),
            _bookmark(
                "pause",
                "Too short a pause",
                "If a pause of 15 ms ends a flow, the large flows count as new and go ahead too. "
                "So the last packet waits even longer than without priority.",
                14,
                298.8,
                285.0,
                gap="15 ms",
            ),
        ),
        overview=Overview(
            "In a queue that never drops packets, the last packet (drawn thick) is as late "
            "with priority for fourteen packets as with none. Each row has twenty transactions.",
            {
                f"{packets} packets with priority": {
                    "max_packets": packets,
                    "user": "5",
                    "gap": LONG,
                }
                for packets in (0, 14, 15)
            },
            miniature=(1,),
        ),
    )
