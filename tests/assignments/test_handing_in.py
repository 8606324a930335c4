"""Whose a file is by its path, what folders and zips hold, and which answers are copies."""

import io
import json
import random
import subprocess
import zipfile
from collections import Counter

import pytest

from assignments.look_at import alike, mentions, shape
from assignments.notebook import code_cells
from tests.assignments.submissions import PYTHON, ROOT
from tunables.hand_in import files as bounds
from tunables.hand_in.files import handed_in
from tunables.hand_in.matching import Matcher, origin
from tunables.views.classroom import Student

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
        # What follows a platform's words is the student's own, and so is what is below.
        ("Mal Lory_99_assignsubmission_file_/s12.ipynb", None),
        ("Mal Lory_99_assignsubmission_file_/Jane Doe/a.ipynb", None),
        ("Mal Lory_99_assignsubmission_file_jane.doe.ipynb", None),
        ("lorymal_99_8823_s12.ipynb", None),
        ("lorymal_LATE_99_8823_jane.doe.ipynb", None),
        ("Homework 3_jane.doe_attempt_2026-11-02-10-00-00_s12.ipynb", DOE),
        ("zz/Jane Doe/a.ipynb", None),
        ("Jane Doe_s12_assignsubmission_file_/a.ipynb", None),
        ("doejane_123_8823_a.ipynb", DOE),
        ("Participant_s12_1_a.ipynb", ANNA),
        ("Participant_1234567_assignsubmission_file_/03.ipynb", None),
    ],
)
def test_a_path_tells_whose_work_it_is(path, whose):
    fits = Matcher(CLASS).fits(origin(path.split("/")[0]))
    assert (fits[0] if len(fits) == 1 else None) == whose


def bytes_of(files, method=zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return held.getvalue()


def test_what_is_unpacked_of_a_hand_in_is_bounded_and_nothing_of_another(tmp_path, monkeypatch):
    for name, size in {"LARGEST_BYTES": 2**20, "MOST_BYTES": 10 * 2**20, "MOST_FILES": 200}.items():
        assert getattr(bounds, name) > size
        monkeypatch.setattr(bounds, name, size)
    zeros = bytes(2**20 - 1)
    bomb = bytes_of({f"{number}.ipynb": zeros for number in range(30)})
    many = bytes_of(dict.fromkeys(map(str, range(205)), b""))
    hand_in = {"mal/a.zip": bytes_of({"b.zip": bomb, "c.zip": bomb}), "many/a.zip": many}
    hand_in |= {"zoe/big.ipynb": bytes(2**20 + 1), "zoe/z.ipynb": b"{}"}
    hand_in |= {f"mal/{number}.bin": zeros for number in range(20)}
    (tmp_path / "class.zip").write_bytes(bytes_of(hand_in))
    read: Counter[str] = Counter()
    told: Counter[tuple[str, str]] = Counter()
    for file in handed_in(tmp_path / "class.zip"):
        read[file.top] += len(file.content)
        told[file.top, file.trouble] += 1
    assert 0 < read["mal"] <= 10 * 2**20
    assert told["mal", "more than 10 MiB in one hand-in"] > 20
    assert told["mal", ""] < 40
    assert told["many", "more than 200 files in one hand-in"] == 1
    assert told["zoe", "larger than 1 MiB"] == 1
    assert read["zoe"] == 2


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_damaged_entry_costs_itself_alone(method, tmp_path):
    noise = random.Random(1).randbytes(2000)
    held = bytearray(bytes_of({f"{name}/a.ipynb": noise for name in "abc"}, method))
    held[300] ^= 0xFF
    (tmp_path / "class.zip").write_bytes(held)
    found = {file.top: file for file in handed_in(tmp_path / "class.zip")}
    assert "cannot be read: " in found["a"].trouble
    assert [found[name].content for name in "bc"] == [noise, noise]
    assert not any(found[name].trouble for name in "bc")


def tops(place, owned=lambda top: False) -> set[str]:
    return {file.top for file in handed_in(place, owned)}


def test_a_folder_around_all_is_passed_over_unless_it_is_somebodys(tmp_path):
    files = {"all/Anna_1/a.ipynb": b"", "all/Bob_2/a.ipynb": b""}
    (tmp_path / "class.zip").write_bytes(bytes_of(files))
    assert tops(tmp_path / "class.zip") == {"Anna_1", "Bob_2"}
    assert tops(tmp_path) == {"Anna_1", "Bob_2"}  # a folder with the platform's zip in it
    (tmp_path / "class.zip").write_bytes(bytes_of({"Mal Lory_1/Jane Doe/a.ipynb": b""}))
    assert tops(tmp_path / "class.zip", lambda top: top == "Mal Lory_1") == {"Mal Lory_1"}
    matcher = Matcher(CLASS)
    assert matcher.is_somebodys("Mal Lory_1_assignsubmission_file_")
    assert matcher.is_somebodys("Jane Doe")
    assert not matcher.is_somebodys("submissions")


CLAIMS = [  # files; which is graded as Ada's, who is s1; words in her row's error
    (["s1.ipynb", "s1 zz.ipynb"], "s1.ipynb", ""),
    (["s1 zz.ipynb", "s1.ipynb"], "s1.ipynb", ""),
    (
        ["s1 yy.ipynb", "s1 zz.ipynb"],
        "",
        "2 hand-ins claim to be from s1: see the foot of the table",
    ),
    (["s1/a.ipynb", "s1/b.ipynb"], "s1/b.ipynb", ""),
]
READS = """
import json, pathlib, sys
from assignments.archive import Archive
from assignments.grade import works
from tunables.views.classroom import Student

archive, students = Archive("any", {}, [], []), [Student("s1", "Ada"), Student("s2", "Bob")]
for place in sys.argv[1:]:
    found = works(archive, pathlib.Path(place), students)
    print(json.dumps([(one.student.id, one.path, one.error, one.unknown) for one in found]))
"""


def test_a_file_that_claims_to_be_anothers_takes_no_mark_away(tmp_path):
    for number, (paths, *_) in enumerate(CLAIMS):
        for path in paths:
            (tmp_path / str(number) / path).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / str(number) / path).write_text(
                '{"cells": [{"cell_type": "code", "source": "x = 1"}]}'
            )
    command = [PYTHON, "-c", READS, *sorted(tmp_path.iterdir())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for line, (paths, graded, words) in zip(done.stdout.splitlines(), CLAIMS, strict=True):
        first, second, *foot = json.loads(line)
        assert first == ["s1", graded, words, bool(words)]
        assert second == ["s2", "", "nothing handed in", False]
        taken = [path for path in paths if path.split("/")[0] == graded.split("/")[0]]
        assert {path for _, path, *_ in foot} == set(paths) - set(taken)


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


def test_a_number_that_python_cannot_write_is_no_end_of_the_looking():
    digits = "F" * 5000
    own, copy = f"def f(n):\n    return 0x{digits}", f"def f(m):\n    return 0x{digits}  # mine"
    assert shape([own])
    assert shape([own]) == shape([copy])
    assert shape([own]) != shape([own.replace("F)", "E)").replace("0xF", "0xE")])
