"""Whose file is it? By what a learning platform wrote into its path, and by nothing else.

Moodle's download has `Name_1234567_assignsubmission_file_/notebook.ipynb`, Canvas's
`name_1234_5678_notebook.ipynb`, Blackboard's `Homework_s12_attempt_2026-11-02-10-00-00_a.ipynb`.
What follows is the student's own: a file or a folder with another's name in it gives nobody's
mark away. Where no platform wrote anything, the first part of the path counts, as a teacher may
have named it.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from tunables.views.classroom import Student

# What a platform puts first: (who), a number of its own, and then what the student named.
_NAMED = 3  # of the students or the texts that a sentence lists
_PLATFORMS = (
    re.compile(r"^(?P<who>.+?)_(?P<number>\d+)_assignsubmission_"),
    re.compile(r"^(?P<who>.+?)_(?:LATE_)?(?P<number>\d+)_\d+_"),
    re.compile(r"^(?P<who>.+?)_attempt_\d{4}(?:-\d\d){5}"),
)


class Origin(NamedTuple):
    """Who handed a file in, in a platform's words; its number for them; was it a platform?"""

    who: str
    number: str = ""
    by_platform: bool = False


def origin(top: str) -> Origin:
    """Return what the first part of a path says of who handed it in."""
    for form in _PLATFORMS:
        if found := form.match(top):
            return Origin(found["who"], found.groupdict().get("number") or "", True)
    return Origin(top)


def name_some(texts: list[str]) -> str:
    """Return the first of some names or texts, and how many more there are.

    >>> name_some(["Ada", "Ben", "Cleo", "Dan"])
    'Ada, Ben, Cleo and 1 more'
    """
    more = f" and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    return f"{', '.join(texts[:_NAMED])}{more}"


def remark_on_unclear(ids: list[str]) -> str:
    """Say of a hand-in that may be from these students, or from nobody known, whose it is.

    >>> remark_on_unclear(["s1", "s2"]), remark_on_unclear([])
    ('student unclear: perhaps s1, s2', 'student unclear: the hand-in names nobody')
    """
    return f"student unclear: {f'perhaps {name_some(ids)}' if ids else 'the hand-in names nobody'}"


def words_of(text: str) -> list[str]:
    """Return a text's words, however its umlauts are composed and whatever parts them."""
    plain = unicodedata.normalize("NFC", text).casefold()
    return re.findall(r"[^\W_]+", plain)


def _holds(words: list[str], wanted: list[str]) -> bool:
    """Whether the wanted words stand in a row among the others."""
    size = len(wanted)
    return size > 0 and any(
        words[start : start + size] == wanted for start in range(len(words) - size + 1)
    )


class Matcher:
    """Finds whom a hand-in may be from, among the students of a roster."""

    def __init__(self, students: Iterable[Student]):
        self._ids: dict[Student, list[str]] = {}
        self._names: dict[Student, list[str]] = {}
        self._with: dict[str, list[Student]] = defaultdict(list)  # a word of an id or a name
        self._joined: dict[str, list[Student]] = defaultdict(list)  # "annali", "lianna"
        for student in students:
            self._ids[student], self._names[student] = words_of(student.id), words_of(student.name)
            for word in {*self._ids[student][:1], *self._names[student][:1]}:
                self._with[word].append(student)
            for order in (1, -1):
                self._joined["".join(self._names[student][::order])].append(student)
        self._known: dict[Origin, list[Student]] = {}

    def _fits(self, text: str) -> list[Student]:
        """Return whose id is in a text; if nobody's, whose name with the most words."""
        words = words_of(text)
        near = dict.fromkeys(one for word in words for one in self._with.get(word, ()))
        if by_id := [one for one in near if _holds(words, self._ids[one])]:
            return by_id
        there = set(words)
        joined = self._joined.get(words[0], ()) if words else ()
        near |= dict.fromkeys(joined)
        fits = {
            one: len(set(self._names[one]))
            for one in near
            if self._names[one] and (set(self._names[one]) <= there or one in joined)
        }
        most = max(fits.values(), default=0)
        return [one for one, size in fits.items() if size == most]

    def fits(self, found: Origin) -> list[Student]:
        """Return whom a hand-in may be from: one, several who fit equally well, or nobody."""
        if found not in self._known:
            fits = self._fits(found.who)
            if len(fits) > 1 and found.number:  # of one name: the number tells whose
                fits = [one for one in fits if self._ids[one] == [found.number]] or fits
            self._known[found] = fits or (self._fits(found.number) if found.number else [])
        return self._known[found]

    def names_alone(self, found: Origin, student: Student) -> bool:
        """Whether a first part of a path is the student's id or name, and nothing besides."""
        words = words_of(found.who.removesuffix(".ipynb").removesuffix(".zip"))
        name = self._names[student]
        return words in (self._ids[student], name, name[::-1], ["".join(name)])

    def is_somebodys(self, top: str) -> bool:
        """Whether a first part of a path says whose it is, or a platform wrote it."""
        found = origin(top)
        return found.by_platform or bool(self.fits(found))
