"""Chapter 2's animation: a server, its queue, and what the reader does to both."""

from functools import cache

from tunables.chapters.time_outs.simulation import INTERVENTIONS, TIMEOUTS_S, play
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Intervention, Overview
from tunables.core.model import Setting

OUTAGE = "20_outage_2"


def _settings(deeds, rate=30) -> dict[str, Setting]:
    return {"arrival_rate_per_s": rate, "timeout_s": "0.5", "retries": 3, "deeds": deeds}


def _bookmark(name, label, title, at, deeds, since=None, rate=30, against=None) -> Bookmark:
    return Bookmark(name, label, title, _settings(deeds, rate), at, since, against)


def _intervention(name, label, report, value=None) -> Intervention:
    return Intervention(
        name, label, report, INTERVENTIONS[name], value, "" if value is None else "s"
    )


@cache
def animation() -> Animation:
    """Return the animation of the storm."""
    return Animation(
        name="storm",
        title="A server, and clients that give up waiting",
        renderer="storm",
        play=play,
        settings=(
            AnimationSetting("arrival_rate_per_s", "New requests per second", low=20, high=40),
            AnimationSetting("retries", "Retries", low=0, high=4),
            AnimationSetting(
                "timeout_s",
                "Timeout of one attempt",
                choices=TIMEOUTS_S,
                choice_texts=("half a second", "one second", "two seconds"),
            ),
        ),
        interventions=(
            _intervention("outage", "Stop the server", "server stopped for", 2),
            _intervention("drop", "Empty the queue", "queue emptied"),
            _intervention("skip", "Skip late attempts", "server skips late attempts from now on"),
            _intervention("noretries", "Turn retries off", "retries off from now on"),
            _intervention("pause", "Turn new requests away", "new requests turned away for", 10),
            _intervention("watch", "Watch the next client", "next client watched"),
        ),
        bookmarks=(
            _bookmark(
                "rest",
                "At rest",
                "Thirty requests per second arrive and a hundred could be served, so hardly any "
                "attempts wait.",
                10,
                "",
            ),
            _bookmark(
                "outage",
                "After an outage",
                "The server is back, but 123 attempts are in its queue, and the clients that sent "
                "the first 68 are no longer waiting for the answers.",
                22,
                OUTAGE,
                18,
            ),
            _bookmark(
                "forever",
                "At one minute",
                "The server is always busy, yet every answer is too late. With one retry instead "
                "of three, all clients are answered in time.",
                60,
                OUTAGE,
                against={"retries": 1},
            ),
            _bookmark(
                "watch",
                "One client",
                "One client asks four times and gives up. Later the server serves all four "
                "attempts, when nobody is waiting for them any more.",
                71.3,
                f"{OUTAGE}-60_watch",
                60,
            ),
            _bookmark(
                "drop",
                "Empty the queue",
                "The queue was emptied after one minute, so the next clients are answered in time.",
                66,
                f"{OUTAGE}-60_drop",
                59,
            ),
            _bookmark(
                "slower",
                "24 per second",
                "With 24 requests per second instead of 30, the queue grew and shrank until, by "
                "chance, it ran empty. That ended the storm.",
                80,
                OUTAGE,
                72,
                rate=24,
            ),
        ),
        overview=Overview(
            "Every run has the same outage of two seconds. Each of these six changes ends the "
            "storm, but waiting doesn't.",
            {
                "30 per second, no intervention": _settings(OUTAGE),
                "24 per second": _settings(OUTAGE, rate=24),
                "one retry instead of three": _settings(OUTAGE) | {"retries": 1},
                "the queue is emptied at 60 s": _settings(f"{OUTAGE}-60_drop"),
                "late attempts skipped from 60 s": _settings(f"{OUTAGE}-60_skip"),
                "new requests turned away from 60 to 70 s": _settings(f"{OUTAGE}-60_pause_10"),
                "retries off from 60 s": _settings(f"{OUTAGE}-60_noretries"),
            },
        ),
    )
