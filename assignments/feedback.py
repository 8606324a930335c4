"""The zip with a page of feedback for each student, which Moodle takes as it is."""

import io
import unicodedata
import zipfile
from collections.abc import Iterable
from typing import NamedTuple

from tunables.views.classroom import Student

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a zip's first day: the same grades give the same bytes


class Feedback(NamedTuple):
    """A student's page of feedback, and the folder that it goes into."""

    student: Student
    folder: str
    page: str


def feedback_zip(pages: Iterable[Feedback]) -> bytes:
    """Return a zip with a folder for each student.

    Raises ValueError if two folders would be one, on some system: that student's page would be
    another's.
    """
    stream = io.BytesIO()
    owners: dict[str, Student] = {}
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for student, folder, page in pages:
            key = unicodedata.normalize("NFC", folder).casefold()
            if (owner := owners.setdefault(key, student)) != student:
                raise ValueError(
                    f"feedback: {owner.id} and {student.id} would share the folder {folder!r}. If "
                    "their rows of the grades name one file, empty the cell file of one of them; "
                    "otherwise give them ids that differ in a letter or a digit"
                )
            entry = zipfile.ZipInfo(f"{folder}/feedback.html", _LONG_AGO)
            made.writestr(entry, page, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
