"""Whose a file is by its path, what folders and zips hold, and which answers are copies."""

import io
import json
import zipfile

import pytest

from assignments.handed_in import Handed, code_cells, handed_in
from assignments.look_at import alike, mentions, shape
from assignments.matching import by_student, owner
from tunables.reader.roster import Student

ANNA, LI, JUERGEN, DOE = CLASS = [
    Student("s12", "Anna Li"),
    Student("s1", "Anna Li Schmidt"),
    Student("s123", "Jürgen Müller"),
    Student("jane.doe", "Jane Doe"),
]


@pytest.mark.parametrize(
    ("path", "whose"),
    [
        ("Anna Li_1234567_assignsubmission_file_/03.ipynb", ANNA),
        ("Anna Li Schmidt_1234567_assignsubmission_file_/03.ipynb", LI),
        ("Ju\u0308rgen Mu\u0308ller_99_assignsubmission_file_/a/b.ipynb", JUERGEN),
        ("müllerjürgen_551_8823_03-cache-cliff.ipynb", JUERGEN),
        ("S12.ipynb", ANNA),
        ("s1/notebook.ipynb", LI),
        ("jane.doe.ipynb", DOE),
        ("Doe, Jane/notebook.ipynb", DOE),
        ("s12 and s123.ipynb", None),
        ("Participant_1234567_assignsubmission_file_/03.ipynb", None),
    ],
)
def test_a_path_tells_whose_work_it_is(path, whose):
    assert owner(path, CLASS) == whose
    theirs, nobodys = by_student([Handed(path, b"")], CLASS)
    assert [len(theirs[student]) for student in CLASS] == [student == whose for student in CLASS]
    assert len(nobodys) == (whose is None)


def test_folders_and_zips_are_searched_and_what_cannot_be_read_is_told(tmp_path):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as file:
        file.writestr("deep/b.ipynb", "{}")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.ipynb").write_text("{}")
    (tmp_path / "one" / "inner.zip").write_bytes(inner.getvalue())
    (tmp_path / "one" / "broken.zip").write_bytes(b"PK\x03\x04" + inner.getvalue()[30:90])
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "a.ipynb").write_text("{}")
    found = {file.path: file.trouble for file in handed_in(tmp_path)}
    assert list(found) == ["one/a.ipynb", "one/broken.zip", "one/inner.zip/deep/b.ipynb"]
    assert [path for path, trouble in found.items() if trouble] == ["one/broken.zip"]
    with pytest.raises(ValueError, match="must be a folder or a zip"):
        list(handed_in(tmp_path / "one" / "a.ipynb"))


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"cells": [1]}', b'{"cells": "x"}', b"\xff", b"[" * 100_000]
)
def test_what_is_no_notebook_is_told(content):
    with pytest.raises(ValueError, match="not a notebook"):
        code_cells(content, "any")


def test_another_assignments_notebook_is_told():
    other = {"cells": [], "metadata": {"otter": {"assignment_name": "other"}}}
    with pytest.raises(ValueError, match="this is the notebook of other"):
        code_cells(json.dumps(other).encode(), "any")


OWN = ["def rate(users, time_s):\n    return users / time_s"]
COPY = ["# mine!\ndef rate(users, time_s):\n    'My own.'\n    return (users/time_s)"]
RENAMED = ["def rate(n, seconds):\n    return n / seconds", "print(rate(1, 2))"]
ANOTHER = ["def rate(users, time_s):\n    return users * (1 / time_s)"]
EMPTY = ["def rate(users, time_s):\n    ..."]


def test_a_copy_is_told_and_another_way_is_none():
    notebooks = {"own": OWN, "copy": COPY, "renamed": RENAMED, "another": ANOTHER}
    notebooks |= {
        "untouched": EMPTY,
        "untouched too": EMPTY,
        "broken": ["def"],
        "broken too": ["("],
    }
    found = {name: others for name, others in alike(notebooks, shape(EMPTY)).items() if others}
    assert found == {
        "own": ["copy", "renamed"],
        "copy": ["own", "renamed"],
        "renamed": ["own", "copy"],
    }


def test_what_no_answer_needs_is_mentioned():
    assert mentions(["import math", "x = 1"]) == []
    assert mentions(["import sys; sys.modules['hidden_cases']"]) == ["hidden_cases", "sys.modules"]
