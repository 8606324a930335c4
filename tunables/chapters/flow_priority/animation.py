"""Chapter 4's animation: the two lanes of a small port, and the last packet of a transaction."""

from functools import cache

from tunables.chapters.flow_priority.predictor import SIZE_BYTES
from tunables.chapters.flow_priority.simulation import GAPS_S, LONG, OWNER, PACKETS, play
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Overview

USERS = tuple(str(n + 1) for n in range(len(OWNER)))


def _bookmark(name, label, title, packets, at, until=None, gap=LONG, against=None) -> Bookmark:
    # at, until: milliseconds since the start of the run
    settings = {"max_packets": packets, "user": "5", "gap": gap}
    return Bookmark(name, label, title, settings, at, until, against)


@cache
def animation() -> Animation:
    """Return the animation of the chapter."""
    return Animation(
        name="dpp",
        title="A port with a lane ahead, and the last packet",
        renderer="port",
        play=play,
        settings=(
            AnimationSetting("max_packets", "Packets ahead", low=0, high=20),
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
                "A flow is new after a pause of",
                choices=tuple(GAPS_S),
                choice_texts=tuple(GAPS_S),
            ),
        ),
        bookmarks=(
            _bookmark(
                "fourteen",
                "Fourteen ahead",
                "Fourteen packets go ahead; the fifteenth queues behind all that came before it.",
                14,
                181.2,
                186.3,
            ),
            _bookmark(
                "fifteenth",
                "The fifteenth",
                "Five milliseconds later fourteen are through, and the fifteenth waits.",
                14,
                186.3,
                211.4,
            ),
            _bookmark(
                "fifteen",
                "Fifteen ahead",
                "One more packet goes ahead, and all are through in less than a fifth of the time.",
                15,
                163.4,
                against={"max_packets": 14},
            ),
            _bookmark(
                "none",
                "None ahead",
                "In this queue, which never drops, the last packet leaves no later without any "
                "priority than with fourteen ahead.",
                0,
                208.1,
            ),
            _bookmark(
                "twenty",
                "Twenty in a row",
                "Each time the same: fourteen ticks early, and one late; with fifteen ahead, none.",
                14,
                2750.0,
                against={"max_packets": 15},
            ),
            _bookmark(
                "pause",
                "Too short a pause",
                "Flows count as new after 15 ms: now the large ones go ahead, and the last packet "
                "waits longer than ever.",
                14,
                298.8,
                gap="15 ms",
            ),
        ),
        overview=Overview(
            "Twenty transactions each, in a queue that never drops: with fourteen ahead the last "
            "packet (thick) is as late as with none.",
            {
                f"{packets} packets ahead": {"max_packets": packets, "user": "5", "gap": LONG}
                for packets in (0, 14, 15)
            },
            miniature=(1,),
        ),
    )
