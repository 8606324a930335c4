"""Chapter 1's stage: fifty clients, and what each has done since it asked."""

from functools import cache

from tunables.chapters.group_commit.predictor import HYPOTHESES
from tunables.chapters.group_commit.stage_rows import CLIENTS, TESTS
from tunables.chapters.group_commit.stage_simulation import play
from tunables.parts.stage import Beat, Choice, Stage, Whole

STUCK = "adaptive flusher with a stuck transaction"
TEXTS = (
    "1. as delivered: D 2 s, T 1 s, r 3",
    "2. shorter delay: D 25 ms",
    "3. and shorter lease query: D 25 ms, T 0.5 s, r 1",
    "nobody's: D 2 s, T 0.5 s, r 1",
)


def _beat(name, label, title, hypothesis, test, at, until=None, against=None) -> Beat:
    settings = {"hypothesis": hypothesis, "test": test, "clients": CLIENTS}
    return Beat(name, label, title, settings, at, until, against)


@cache
def stage() -> Stage:
    """Return the stage of the chapter's main scene."""
    return Stage(
        name="rdu",
        title="Fifty clients, and what each has done since it asked",
        machine="batches",
        play=play,
        settings=(
            Choice(
                "hypothesis",
                "Where the time goes",
                choices=HYPOTHESES,
                choice_texts=HYPOTHESES,
            ),
            Choice("test", "The test", choices=TESTS, choice_texts=TEXTS),
            Choice("clients", "Clients", low=5, high=CLIENTS),
        ),
        beats=(
            _beat(
                "lease",
                "The lease query",
                "All fifty sit out the same lease query.",
                "two caps",
                "original",
                2.0,
                4.5,
            ),
            _beat(
                "held",
                "The first cap",
                "All fifty are held at the first cap, and nobody works.",
                "two caps",
                "original",
                4.5,
                10.0,
            ),
            _beat(
                "short",
                "A shorter delay",
                "The longest delay is cut, and only the lease query is left.",
                "two caps",
                "flush",
                4.5,
                9.0,
            ),
            _beat(
                "commit-stage",
                "Another suspect",
                "The same mean for another reason: a queue for thirteen threads, each of which is "
                "held for one cap.",
                "commit stage",
                "original",
                20.0,
                26.0,
            ),
            _beat(
                "decides",
                "The run that decides",
                "Three seconds less of lease query: a queue takes up all of them, two caps do not.",
                "commit stage",
                "fourth",
                60.0,
                against={"hypothesis": "two caps"},
            ),
            _beat(
                "stuck",
                "One flush for all",
                "A flusher that waits for one that never comes: a single flush frees all fifty.",
                STUCK,
                "original",
                8.01,
            ),
        ),
        whole=Whole(
            "Two explanations of one mean: two caps keep all fifty in step, a queue spreads them.",
            {
                name: {"hypothesis": name, "test": "original", "clients": CLIENTS}
                for name in ("two caps", "commit stage")
            },
        ),
    )
