"""Chapter 2's stage: a server, the line before it, and what the reader does to both."""

from functools import cache

from tunables.chapters.time_outs.stage_simulation import DEEDS, TIMEOUTS_S, play
from tunables.parts.model import Setting
from tunables.parts.stage import Beat, Choice, Deed, Stage, Whole

OUTAGE = "20_outage_2"


def _settings(deeds, rate=30) -> dict[str, Setting]:
    return {"arrival_rate_per_s": rate, "timeout_s": "0.5", "retries": 3, "deeds": deeds}


def _beat(name, label, title, at, deeds, until=None, rate=30, against=None) -> Beat:
    return Beat(name, label, title, _settings(deeds, rate), at, until, against)


def _deed(name, label, told, value=None) -> Deed:
    return Deed(name, label, told, DEEDS[name], value, "" if value is None else "s")


@cache
def stage() -> Stage:
    """Return the stage of the storm."""
    return Stage(
        name="storm",
        title="A server, and clients who do not wait",
        machine="storm",
        play=play,
        settings=(
            Choice("arrival_rate_per_s", "New requests a second", low=20, high=40),
            Choice("retries", "Retries", low=0, high=4),
            Choice(
                "timeout_s",
                "A client waits for",
                choices=TIMEOUTS_S,
                choice_texts=("half a second", "one second", "two seconds"),
            ),
        ),
        deeds=(
            _deed("outage", "Stop the server", "server stopped for", 2),
            _deed("drop", "Drop the line", "line dropped"),
            _deed("skip", "Skip the late", "server skips the late from now on"),
            _deed("noretries", "Forbid retries", "no retries from now on"),
            _deed("pause", "Let nobody in", "no new requests for", 10),
            _deed("watch", "Watch the next", "next client watched"),
        ),
        beats=(
            _beat(
                "rest",
                "At rest",
                "Thirty requests a second, a hundred could be served: the line is short.",
                10,
                "",
            ),
            _beat(
                "outage",
                "After an outage",
                "Two seconds without a server, and none of the first fifty in line is waited for.",
                22,
                OUTAGE,
                30,
            ),
            _beat(
                "forever",
                "Half a minute on",
                "The server is up, busy all the time, and serves clients who have left. With one "
                "retry in place of three the same requests are answered in time.",
                60,
                OUTAGE,
                against={"retries": 1},
            ),
            _beat(
                "watch",
                "One client",
                "A client asks four times, leaves, and is served four times.",
                71.3,
                f"{OUTAGE}-60_watch",
            ),
            _beat(
                "drop",
                "Drop the line",
                "The line is thrown away at second 60: the next to come are served in time.",
                66,
                f"{OUTAGE}-60_drop",
            ),
            _beat(
                "slower",
                "24 a second",
                "With 24 requests a second in place of 30 the line gets shorter; the storm ends.",
                80,
                OUTAGE,
                rate=24,
            ),
        ),
        whole=Whole(
            "The same outage of two seconds, and what ends the storm that follows it.",
            {
                "30 a second, nothing is done": _settings(OUTAGE),
                "24 a second": _settings(OUTAGE, rate=24),
                "one retry in place of three": _settings(OUTAGE) | {"retries": 1},
                "the line is dropped at 60 s": _settings(f"{OUTAGE}-60_drop"),
                "from 60 s the late are skipped": _settings(f"{OUTAGE}-60_skip"),
                "nobody new is let in from 60 to 70 s": _settings(f"{OUTAGE}-60_pause_10"),
                "from 60 s no retries": _settings(f"{OUTAGE}-60_noretries"),
            },
        ),
    )
