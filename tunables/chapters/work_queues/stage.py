"""Chapter 6's stage: an event loop's slices, and the timers that wait for them."""

from functools import cache

from tunables.chapters.work_queues.stage_simulation import BOUNDS, WORKS, play
from tunables.parts.model import Setting
from tunables.parts.stage import Beat, Choice, Stage, Whole
from tunables.theory.slicing import RULE_NAMES

RULES = ("2005-05-06", "2005-05-23", "2010")
WORK_TEXTS = ("of 358 µs on average", "of 5 µs, and then of 1 ms")
BOUND_TEXTS = ("no", "at most 15 items between looks")


def _settings(**changes) -> dict[str, Setting]:
    usual: dict[str, Setting] = {"work": "drawn", "rule": RULES[0], "most": "none", "queues": 1}
    return usual | changes


def _beat(name, label, title, runs, until=None, against=None, **changes) -> Beat:
    return Beat(name, label, title, _settings(**changes), runs, until, against)


@cache
def stage() -> Stage:
    """Return the stage of the chapter."""
    dear = "cheap, then dear"
    return Stage(
        name="quagga",
        title="The slices of a loop, and the timers that wait",
        machine="slices",
        play=play,
        settings=(
            Choice("work", "Items", choices=tuple(WORKS), choice_texts=WORK_TEXTS),
            Choice(
                "rule",
                "Rule of growth",
                choices=RULES,
                choice_texts=tuple(RULE_NAMES[rule] for rule in RULES),
            ),
            Choice("most", "A bound", choices=tuple(BOUNDS), choice_texts=BOUND_TEXTS),
            Choice("queues", "Queues in the loop", low=1, high=4),
        ),
        beats=(
            _beat(
                "looks",
                "Looks thin out",
                "Looks at the clock thin out, and slices end well past the 10 ms.",
                20,
            ),
            _beat(
                "climbs",
                "It only climbs",
                "From 23 items between two looks to 25: the stair goes up, and never down.",
                132,
            ),
            _beat(
                "cheap",
                "Items turn dear",
                "While items are cheap every slice ends just past 10 ms. The next ones are dear.",
                97,
                99,
                work=dear,
            ),
            _beat(
                "ratchet",
                "Slices of 197 ms",
                "Dear items, and still 197 between two looks: slices of 197 ms, and timers wait.",
                100.7,
                work=dear,
            ),
            _beat(
                "newer",
                "The newer rule",
                "The rule of the day of the post grows faster: 666 items, and slices of 666 ms.",
                88,
                work=dear,
                rule=RULES[1],
            ),
            _beat(
                "bound",
                "With a bound",
                "At most 15 items between two looks: no slice lasts longer than 15 ms. Without the "
                "bound they last 197.",
                130,
                work=dear,
                most="15",
                against={"most": "none"},
            ),
        ),
        whole=Whole(
            "The stair only climbs. When items turn dear, slices last as long as it is high.",
            {
                "items of 358 µs": _settings(),
                "cheap, then dear": _settings(work=dear),
                "the same, newer rule": _settings(work=dear, rule=RULES[1]),
                "the same, rule of 2010": _settings(work=dear, rule=RULES[2]),
                "the same, a bound of 15 items": _settings(work=dear, most="15"),
            },
        ),
    )
