"""A class in which some mean harm: nobody's row is lost, and nobody's mark is another's."""

import csv
import io
import json
import os
import signal
import subprocess
import time
import zipfile
from contextlib import contextmanager, suppress

import pytest

from tests.assignments.submissions import BUILT, CHAPTERS, PYTHON, ROOT, solve
from tests.assignments.test_grading import run_grader

pytestmark = pytest.mark.timeout(300)

CHAPTER = CHAPTERS[0]
FULL, NONE, UNKNOWN = "13", "0", ""
GOOD = json.dumps(solve(CHAPTER, {})).encode()


def with_cell(source) -> bytes:
    """Return the solution with a cell before all others."""
    made = solve(CHAPTER, {})
    cell = {"cell_type": "code", "id": "odd", "metadata": {}, "outputs": [], "source": source}
    made["cells"].insert(0, cell)
    return json.dumps(made).encode()


def notebook_named(assignment) -> bytes:
    made = solve(CHAPTER, {})
    made["metadata"]["otter"]["assignment_name"] = assignment
    return json.dumps(made).encode()


def make_zip(files: dict[str, bytes], method=zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return held.getvalue()


FORGES = """
import os
for number in range(3, 20):
    try:
        os.write(number, b"[" * 200_000 + b"\\n")
    except OSError:
        pass
"""
ZEROS = make_zip({f"{number}.ipynb": bytes(19 * 2**20) for number in range(12)})
# Student: what is handed in, as which file, the total, words in the row's error.
HANDED_IN = {
    "Hex Digits": (with_cell("def f(): return 0x" + "F" * 5000), "a.ipynb", FULL, ""),
    "Deep Answer": (with_cell(FORGES), "a.ipynb", None, ""),
    "Zip Bomb": (
        make_zip({f"{n}.zip": ZEROS for n in range(3)} | {"x.bin": bytes(10**6)}),
        "a.zip",
        UNKNOWN,
        "more than 200 MiB in one hand-in",
    ),
    "Deep Source": (with_cell("x = " + "-" * 50_000 + "1"), "a.ipynb", FULL, ""),
    "Deep Json": (b"[" * 10**6, "a.ipynb", UNKNOWN, "not a notebook"),
    "Wide Json": (b"[" + b"[]," * 5 * 10**6 + b"[]]", "a.ipynb", UNKNOWN, "not a notebook"),
    "Much Code": (with_cell("#" * 2 * 2**20), "a.ipynb", UNKNOWN, "characters of code"),
    "Half Letter": (
        notebook_named("\ud800" * 10**5),
        "a.ipynb",
        UNKNOWN,
        "this is the notebook of",
    ),
    "Steers Terminals": (GOOD, "\x1b[2J\u202e;=HYPERLINK(1).ipynb", FULL, ""),
    "Honest One": (GOOD, "a.ipynb", FULL, ""),
    "Lzma Zip": (make_zip({"a.ipynb": GOOD}, zipfile.ZIP_LZMA), "a.zip", FULL, ""),
    "Names Honest": (b"{}", "Honest One/Honest One s9.ipynb", UNKNOWN, "not a notebook"),
    "Zips Honest": (make_zip({"Honest One/s9.ipynb": b"{}"}), "s9.zip", UNKNOWN, "not a notebook"),
    "Two Alike": (GOOD, "a.ipynb", UNKNOWN, "same name as s14: see the foot of the table"),
    "Alike Two": (None, "", UNKNOWN, "same name as s13: see the foot of the table"),
    "Damaged Bytes": (GOOD, "a.ipynb", UNKNOWN, "Bad CRC-32"),
    "Damaged Lzma": (GOOD, "b.ipynb", UNKNOWN, "cannot be read"),
    "Cut Off": (GOOD[:-100], "a.ipynb", UNKNOWN, "not a notebook, or cut off"),
    "Zero Bytes": (b"", "a.ipynb", UNKNOWN, "not a notebook, or cut off"),
    "Only A Report": (b"%PDF-1.7", "report.pdf", NONE, "not a notebook"),
    "Last One": (GOOD, "a.ipynb", FULL, ""),
}


def download(path):
    """Write the class as Moodle gives it, two files of it damaged on the way."""
    with zipfile.ZipFile(path, "w") as made:
        for number, (name, (content, file, *_)) in enumerate(HANDED_IN.items(), 1234567):
            if content is not None:
                method = zipfile.ZIP_LZMA if name == "Damaged Lzma" else zipfile.ZIP_STORED
                place = f"{name}_{number}_assignsubmission_file_/{file}"
                made.writestr(place, content, method)
        places = {entry.filename.split("_")[0]: entry.header_offset for entry in made.infolist()}
    held = bytearray(path.read_bytes())
    for name in ("Damaged Bytes", "Damaged Lzma"):
        held[places[name] + 200] ^= 0xFF
    path.write_bytes(held)


def test_no_hand_in_costs_another_its_row_or_its_mark(tmp_path):
    download(tmp_path / "class.zip")
    roster = "".join(f"s{number},{name}\n" for number, name in enumerate(HANDED_IN))
    (tmp_path / "class.csv").write_text(f"id,name\n{roster}", encoding="utf-8")
    rows = run_grader(CHAPTER, tmp_path / "class.zip", "--roster", tmp_path / "class.csv", key="id")
    for number, (name, (_, _, total, words)) in enumerate(HANDED_IN.items()):
        row = rows[f"s{number}"]
        assert row["name"] == name
        assert total in (None, row["total"]), row
        assert words in row["error"], row
        assert all(len(cell) < 1100 for cell in row.values())
    assert rows["s8"]["file"].endswith("\\x1b[2J\\u202e;'=HYPERLINK(1).ipynb")
    assert {row["total"] for row in rows.values()} == {FULL, NONE, UNKNOWN}
    foot = [row for row in rows.values() if not row["name"]]
    assert next(row["look_at"] for row in foot).startswith("student unclear: perhaps s13, s14")


def hand_out(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def test_links_pipes_and_odd_names_in_a_folder_cost_nobody_a_row(tmp_path):
    folder, outside = tmp_path / "in", tmp_path / "solutions.ipynb"
    outside.write_bytes(GOOD)
    hand_out(folder, {"s1/a.ipynb": GOOD, "s5/x.txt": b"", "s6/x.txt": b""})
    for name in ("s2", "s3", "s4"):
        (folder / name).mkdir()
    (folder / "s2" / "a.ipynb").symlink_to(outside)
    (folder / "s3" / "a.ipynb").symlink_to("../../solutions.ipynb")
    os.mkfifo(folder / "s4" / "a.ipynb")
    (folder / "s5" / "deep").symlink_to(tmp_path)
    with open(os.fsencode(folder / "s6") + b"/L\xf6sung.ipynb", "wb") as file:
        file.write(GOOD)
    (tmp_path / "class.csv").write_text("id,name\n" + "".join(f"s{n},\n" for n in range(1, 7)))
    rows = run_grader(CHAPTER, folder, "--roster", tmp_path / "class.csv", key="id")
    assert [rows[f"s{n}"]["total"] for n in range(1, 7)] == [FULL, *[UNKNOWN] * 4, FULL]
    assert [rows[f"s{n}"]["error"] for n in range(2, 6)] == [
        "a link, which is not followed",
        "a link, which is not followed",
        "not a regular file",
        "a link, which is not followed",
    ]
    assert rows["s6"]["file"] == "s6/L\\xf6sung.ipynb"
    assert "not graded" not in rows["s5"]["look_at"]


@contextmanager
def start_grader(*options, place="none", **started):
    """Start the grader in a session of its own, which ends with the block."""
    archive = BUILT / CHAPTER / "autograder" / f"{CHAPTER}.zip"
    given = [PYTHON, "-m", "assignments.grade", archive, place, *options]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8-sig"}
    with subprocess.Popen(
        given, cwd=ROOT, env=clean, start_new_session=True, **{**pipes, **started}
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


REFUSED = {
    "--workers=0": "workers = 0: must be a whole number at least 1 and at most 256",
    "--workers=-1": "workers = '-1': must be a whole number at least 1 and at most 256",
    "--cpu_s=99999999999999999999": "must be a whole number at least 1 and at most 3600",
    "--cpu_s=-5": "cpu_s = '-5': must be",
    "--timeout_s=inf": "timeout_s = inf: must be a finite number at least 1 and at most 86400",
    "--timeout_s=nan": "timeout_s = nan: must be",
    "--timeout_s=soon": "timeout_s = 'soon': must be",
}
ASKS = """
import sys
from assignments.grade import main
for option in sys.argv[1:]:
    sys.argv[1:] = ["none.zip", "none", option]
    print(main())
"""


def test_an_option_that_would_grade_nobody_rightly_is_refused():
    command = [str(PYTHON), "-c", ASKS, *REFUSED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "2\n" * len(REFUSED)
    for line, words in zip(done.stderr.splitlines(), REFUSED.values(), strict=True):
        assert line.startswith("grade: ")
        assert words in line


def test_an_interrupted_grader_ends_at_once_and_says_so(tmp_path):
    endless = solve(CHAPTER, {"think_time_s": "import time\ntime.sleep(1e6)"})
    (tmp_path / "endless.ipynb").write_text(json.dumps(endless), encoding="utf-8")
    with start_grader(place=tmp_path) as process:
        assert process.stdout.readline().startswith("file,")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, said = process.communicate(timeout=60)
        assert time.monotonic() - begun < 5
    assert process.returncode == 130
    assert said.endswith("grade: interrupted; the rows above are complete\n")
    assert "Traceback" not in said


def test_a_full_disk_is_one_sentence(tmp_path):
    (tmp_path / "a.ipynb").write_bytes(b"{}")
    with open("/dev/full", "w") as full, start_grader(place=tmp_path, stdout=full) as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.endswith("grade: the table could not be written: No space left on device\n")
    assert "Traceback" not in said


def test_a_zip_that_cannot_be_read_at_all_is_no_class_without_hand_ins(tmp_path):
    whole = make_zip({"s1/a.ipynb": GOOD})
    (tmp_path / "class.zip").write_bytes(whole[:40] + b"\0" * 400 + whole[-22:])
    with start_grader(place=tmp_path / "class.zip") as process:
        out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert "a zip that cannot be read" in said


def test_a_call_that_ends_the_process_costs_the_question_alone(tmp_path):
    body = "def think_time_s(customers, throughput, response_time_s):\n"
    body += "    import os, signal\n    os.kill(os.getppid(), signal.SIGKILL)\n"
    ends = json.dumps(solve(CHAPTER, {"think_time_s": body})).encode()
    (tmp_path / "ends.ipynb").write_bytes(ends)
    row = run_grader(CHAPTER, tmp_path)["ends"]
    assert float(row["total"]) == float(row["possible"]) - 2


def test_the_table_is_one_that_a_program_reads(tmp_path):
    (tmp_path / 'a";=1+1.ipynb').write_bytes(b"{}")
    with start_grader(place=tmp_path) as process:
        out, _ = process.communicate(timeout=60)
    [row] = csv.DictReader(io.StringIO(out))
    assert row["file"] == "a\";'=1+1.ipynb"
