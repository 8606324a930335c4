"""Each test has a time limit, and what it started ends with it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.interrupted import processes_that_name, public_folder

ROOT = Path(__file__).parents[1]
HANGS = """
import pytest
from pathlib import Path
from tests.lab.interrupted import start_program

@pytest.mark.timeout(3)
def test_that_hangs():
    child = "import subprocess; subprocess.run(['sh', '-c', 'sleep 600; exit', '{folder}'])"
    with start_program(child, Path("{folder}")) as process:
        process.stdout.read()

def test_after_it():
    pass
"""


def run(folder, text, *options):
    (folder / "test_made.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", folder]
    return subprocess.run(
        [*command, "-p", "tests.conftest", *options, folder / "test_made.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_a_test_that_hangs_fails_and_its_processes_end_with_it():
    with public_folder() as folder:
        done = run(folder, HANGS.replace("{folder}", str(folder)))
        assert "Failed: Timeout (>3.0s)" in done.stdout
        assert "1 failed, 1 passed" in done.stdout
        assert processes_that_name(folder) == []


@pytest.mark.long
def test_tests_without_a_limit_are_refused_by_their_names(tmp_path):
    limits = {"none": "None", "zero": "0", "named": "timeout=0", "long": "901"}
    made = [
        f"@pytest.mark.timeout({limit})\ndef test_{name}(): pass\n"
        for name, limit in limits.items()
    ]
    done = run(tmp_path, "import pytest\n" + "\n".join(made))
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    (told,) = [line for line in done.stderr.splitlines() if "at most 900 s: " in line]
    assert all(f"test_made.py::test_{name}" in told for name in limits)


SAMPLED = """
import pytest

@pytest.mark.sampled
@pytest.mark.parametrize("n", range(5))
def test_of_many(n):
    print("asked", n)

def test_alone():
    pass
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("picked", "asked", "ended"),
    [("not long", "04", "3 passed, 3 d"), ("long", "123", "3 passed")],
)
def test_of_what_is_sampled_the_first_and_the_last_are_asked_and_later_the_others(
    tmp_path, picked, asked, ended
):
    done = run(tmp_path, SAMPLED, "-m", picked, "-s")
    assert "".join(re.findall(r"asked (\d)", done.stdout)) == asked
    assert ended in done.stdout


def test_who_leaves_a_process_running_beside_a_test_ends_its_whole_session():
    """subprocess.run() kills its process when the limit strikes; a bare Popen does not."""
    word = "Popen" + "("
    texts = [path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/*.py")]
    users = [text for text in texts if word in text]
    assert users
    for text in users:
        assert text.count(word) == text.count("start_new_session=True")
        assert "os.killpg(process.pid, signal.SIGKILL)" in text
