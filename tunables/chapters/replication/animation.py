"""Chapter 5's animations: four stages and what waits between them, and TCP's window."""

from functools import cache

from tunables.chapters.replication.case import case
from tunables.chapters.replication.predictor import ASSUMED_RTT_S, COMPRESS, SITES
from tunables.chapters.replication.simulation import (
    CONTROLS,
    ROOMS,
    SHOWN_BATCHES,
    SLOWED,
    STEADY,
    play_pipeline,
    play_windows,
)
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Overview

# Parameters that readers set in each animation; the others are those of the case.
PIPELINE_CONTROLS = ("rtt_s", "compress")
WINDOW_CONTROLS = ("law", "rtt_s", "compress")
PLACES = {"BNL": "Long Island", "TRIUMF": "Vancouver", "RAL": "Oxfordshire", "IN2P3": "Lyon"}
ROOM_TEXTS = (
    "for all records, constant times",
    "for all records, times vary",
    *(
        f"for {100 * room / SHOWN_BATCHES:g}% of the records, times vary"
        for room in ROOMS.values()
        if room > 0
    ),
    "none, times vary",
)
CONTROL_TEXTS = ("CUBIC, with the same loss rate on both paths", "one window for both paths")


def _pipeline_bookmark(
    name, label, title, site, compress, slower, at_s, against=None, room=STEADY
) -> Bookmark:
    settings = {"site": site, "compress": compress, "slower": slower, "room": room}
    return Bookmark(name, label, title, settings, at_s, against=against)


def _site_text(site) -> str:
    return f"{site}, {PLACES[site]} ({1000 * ASSUMED_RTT_S[site]:.0f} ms)"


@cache
def animation() -> Animation:
    """Return the animation of the four stages."""
    settings = case().settings()
    return Animation(
        name="wlcg",
        title="Four stages, and what waits between them",
        renderer="pipeline",
        play=play_pipeline,
        given={name: settings[name] for name in settings if name not in PIPELINE_CONTROLS},
        settings=(
            AnimationSetting(
                "site",
                "Site (assumed round trip)",
                choices=SITES,
                choice_texts=tuple(_site_text(site) for site in SITES),
            ),
            AnimationSetting("compress", "COMPRESS", choices=COMPRESS, choice_texts=COMPRESS),
            AnimationSetting(
                "slower",
                "Stage slowed by 5%",
                choices=SLOWED,
                choice_texts=SLOWED,
            ),
            AnimationSetting(
                "room",
                "Room between stages",
                choices=(STEADY, *ROOMS),
                choice_texts=ROOM_TEXTS,
            ),
        ),
        bookmarks=(
            _pipeline_bookmark(
                "near",
                "The near site",
                "Halfway through, a few marks wait for the pump, and none wait anywhere else. So "
                "the pump is the slowest stage.",
                "RAL",
                "off",
                "none",
                842,
            ),
            _pipeline_bookmark(
                "far",
                "TRIUMF",
                "Halfway through, all the marks that haven't arrived wait for the network. So the "
                "network is the slowest stage.",
                "TRIUMF",
                "off",
                "none",
                3924,
            ),
            _pipeline_bookmark(
                "far-compress",
                "TRIUMF, COMPRESS",
                "With COMPRESS, the network is faster, but a small pile of marks still waits for "
                "it. So the network is still the slowest stage.",
                "TRIUMF",
                "on",
                "none",
                886,
            ),
            _pipeline_bookmark(
                "compress",
                "Near site, COMPRESS",
                "With COMPRESS, nothing waits on the way. So the source is the slowest stage, or "
                "another stage is just as slow.",
                "RAL",
                "on",
                "none",
                761,
            ),
            _pipeline_bookmark(
                "apply",
                "Slower apply",
                "With a slower source instead, the run takes just as long. Only the five marks "
                "in front of apply show that apply is the slower stage here.",
                "RAL",
                "on",
                "apply",
                1441,
                against={"slower": "source"},
            ),
            _pipeline_bookmark(
                "no-room",
                "No room",
                "If records have no room to wait, a stage has to hold those it has finished "
                "(hatched), so the pace falls to little more than half.",
                "RAL",
                "off",
                "none",
                842,
                against={"room": "any"},
                room="0",
            ),
        ),
        overview=Overview(
            "Each picture shows a whole run, from log to copy. The wider the band between "
            "two stages' lines, the more records wait between them.",
            {
                site + (", COMPRESS" if compress == "on" else ""): {
                    "site": site,
                    "compress": compress,
                    "slower": "none",
                    "room": STEADY,
                }
                for compress in COMPRESS
                for site in SITES
            },
            miniature=(1,),
        ),
    )


def _window_bookmark(name, label, title, law, since, at_s) -> Bookmark:
    return Bookmark(name, label, title, {"law": law, "since": since}, at_s)


@cache
def windows_animation() -> Animation:
    """Return the animation of TCP's window on two long paths, one above the other."""
    settings = case().settings()
    return Animation(
        name="wlcg-windows",
        title="The window on two long paths",
        renderer="windows",
        play=play_windows,
        given={name: settings[name] for name in settings if name not in WINDOW_CONTROLS},
        settings=(
            AnimationSetting(
                "law",
                "What limits the window",
                choices=CONTROLS,
                choice_texts=CONTROL_TEXTS,
            ),
            AnimationSetting(
                "since",
                "Time shown",
                choices=("later", "start"),
                choice_texts=("after 5,000 s", "from the start"),
            ),
        ),
        bookmarks=(
            _window_bookmark(
                "same",
                "One window",
                "With one window for both paths, all columns are the same height, but fewer of "
                "them pass per second on the longer path.",
                "window",
                "later",
                5010,
            ),
            _window_bookmark(
                "cubic",
                "CUBIC",
                "With CUBIC, the longer path has the larger window, which makes up for most of "
                "the distance.",
                "cubic",
                "later",
                5015,
            ),
            _window_bookmark(
                "loss",
                "A loss",
                "A loss cuts the window to 70% of its size. Then the window grows back at a rate "
                "set by elapsed time, not by round trips.",
                "cubic",
                "later",
                5002.5,
            ),
            _window_bookmark(
                "start",
                "Slow start",
                "At the start, the window doubles every round trip, until the first loss.",
                "cubic",
                "start",
                1.2,
            ),
        ),
    )
