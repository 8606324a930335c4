"""Whose file is it? By the student's id in its path, or the name, as platforms write them there.

Moodle's download has `Name_1234567_assignsubmission_file_/notebook.ipynb`, Canvas's
`name_1234_5678_notebook.ipynb`.
"""

import re
import unicodedata

from assignments.handed_in import Handed
from tunables.reader.roster import Student


def _words(text: str) -> list[str]:
    """Return a text's words, however its umlauts are composed and whatever parts them."""
    plain = unicodedata.normalize("NFC", text).casefold()
    return re.findall(r"[^\W_]+", plain)


def _holds(words: list[str], wanted: list[str]) -> bool:
    """Whether the wanted words stand in a row among the others."""
    size = len(wanted)
    return size > 0 and any(
        words[start : start + size] == wanted for start in range(len(words) - size + 1)
    )


def _by_name(path: str, student: Student) -> int:
    """Return how many words of the student's name stand in one part of the path: all, or none."""
    wanted = set(_words(student.name))
    joined = "".join(_words(student.name))
    reversed_name = "".join(reversed(_words(student.name)))
    for part in path.split("/"):
        words = _words(part)
        if wanted and (wanted <= set(words) or words[:1] in ([joined], [reversed_name])):
            return len(wanted)
    return 0


def owner(path: str, students: list[Student]) -> Student | None:
    """Return whose path it is; None if nobody's, or if several fit equally well."""
    by_id = [student for student in students if _holds(_words(path), _words(student.id))]
    if by_id:
        return by_id[0] if len(by_id) == 1 else None
    fits = sorted(((_by_name(path, student), student) for student in students), reverse=True)
    best = fits[0][0]
    clear = len(fits) == 1 or best > fits[1][0]
    return fits[0][1] if best and clear else None


def by_student(
    files: list[Handed], students: list[Student]
) -> tuple[dict[Student, list[Handed]], list[Handed]]:
    """Return (the files of each student, in the roster's order; the files of nobody)."""
    theirs: dict[Student, list[Handed]] = {student: [] for student in students}
    nobodys: list[Handed] = []
    for file in files:
        found = owner(file.path, students)
        (theirs[found] if found else nobodys).append(file)
    return theirs, nobodys
