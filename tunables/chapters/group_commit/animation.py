"""Chapter 1's animations: fifty clients and their batches, and sixteen clients who commit."""

from functools import cache

from tunables.chapters.group_commit.predictor import HYPOTHESES
from tunables.chapters.group_commit.simulation import (
    CLIENTS,
    MOST_CLIENTS,
    MOST_DELAY_MS,
    TESTS,
    play,
    play_committers,
)
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Overview
from tunables.core.model import Setting

STUCK = "adaptive flusher with a stuck transaction"
TEXTS = (
    "1. as delivered: limit 2 s, timeout 1 s, 3 retries",
    "2. shorter limit: 25 ms",
    "3. shorter query too: limit 25 ms, timeout 0.5 s, 1 retry",
    "not in the report: limit 2 s, timeout 0.5 s, 1 retry",
)


def _bookmark(name, label, title, hypothesis, test, at, since=None, against=None) -> Bookmark:
    settings = {"hypothesis": hypothesis, "test": test, "clients": CLIENTS}
    return Bookmark(name, label, title, settings, at, since, against)


@cache
def animation() -> Animation:
    """Return the animation of the chapter's main scene: fifty clients and their batches."""
    return Animation(
        name="rdu",
        title="Fifty clients, and what each has done since it sent its request",
        renderer="batches",
        play=play,
        settings=(
            AnimationSetting(
                "hypothesis",
                "Explanation",
                choices=HYPOTHESES,
                choice_texts=HYPOTHESES,
            ),
            AnimationSetting("test", "Test", choices=TESTS, choice_texts=TEXTS),
            AnimationSetting("clients", "Clients", low=5, high=CLIENTS),
        ),
        bookmarks=(
            _bookmark(
                "lease",
                "The lease query",
                "Blue is the wait for the query: four attempts of one second each, all unanswered.",
                "two caps",
                "original",
                3.9,
                0.0,
            ),
            _bookmark(
                "held",
                "The first cap",
                "All fifty changes are held back together. No client is free to send another, so "
                "the full 2 s pass.",
                "two caps",
                "original",
                5.9,
                3.5,
            ),
            _bookmark(
                "short",
                "A shorter limit",
                "With the limit at 25 ms, the hatched parts all but vanish. Only the four blue "
                "seconds are left.",
                "two caps",
                "flush",
                8.0,
                5.0,
            ),
            _bookmark(
                "commit-stage",
                "Another suspect",
                "The mean response time is about the same as with two caps, but for another "
                "reason: changes queue for 13 threads, and each change holds a thread for the "
                "full delay.",
                "commit stage",
                "original",
                20.0,
                14.0,
            ),
            _bookmark(
                "stuck",
                "One flush for all",
                "One stuck transaction makes the flusher wait out its limit. Then a single "
                "flush releases all fifty clients.",
                STUCK,
                "original",
                8.01,
                4.0,
            ),
            _bookmark(
                "decides",
                "The run that decides",
                "The query is 3 s shorter. With two caps, each answer comes 3 s sooner, but with "
                "the commit stage the mean response time hardly changes.",
                "commit stage",
                "fourth",
                60.0,
                54.0,
                against={"hypothesis": "two caps"},
            ),
        ),
        overview=Overview(
            "Two explanations give the same mean response time, but two caps keep all fifty "
            "clients in step and the commit stage spreads them out.",
            {
                name: {"hypothesis": name, "test": "original", "clients": CLIENTS}
                for name in ("two caps", "commit stage")
            },
            miniature=(1,),
        ),
    )


COMMITTERS = 16


def _committers_bookmark(name, label, title, delay, at_ms, since_ms) -> Bookmark:
    settings: dict[str, Setting] = {"delay": delay, "clients": COMMITTERS}
    against: dict[str, Setting] | None = {"delay": 0} if delay else None
    return Bookmark(name, label, title, settings, at_ms, since_ms, against)


@cache
def committers_animation() -> Animation:
    """Return the second animation: sixteen clients who commit, and who shares a flush."""
    return Animation(
        name="rdu-committers",
        title="Sixteen clients, and which of their commits share a flush",
        renderer="committers",
        play=play_committers,
        settings=(
            AnimationSetting("delay", "Delay before a flush, D (ms)", low=0, high=MOST_DELAY_MS),
            AnimationSetting("clients", "Clients", low=1, high=MOST_CLIENTS),
        ),
        bookmarks=(
            _committers_bookmark(
                "turns",
                "No delay",
                "Without a delay, the first client to commit gets a flush to itself, and the other "
                "fifteen wait for the next flush.",
                0,
                52,
                12,
            ),
            _committers_bookmark(
                "shared",
                "One millisecond",
                "A delay of 1 ms gives all sixteen clients time to commit again, so all share "
                "every flush.",
                1,
                52,
                32,
            ),
            _committers_bookmark(
                "even",
                "As long as a flush",
                "A delay as long as a flush gains nothing: the commit rate is the same as without "
                "a delay.",
                5,
                52,
                32,
            ),
            _committers_bookmark(
                "long",
                "Too long",
                "With a delay of 25 ms, all clients commit again early in the delay and then only "
                "wait, so most of the delay is wasted.",
                25,
                52,
                32,
            ),
        ),
    )
