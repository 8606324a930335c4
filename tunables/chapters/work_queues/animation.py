"""Chapter 6's animations: an event loop's slices, and neighbours' hold timers during a task."""

from functools import cache

from tunables.chapters.work_queues.simulation import (
    BOUNDS,
    HOLD_TIMERS,
    WORK_MODES,
    WORKS,
    play_sessions,
    play_slices,
)
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Overview
from tunables.core.model import Setting
from tunables.theory.slicing import RULE_NAMES

RULES = ("2005-05-06", "2005-05-23", "2010")
WORK_TEXTS = ("358 µs each on average", "5 µs each, and then 1 ms each")
BOUND_TEXTS = ("none", "at most 15 items between checks")
LONGEST_TASK_S = 200


def _slice_settings(**changes) -> dict[str, Setting]:
    usual: dict[str, Setting] = {"work": "drawn", "rule": RULES[0], "most": "none", "queues": 1}
    return usual | changes


def _slice_bookmark(name, label, title, runs, since=None, against=None, **changes) -> Bookmark:
    return Bookmark(name, label, title, _slice_settings(**changes), runs, since, against)


@cache
def animation() -> Animation:
    """Return the animation of the slices, and of the timers that wait for them."""
    ratchet = "cheap, then dear"
    return Animation(
        name="quagga",
        title="The slices of a loop, and the timers that wait",
        renderer="slices",
        play=play_slices,
        settings=(
            AnimationSetting("work", "Items", choices=tuple(WORKS), choice_texts=WORK_TEXTS),
            AnimationSetting(
                "rule",
                "Growth rule",
                choices=RULES,
                choice_texts=tuple(RULE_NAMES[rule] for rule in RULES),
            ),
            AnimationSetting(
                "most", "Bound on the granularity", choices=tuple(BOUNDS), choice_texts=BOUND_TEXTS
            ),
            AnimationSetting("queues", "Queues in the loop", low=1, high=4),
        ),
        bookmarks=(
            _slice_bookmark(
                "looks",
                "Fewer checks",
                "The loop checks the clock less and less often, so slices end farther and "
                "farther past 10 ms.",
                20,
                12,
            ),
            _slice_bookmark(
                "climbs",
                "Granularity climbs",
                "The number of items between two checks goes from 23 to 25. It never comes down, "
                "so the mean slice grows.",
                132,
                126,
            ),
            _slice_bookmark(
                "cheap",
                "Items get expensive",
                "While items are cheap, every slice ends just past 10 ms. The next items cost 200 "
                "times as much.",
                97,
                89,
                work=ratchet,
            ),
            _slice_bookmark(
                "ratchet",
                "Slices of 197 ms",
                "An item now takes 1 ms, but there are still 197 between two checks. So a slice "
                "lasts 197 ms, and the timers wait.",
                100.7,
                100,
                work=ratchet,
            ),
            _slice_bookmark(
                "newer",
                "The newer rule",
                "Under the newer rule the number of items between two checks grows faster, to 666, "
                "so slices last 666 ms.",
                88,
                work=ratchet,
                rule=RULES[1],
            ),
            _slice_bookmark(
                "bound",
                "With a bound",
                "With at most 15 items between two checks, no slice lasts longer than 15 ms. "
                "Without the bound, slices last 197 ms.",
                130,
                work=ratchet,
                most="15",
                against={"most": "none"},
            ),
        ),
        overview=Overview(
            "The number of items between two checks only climbs. When items become expensive, that "
            "number decides how long slices last.",
            {
                "items of 358 µs": _slice_settings(),
                "cheap, then expensive": _slice_settings(work=ratchet),
                "cheap, then expensive: newer rule": _slice_settings(work=ratchet, rule=RULES[1]),
                "cheap, then expensive: 2010 rule": _slice_settings(work=ratchet, rule=RULES[2]),
                "cheap, then expensive: bound of 15": _slice_settings(work=ratchet, most="15"),
            },
            miniature=(1,),
        ),
        film=("looks", "cheap", "ratchet"),
    )


def _session_bookmark(
    name, label, title, block, at_s, since_s, work=WORK_MODES[0], timers="15/45"
) -> Bookmark:
    settings: dict[str, Setting] = {"block": block, "work": work, "timers": timers}
    against: dict[str, Setting] | None = None if work == WORK_MODES[0] else {"work": WORK_MODES[0]}
    return Bookmark(name, label, title, settings, at_s, since_s, against)


@cache
def sessions_animation() -> Animation:
    """Return the animation of ten neighbours' hold timers, which run down during a long task."""
    return Animation(
        name="quagga-sessions",
        title="Ten neighbours' hold timers during a long task",
        renderer="sessions",
        play=play_sessions,
        settings=(
            AnimationSetting("block", "Length of the task (s)", low=1, high=LONGEST_TASK_S),
            AnimationSetting(
                "work",
                "How the task runs",
                choices=WORK_MODES,
                choice_texts=("in one piece", "in slices"),
            ),
            AnimationSetting(
                "timers",
                "Keepalive and hold time",
                choices=tuple(HOLD_TIMERS),
                choice_texts=tuple(f"{each} s, {hold} s" for each, hold in HOLD_TIMERS.values()),
            ),
        ),
        bookmarks=(
            _session_bookmark(
                "spared",
                "Thirty seconds",
                "The task ended just before the first timer would have run out. So the keepalives "
                "went out in time, and no session dropped.",
                30,
                60.5,
                50,
            ),
            _session_bookmark(
                "expires",
                "A hold timer expires",
                "The first neighbour's timer ran out at 61.8 s, but the task runs until 63 s. So "
                "one session has dropped.",
                33,
                62,
                50,
            ),
            _session_bookmark(
                "seven",
                "Forty seconds",
                "The task lasts eight seconds longer than the first neighbour will wait. By its "
                "end, seven of the ten sessions have dropped.",
                40,
                70,
                58,
            ),
            _session_bookmark(
                "slices",
                "In slices",
                "While 115 s of work run in slices, no bar drops below two thirds. If the work "
                "ran in one piece, the first timer would be about to run out now.",
                115,
                61.8,
                50,
                work="slices",
            ),
            _session_bookmark(
                "customary",
                "60 and 180 s",
                "With the usual timers, every session survives the same work in one piece, though "
                "only just.",
                115,
                144.5,
                133,
                timers="60/180",
            ),
        ),
    )
