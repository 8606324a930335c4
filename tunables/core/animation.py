"""An animation: a chapter's system, small enough to be seen, which replays a simulated run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tunables.base.arguments import choice, in_short, integer
from tunables.core.model import Setting

FILMED = 3  # bookmarks: a reader has five seconds for each


@dataclass(frozen=True)
class AnimationSetting:
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
        return integer(self.name, value, at_least=self.low, at_most=self.high)


@dataclass(frozen=True)
class Intervention:
    """What a user may do to the system while it runs, at the time that the animation shows.

    label: of its button; sentence: shown afterwards. range: least and greatest value, None if it
    takes no value; value: the default; unit: of the value.
    """

    name: str
    label: str
    sentence: str
    range: tuple[float, float] | None = None
    value: float | None = None
    unit: str = ""


@dataclass(frozen=True)
class Bookmark:
    """A moment of a run that is worth seeing: a link in the text leads to it, a still shows it.

    at: in the machine's measure, the number of an event from 1 or seconds. since: an earlier time
    from which a link plays into the moment, where it rests; None if a link goes there at once.
    label: two or three words; title: a sentence that says what to see. against: settings that
    differ in a second run shown beside it, on the same clock and with the same draws.
    """

    name: str
    label: str
    title: str
    settings: dict[str, Setting]
    at: float
    since: float | None = None
    against: dict[str, Setting] | None = None

    @property
    def other(self) -> dict[str, Setting] | None:
        """All settings of the run beside it, or None if there is no second run."""
        return self.settings | self.against if self.against else None


@dataclass(frozen=True)
class Overview:
    """Complete runs in one picture, each from its beginning to its end.

    title: a sentence that says what to see. runs: their settings, by their labels. miniature:
    which of the runs, counted from 0, stand for the chapter where it is shown in miniature.
    """

    title: str
    runs: dict[str, dict[str, Setting]]
    miniature: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Animation:
    """What an animation replays, and its settings; it opens at the first bookmark, with one run.

    renderer: the drawing, by its name in book/_static/animation. play: a function of that name in a
    module that runs in the page; it takes the settings and returns the run as JSON can hold it.
    given: further arguments, such as values fitted to data that the page does not have.
    interventions: if there are any, the setting "deeds" is a text that says which of them happen
    when: see `tunables.base.interventions`. overview: a picture of complete runs, or None. film:
    the bookmarks, by name, that its film shows, at most three; if empty, it shows the first three.
    Raises ValueError for a bookmark whose settings are not the animation's, or out of range, or
    that is not later than its since, for a first bookmark with a run beside it, and for a film of
    bookmarks that are not there.
    """

    name: str
    title: str
    renderer: str
    play: Callable[..., dict[str, Any]]
    settings: tuple[AnimationSetting, ...]
    bookmarks: tuple[Bookmark, ...]
    given: dict[str, Setting] = field(default_factory=dict)
    interventions: tuple[Intervention, ...] = ()
    overview: Overview | None = None
    film: tuple[str, ...] = ()

    def replay(self, settings: dict[str, Setting]) -> dict[str, Any]:
        """Return the run at some settings; raises ValueError if they are not the animation's."""
        self._check("the run", settings)
        return self.play(**self.given, **settings)

    def run(self, bookmark: Bookmark) -> dict[str, Any]:
        """Return what the animation replays at a bookmark."""
        return self.replay(bookmark.settings)

    def runs(self, bookmark: Bookmark) -> list[dict[str, Any]]:
        """Return what it replays at a bookmark, and beside it, if anything."""
        return [self.replay(each) for each in (bookmark.settings, bookmark.other) if each]

    @property
    def filmed(self) -> tuple[Bookmark, ...]:
        """The bookmarks that the film shows."""
        named = tuple(each for each in self.bookmarks if each.name in self.film)
        return named or self.bookmarks[:FILMED]

    def __post_init__(self) -> None:
        if self.bookmarks[0].against:
            raise ValueError(
                f"against of {self.bookmarks[0].name}: must not be given in the first bookmark"
            )
        names = [bookmark.name for bookmark in self.bookmarks]
        if len(self.film) > FILMED or not set(self.film) <= set(names):
            raise ValueError(f"film = {self.film}: must name at most {FILMED} of {names}")
        for bookmark in self.bookmarks:
            if bookmark.since is not None and not 0 <= bookmark.since < bookmark.at:
                raise ValueError(
                    f"bookmark {bookmark.name}: since = {bookmark.since} must be at least 0 and "
                    f"less than at = {bookmark.at}"
                )
            for settings in (bookmark.settings, bookmark.other):
                self._check(bookmark.name, settings or bookmark.settings)
        for label, settings in (self.overview.runs if self.overview else {}).items():
            self._check(label, settings)

    def _check(self, bookmark: str, settings: dict[str, Setting]) -> None:
        names = sorted([each.name for each in self.settings] + ["deeds"] * bool(self.interventions))
        if not isinstance(settings, dict) or sorted(settings) != names:
            raise ValueError(
                f"settings of {bookmark} = {in_short(settings)}: must be a dict with keys {names}"
            )
        for each in self.settings:
            each.check(settings[each.name])
