"""Moodle's CSV files: its list of participants, and the grading worksheet of an assignment.

Sources: `mod/assign/gradingtable.php` and `mod/assign/feedback/offline/importgradeslib.php` of
Moodle's code say what the worksheet's columns are and which of them its upload reads;
`mod/assign/feedback/file/importziplib.php` says how a folder of feedback names its student.
"""

import re
from collections.abc import Mapping

IDENTIFIER, FULL_NAME = "identifier", "full name"
GRADE, MAXIMUM, COMMENTS = "grade", "maximum grade", "feedback comments"
IN_A_FOLDER = "_assignsubmission_"  # in the name of a student's folder, after the number
_PARTICIPANT = re.compile(r"^\D+ (\d+)$")  # as in "Participant 7000010"
_LAST_NAMES = ("last name", "surname")
_IDS = ("id number", "username", "email address")
ONCE = (IDENTIFIER, FULL_NAME, GRADE, MAXIMUM, COMMENTS, "first name", *_LAST_NAMES, *_IDS)
_NOT_IN_A_FOLDER = re.compile(r'[\x00-\x1f<>:"/\\|?*_]+')


def is_worksheet(columns: Mapping[str, object]) -> bool:
    """Say whether a table is a grading worksheet; columns: by their headings' small letters.

    >>> is_worksheet({"identifier": 0, "full name": 1, "grade": 2})
    True
    """
    return IDENTIFIER in columns and GRADE in columns


def participant_number(identifier: str) -> str:
    """Return the number in a worksheet's identifier, which is also in the names of folders.

    Raises ValueError for a text without one.

    >>> participant_number("Participant 7000010")
    '7000010'
    """
    found = _PARTICIPANT.match(identifier.strip())
    if not found:
        raise ValueError(f"identifier = {identifier!r}: must be a word followed by a number")
    return found[1]


def _last_name(columns: Mapping[str, object]) -> str | None:
    return next((name for name in _LAST_NAMES if name in columns), None)


def is_participants(columns: Mapping[str, object]) -> bool:
    """Say whether a table is a list of participants.

    >>> is_participants({"first name": 0, "last name": 1, "email address": 2})
    True
    """
    return (
        "first name" in columns and _last_name(columns) is not None and bool({*_IDS} & {*columns})
    )


def identity(row: Mapping[str, str]) -> tuple[str, str]:
    """Return id and name of a row of either table: cells, by their headings' small letters.

    A worksheet's id is the participant's number. In a list of participants it is the first of ID
    number, user name and e-mail address that the row has. Raises ValueError for an identifier
    without a number.

    >>> identity({"first name": "Ada", "surname": "Li", "username": "ali"})
    ('ali', 'Ada Li')
    """

    def cell(name: str) -> str:
        return row.get(name, "").strip()

    if is_worksheet(row):
        found = cell(IDENTIFIER)
        return (participant_number(found) if found else "", cell(FULL_NAME))
    name = f"{cell('first name')} {cell(_last_name(row) or '')}".strip()
    return next(filter(None, map(cell, _IDS)), ""), name


def plain_folder(name: str) -> str:
    """Return a name as a folder may have it, without what some system or Moodle would not read.

    >>> plain_folder("Anna/Li_2")
    'Anna Li 2'
    """
    return " ".join(_NOT_IN_A_FOLDER.sub(" ", name).split())


def feedback_folder(name: str, number: str) -> str:
    """Return the folder in which Moodle's upload of feedback files looks for a participant's.

    >>> feedback_folder("Anna Li", "7000010")
    'Anna Li_7000010_assignsubmission_file'
    """
    return f"{plain_folder(name) or 'Participant'}_{number}{IN_A_FOLDER}file"
