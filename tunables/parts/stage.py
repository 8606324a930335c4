"""A stage: a chapter's machine, small enough to be seen, which replays its simulator's run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tunables.parts.model import Setting
from tunables.plain.arguments import choice, whole


@dataclass(frozen=True)
class Choice:
    """A setting with a few values: whole numbers from low to high, or names and their texts."""

    name: str
    label: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    choice_texts: tuple[str, ...] = ()

    def check(self, value: Setting) -> Setting:
        """Return value, or raise ValueError if this setting may not have it."""
        if self.choices:
            return choice(self.name, value, self.choices)
        return whole(self.name, value, at_least=self.low, at_most=self.high)


@dataclass(frozen=True)
class Deed:
    """What a reader may do to the machine while it runs, at the time that the stage shows.

    label: of its button; told: what is said of it afterwards. range: least and most of its
    value, None if it takes none; value: the one that is offered; unit: behind it.
    """

    name: str
    label: str
    told: str
    range: tuple[float, float] | None = None
    value: float | None = None
    unit: str = ""


@dataclass(frozen=True)
class Beat:
    """A moment of a run that is worth seeing: a link in the text leads to it, a still shows it.

    at: in the machine's measure, the number of an event from 1 or seconds; until: where a run
    from there comes to rest, or None if the link only shows the moment. label: two or three
    words; title: a sentence that says what to see. against: what is otherwise in a run that
    stands beside it, on the same clock and with the same draws.
    """

    name: str
    label: str
    title: str
    settings: dict[str, Setting]
    at: float
    until: float | None = None
    against: dict[str, Setting] | None = None

    @property
    def other(self) -> dict[str, Setting] | None:
        """All settings of the run beside it, or None if it stands alone."""
        return self.settings | self.against if self.against else None


@dataclass(frozen=True)
class Whole:
    """Whole runs in one picture, each from its beginning to its end.

    title: a sentence that says what to see. runs: their settings, by their labels.
    """

    title: str
    runs: dict[str, dict[str, Setting]]


@dataclass(frozen=True)
class Stage:
    """What a stage replays and what it is set by; it opens at the first beat, with one run.

    machine: the drawing, by its name in book/_static/stage. play: a function of that name in a
    module that runs in the page; it takes the settings and returns the run as JSON can hold it.
    given: what it takes besides, such as what is fitted to data that the page has not.
    deeds: where there are any, the setting "deeds" says in a text which were done, and when: see
    `tunables.plain.deeds`. whole: what a picture of whole runs shows, or None for no picture.
    Raises ValueError for a beat whose settings are not all of the stage's, or out of range, and
    for a first beat with a run beside it.
    """

    name: str
    title: str
    machine: str
    play: Callable[..., dict[str, Any]]
    settings: tuple[Choice, ...]
    beats: tuple[Beat, ...]
    given: dict[str, Setting] = field(default_factory=dict)
    deeds: tuple[Deed, ...] = ()
    whole: Whole | None = None

    def replay(self, settings: dict[str, Setting]) -> dict[str, Any]:
        """Return the run at some settings; raises ValueError if they are not the stage's."""
        self._check("the run", settings)
        return self.play(**self.given, **settings)

    def run(self, beat: Beat) -> dict[str, Any]:
        """Return what the stage replays at a beat."""
        return self.replay(beat.settings)

    def runs(self, beat: Beat) -> list[dict[str, Any]]:
        """Return what it replays at a beat, and beside it, if anything."""
        return [self.replay(each) for each in (beat.settings, beat.other) if each]

    def __post_init__(self) -> None:
        if self.beats[0].against:
            raise ValueError(f"against of {self.beats[0].name}: must be none in the first beat")
        for beat in self.beats:
            for settings in (beat.settings, beat.other):
                self._check(beat.name, settings or beat.settings)
        for label, settings in (self.whole.runs if self.whole else {}).items():
            self._check(label, settings)

    def _check(self, beat: str, settings: dict[str, Setting]) -> None:
        names = sorted([each.name for each in self.settings] + ["deeds"] * bool(self.deeds))
        if not isinstance(settings, dict) or sorted(settings) != names:
            raise ValueError(f"settings of {beat} = {settings!r}: must be {names}")
        for each in self.settings:
            each.check(settings[each.name])
