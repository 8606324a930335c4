"""Chapter 5's stage: the four stages of a replication, and what waits between them."""

from functools import cache

from tunables.chapters.replication.case import case
from tunables.chapters.replication.paths import ASSUMED_RTT_S, SITES
from tunables.chapters.replication.predictor import COMPRESS
from tunables.chapters.replication.stage_simulation import ROOMS, SLOWED, STEADY, play
from tunables.parts.stage import Beat, Choice, Stage, Whole

PLACES = {"BNL": "Long Island", "TRIUMF": "Vancouver", "RAL": "Oxfordshire", "IN2P3": "Lyon"}
SET_BY_READERS = ("rtt_s", "compress")
ROOM_TEXTS = (
    "for all, steady times",
    "for all, times vary",
    "for 16 batches, times vary",
    "for 4 batches, times vary",
    "for one batch, times vary",
    "none, times vary",
)


def _beat(name, label, title, site, compress, slower, at_s, against=None, room=STEADY) -> Beat:
    settings = {"site": site, "compress": compress, "slower": slower, "room": room}
    return Beat(name, label, title, settings, at_s, against=against)


def _site_text(site) -> str:
    return f"{site}, {PLACES[site]} ({1000 * ASSUMED_RTT_S[site]:.0f} ms)"


@cache
def stage() -> Stage:
    """Return the main stage of the chapter."""
    settings = case().settings()
    return Stage(
        name="wlcg",
        title="Four stages, and what waits between them",
        machine="pipeline",
        play=play,
        given={name: settings[name] for name in settings if name not in SET_BY_READERS},
        settings=(
            Choice(
                "site",
                "To which site (assumed distance)",
                choices=SITES,
                choice_texts=tuple(_site_text(site) for site in SITES),
            ),
            Choice("compress", "COMPRESS", choices=COMPRESS, choice_texts=COMPRESS),
            Choice(
                "slower",
                "One stage 5 % slower",
                choices=SLOWED,
                choice_texts=SLOWED,
            ),
            Choice(
                "room",
                "Room to wait",
                choices=(STEADY, *ROOMS),
                choice_texts=ROOM_TEXTS,
            ),
        ),
        beats=(
            _beat(
                "near",
                "The near site",
                "A near site, half done: what piles up stands before the pump.",
                "RAL",
                "off",
                "none",
                842,
            ),
            _beat(
                "far",
                "The far site",
                "The farthest site, half done: the other half stands before the network.",
                "TRIUMF",
                "off",
                "none",
                3924,
            ),
            _beat(
                "compress",
                "COMPRESS",
                "The near site with COMPRESS, half done: no pile on the way, so the source is "
                "the limit, or a stage that is just as slow.",
                "RAL",
                "on",
                "none",
                761,
            ),
            _beat(
                "apply",
                "Slower apply",
                "Apply 5 % slower, or the source instead, nine tenths done: as late, and only the "
                "pile tells: five marks before apply, or none.",
                "RAL",
                "on",
                "apply",
                1441,
                against={"slower": "source"},
            ),
            _beat(
                "far-compress",
                "Far, COMPRESS",
                "The farthest site with COMPRESS, half done: a small pile before the network.",
                "TRIUMF",
                "on",
                "none",
                886,
            ),
            _beat(
                "no-room",
                "No room",
                "Times vary, and nothing may wait between the stages: each holds its batch until "
                "the next is free (hatched), and little more than half of the pace is left.",
                "RAL",
                "off",
                "none",
                842,
                against={"room": "any"},
                room="0",
            ),
        ),
        whole=Whole(
            "From the log to the copy: the wider a band between two lines, the more waits there.",
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
        ),
    )
