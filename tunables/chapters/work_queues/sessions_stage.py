"""Chapter 6's second stage: ten neighbours, whose hold timers burn down during a long task."""

from functools import cache

from tunables.chapters.work_queues.sessions_simulation import TIMERS, WORKS, play
from tunables.parts.model import Setting
from tunables.parts.stage import Beat, Choice, Stage

LONGEST_S = 200


def _beat(name, label, title, block, at_s, until_s=None, work=WORKS[0], timers="15/45") -> Beat:
    settings: dict[str, Setting] = {"block": block, "work": work, "timers": timers}
    against: dict[str, Setting] | None = None if work == WORKS[0] else {"work": WORKS[0]}
    return Beat(name, label, title, settings, at_s, until_s, against)


@cache
def stage() -> Stage:
    """Return the stage of the hold timers."""
    return Stage(
        name="quagga-sessions",
        title="Ten neighbours' hold timers during a long task",
        machine="sessions",
        play=play,
        settings=(
            Choice("block", "The task takes (s)", low=1, high=LONGEST_S),
            Choice("work", "It runs", choices=WORKS, choice_texts=("in one piece", "in slices")),
            Choice(
                "timers",
                "Keepalive and hold time",
                choices=tuple(TIMERS),
                choice_texts=tuple(f"{each} s, {hold} s" for each, hold in TIMERS.values()),
            ),
        ),
        beats=(
            _beat(
                "expires",
                "A hold timer expires",
                "The task has five seconds to go, and the first neighbour's timer four.",
                33,
                58,
                63,
            ),
            _beat(
                "spared",
                "Thirty seconds",
                "Hold time less keepalive: the first neighbour's keepalive goes out just in time.",
                30,
                59.5,
                61,
            ),
            _beat(
                "seven",
                "Forty seconds",
                "Ten seconds more than the first can bear, and seven of ten are gone.",
                40,
                70,
            ),
            _beat(
                "slices",
                "In slices",
                "In slices, and for longer: the bars fall to two thirds, and fill again. In one "
                "piece the first timer is at its end.",
                115,
                61.8,
                work="slices",
            ),
            _beat(
                "customary",
                "60 and 180 s",
                "With the customary timers the same work in one piece drops nobody, just.",
                115,
                144.5,
                timers="60/180",
            ),
        ),
    )
