"""Chapter 1's second stage: sixteen clients who commit, and who shares a flush."""

from functools import cache

from tunables.chapters.group_commit.committers_simulation import (
    MOST_CLIENTS,
    MOST_DELAY_MS,
    play,
)
from tunables.parts.model import Setting
from tunables.parts.stage import Beat, Choice, Stage

COMMITTERS = 16


def _beat(name, label, title, delay, at_ms, until_ms=None) -> Beat:
    settings: dict[str, Setting] = {"delay": delay, "clients": COMMITTERS}
    against: dict[str, Setting] | None = {"delay": 0} if delay else None
    return Beat(name, label, title, settings, at_ms, until_ms, against)


@cache
def stage() -> Stage:
    """Return the stage of the committers."""
    return Stage(
        name="rdu-committers",
        title="Sixteen clients who commit, and who shares a flush",
        machine="committers",
        play=play,
        settings=(
            Choice("delay", "Delay before a flush, D (ms)", low=0, high=MOST_DELAY_MS),
            Choice("clients", "Clients", low=1, high=MOST_CLIENTS),
        ),
        beats=(
            _beat(
                "turns",
                "No delay",
                "No delay: the first one back has a flush alone, and fifteen wait for it to end.",
                0,
                12,
                52,
            ),
            _beat(
                "shared",
                "One millisecond",
                "A delay of 1 ms: all sixteen are back in time, and in every flush.",
                1,
                52,
            ),
            _beat(
                "even",
                "As long as a flush",
                "A delay of 5 ms, as long as a flush: as many commits as without any.",
                5,
                52,
            ),
            _beat(
                "long",
                "Too long",
                "A delay of 25 ms: everybody is back at once, and waits for nothing.",
                25,
                52,
            ),
        ),
    )
