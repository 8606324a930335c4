"""Chapter 5's second stage: the windows of two connections, one above the other."""

from functools import cache

from tunables.chapters.replication.case import case
from tunables.chapters.replication.window_simulation import CONTROLS, play
from tunables.parts.stage import Beat, Choice, Stage

SET_BY_READERS = ("law", "rtt_s", "compress")
CONTROL_TEXTS = ("CUBIC, the same loss on both", "one window, the same on both")


def _beat(name, label, title, law, since, at_s) -> Beat:
    return Beat(name, label, title, {"law": law, "since": since}, at_s)


@cache
def stage() -> Stage:
    """Return the stage of the window on the long path."""
    settings = case().settings()
    return Stage(
        name="wlcg-windows",
        title="The window on two long paths",
        machine="windows",
        play=play,
        given={name: settings[name] for name in settings if name not in SET_BY_READERS},
        settings=(
            Choice(
                "law",
                "What limits the window",
                choices=CONTROLS,
                choice_texts=CONTROL_TEXTS,
            ),
            Choice(
                "since",
                "When to look",
                choices=("later", "start"),
                choice_texts=("after 5,000 s", "from the start"),
            ),
        ),
        beats=(
            _beat(
                "same",
                "One window",
                "The same window on both paths: the columns are as high, and fewer where wide.",
                "window",
                "later",
                5010,
            ),
            _beat(
                "cubic",
                "CUBIC",
                "CUBIC with the same loss on both: the longer path has the higher window.",
                "cubic",
                "later",
                5015,
            ),
            _beat(
                "loss",
                "A loss",
                "A loss takes three tenths of the window; it grows back by the clock.",
                "cubic",
                "later",
                5002.5,
            ),
            _beat(
                "start",
                "Slow start",
                "At the start the window doubles every round trip, until the first loss.",
                "cubic",
                "start",
                1.2,
            ),
        ),
    )
