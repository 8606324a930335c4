"""What a notebook can reach and take, and what is left when it or the grader ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from assignments.sandbox import Ended, Sandbox, walls
from assignments.walls import FOLDER_BYTES, PROCESSES
from tests.assignments.submissions import ROOT

LINUX = sys.platform == "linux"
needs_walls = pytest.mark.skipif(
    not LINUX or walls()[0] < 2, reason="this machine makes no namespaces for its users"
)


MEMORY = 300 * 2**20  # less than there is for a notebook: it is quicker filled


def run_cell(source: str):
    """Return what a notebook's cell leaves in `found`."""
    with Sandbox(5, 30, memory_bytes=MEMORY) as sandbox:
        sandbox.ask({"cell": source})
        return sandbox.ask({"name": "found"})["value"]


SEES = """
import ctypes, glob, os, socket, subprocess
libc = ctypes.CDLL(None, use_errno=True)

def refused(call, *given):
    return os.strerror(ctypes.get_errno()) if getattr(libc, call)(*given) else "done"

def connected(path):
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        return True
    except OSError:
        return False

def written(path):
    try:
        open(path, "a").close()
        return True
    except OSError:
        return False

found = {
    "umount": refused("umount", b"/proc"),
    "mount": refused("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "unshare": refused("unshare", 0x10000000 | 0x20000),
    "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()),
    "settings": os.path.exists("/proc/sys"),
    "socket": connected(SOCKET),
    "there": [path for path in THERE if os.path.exists(path)],
    "written": [path for path in ("/usr/x", "/etc/ld.so.cache", PREFIX + "/x") if written(path)],
    "interfaces": [name for _, name in socket.if_nameindex()],
    "own": written("a.txt") and os.getcwd() == os.environ["HOME"],
}
found = list(found.items())
"""


@needs_walls
def test_a_notebook_sees_no_process_no_socket_and_no_file_of_the_machine(tmp_path):
    place = str(tmp_path / "agent")
    there = [str(ROOT / "README.md"), str(tmp_path), "/run", "/var", "/proc/1/root/run", "/sys"]
    before = f"SOCKET, THERE, PREFIX = {place!r}, {there!r}, {sys.base_prefix!r}\n"
    with socket.socket(socket.AF_UNIX) as agent:
        agent.bind(place)
        agent.listen()
        seen = dict(run_cell(before + SEES))
    assert seen == {
        "umount": "Operation not permitted",
        "mount": "Operation not permitted",
        "unshare": "No space left on device",  # what Linux says where no more is allowed
        "processes": [1, 2],
        "settings": False,
        "socket": False,
        "there": [],
        "written": [],
        "interfaces": ["lo"],
        "own": True,
    }


CROWD = """
import glob, os, time

def running():
    states = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            states.append(open(path).read().rpartition(")")[2].split()[0])
        except OSError:
            pass
    return sum(state != "Z" for state in states)

for number in range({processes}):
    if not os.fork():
        held = b"x" * {each}
        time.sleep(30)
        os._exit(0)
end = time.monotonic() + {wait_s}
while time.monotonic() < end:
    found = running() - 2
    if found <= {least}:
        break
    time.sleep(0.05)
"""


def left_of(processes, each, least, wait_s=10):
    """Return how many processes are left of those that a notebook starts, each with its memory."""
    return run_cell(CROWD.format(processes=processes, each=each, least=least, wait_s=wait_s))


@needs_walls
def test_memory_is_bounded_for_all_of_its_processes_together():
    assert left_of(6, MEMORY // 5, least=0) == 0
    assert left_of(4, MEMORY // 8, least=0, wait_s=1) == 4


@needs_walls
def test_processes_are_bounded():
    assert left_of(PROCESSES + 20, 1, least=PROCESSES // 2) <= PROCESSES // 2
    assert left_of(PROCESSES // 2, 1, least=0, wait_s=1) == PROCESSES // 2


@needs_walls
def test_what_multiplies_without_end_is_ended_and_said():
    with Sandbox(5, 30) as sandbox, pytest.raises(Ended, match="started too many processes"):
        sandbox.ask({"cell": "import os\nwhile True: os.fork()"})


@needs_walls
def test_files_are_bounded_together():
    source = """
import glob, os
for number in range(12):
    try:
        with open(f"{number}", "wb") as file:
            file.write(bytes(40 * 2**20))
    except OSError:
        pass
found = sum(os.path.getsize(path) for path in glob.glob("*"))
"""
    assert 0 < run_cell(source) <= FOLDER_BYTES


HOLDS_ON = """
import os, signal, subprocess, time
subprocess.Popen(["sleep", "{mark}"], start_new_session=True)
for number in range(1, 32):
    if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)
open("held.txt", "w").close()
{then}
"""


def running(mark: str) -> list[str]:
    """Return the processes of this machine whose command line has a word."""
    named = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes().split(b"\0"):
                named.append(path.parent.name)
        except OSError:
            continue
    return named


def comes_true(condition, seconds=10.0) -> bool:
    """Whether a condition comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


LEVELS = [0, pytest.param(2, marks=needs_walls)]


@contextmanager
def grading(level, mark, place, then="time.sleep(600)"):
    """Run a process that has a notebook run; the notebook has started a child when it is there."""
    cell = HOLDS_ON.format(mark=mark, then=then)
    program = (
        "from assignments.sandbox import Sandbox\n"
        f"with Sandbox(60, 60, {level}) as sandbox:\n"
        f"    sandbox.ask({{'cell': {cell!r}}})\n"
    )
    environment = {**os.environ, "TMPDIR": str(place)}
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, start_new_session=True
    )
    try:
        assert comes_true(lambda: running(mark), 30)
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.skipif(not LINUX, reason="other systems do not say who is whose child")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left_when_the_grader_is_ended(level, how, tmp_path):
    mark = f"600.{os.getpid()}{level}{int(how)}"
    with grading(level, mark, tmp_path) as grader:
        os.kill(grader.pid, how)
        grader.wait(10)
        assert comes_true(lambda: not running(mark) and not list(tmp_path.iterdir()))


@pytest.mark.skipif(not LINUX, reason="other systems do not say who is whose child")
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_left_when_a_notebook_is_done(level, tmp_path):
    mark = f"601.{os.getpid()}{level}"
    with grading(level, mark, tmp_path, "time.sleep(1)") as grader:
        assert grader.wait(30) == 0
        assert not running(mark)
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("level", LEVELS)
def test_a_notebook_that_takes_the_pipes_away_is_ended_in_time(level):
    source = """
import os, time
for number in range(3, 20):
    try:
        os.close(number)
    except OSError:
        pass
if not os.fork():
    os.setsid()
    time.sleep(600)
time.sleep(600)
"""
    begun = time.monotonic()
    with Sandbox(60, 60, level) as sandbox, pytest.raises(Ended):
        sandbox.ask({"cell": source})
    assert time.monotonic() - begun < 30  # of 60: it does not wait for what cannot come


def test_answers_are_read_with_bounds():
    source = """
import os
def deep():
    held = []
    for _ in range(200):
        held = [held]
    return held
def many(count):
    return [1.0] * count
def odd():
    class Odd(Exception):
        def __str__(self):
            raise ValueError
    raise Odd
"""
    forges = """
for number in range(3, 20):
    try:
        os.write(number, b"[" * 200_000 + b"\\n")
    except OSError:
        pass
"""
    with Sandbox(5, 30) as sandbox:
        sandbox.ask({"cell": source})
        assert "value" in sandbox.ask({"call": "deep", "arguments": []})
        too_long = sandbox.ask({"call": "many", "arguments": [10**6]})
        assert too_long == {"error": "an answer of more than 1 MiB"}
        assert sandbox.ask({"call": "many", "arguments": [2]}) == {"value": [1.0, 1.0]}
        assert sandbox.ask({"call": "odd", "arguments": []}) == {"error": "Odd"}
        forged = sandbox.ask({"cell": forges})
        assert forged == {"error": "an answer that cannot be read"}


def test_the_first_line_says_what_this_machine_keeps_apart():
    level, apart = walls()
    assert level in (0, 1, 2)
    assert ("reach the network, other processes" in apart) == (level == 2)
    assert json.dumps(apart)
