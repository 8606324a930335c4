"""The personal codes of a class: computed from each student's id and the class's secret."""

import csv
import hashlib
import hmac
import io
from functools import cache

from tunables.base.arguments import choice, text
from tunables.page.hand_in import code_of
from tunables.views.classroom import Student
from tunables.views.safe_text import as_cells

FORMATS = ("csv", "text")
COLUMNS = ("id", "name", "code", "link")
LINK = "?hand-in={}#hand-in"  # with a code, the end of the address of a chapter's page
# Slow on purpose: a student who knows their own code can try words until one gives it.
_ROUNDS = 600_000
_CODE_BYTES = 12


@cache
def _key(secret: str) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", secret.encode(), b"tunables hand-in", _ROUNDS)


def student_code(secret: str, student: str) -> str:
    """Return the code of a student's id: HMAC-SHA256 of the id, keyed by the stretched secret.

    The key is PBKDF2-HMAC-SHA256 of the secret with 600,000 rounds. Spaces around secret and id
    do not count.
    Raises ValueError for an empty secret.

    >>> student_code("three plain words", "s1") == student_code("three plain words ", " s1")
    True
    """
    if not text("secret", secret).strip():
        raise ValueError(f"secret = {secret!r}: must be a secret of your own; this one is empty")
    drawn = hmac.digest(_key(secret.strip()), text("student", student).strip().encode(), "sha256")
    return code_of(drawn[:_CODE_BYTES])


def class_codes(students: list[Student], secret: str) -> dict[Student, str]:
    """Return the code of each student. Raises ValueError as `student_code` does.

    >>> [*class_codes([Student("s1", "Ada")], "three plain words")][0].name
    'Ada'
    """
    return {student: student_code(secret, student.id) for student in students}


def _csv(codes: dict[Student, str]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for student, code in codes.items():
        row = {"id": student.id, "name": student.name, "code": code, "link": LINK.format(code)}
        writer.writerow(as_cells(row))
    return out.getvalue().rstrip("\n")


def _slip(student: Student, code: str) -> str:
    who = f"{student.name} ({student.id})" if student.name else student.id
    return f"{who}\n\n    {code}\n\nYour code for handing in work. Keep it to yourself."


def codes_sheet(codes: dict[Student, str], form: str = "csv") -> str:
    """Return the codes as a CSV, or as "text": slips of paper to cut apart.

    Raises ValueError for another format.

    >>> codes_sheet(class_codes([Student("s1", "Ada")], "three plain words")).splitlines()[0]
    'id,name,code,link'
    """
    if choice("format", form, FORMATS) == "csv":
        return _csv(codes)
    return f"\n\n{'- ' * 30}\n\n".join(_slip(*pair) for pair in codes.items())
