"""Ctrl-C in a command ends it with one sentence, and an exception only what has to tidy up."""

import subprocess
import sys

import pytest

from tests.chapters.notebooks import ROOT

SWEEP = ["tunables", "sweep", "lease", "--grid", "retries=0:1", "--workers", "1", "--out"]
# Presses Ctrl-C as a module is about to be imported. Whoever starts the tests in the background
# has them, and all that they start, ignore it.
WHILE_IMPORTING = """
import os, runpy, signal, sys

class Interrupting:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
module = sys.argv[1]
sys.meta_path.insert(0, Interrupting)
del sys.argv[:2]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
WHILE_WRITING = """
import os, signal, sys
from tunables import terminal
from tunables.interrupts import end_on_interrupt

signal.signal(signal.SIGINT, signal.default_int_handler)
end_on_interrupt()
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGINT)
try:
    terminal.write_file(sys.argv[1], "new")
except KeyboardInterrupt:
    print("raised")
os.kill(os.getpid(), signal.SIGINT)
print("never")
"""
IGNORED = """
import os, signal
from tunables.interrupts import end_on_interrupt, interrupts_raised

signal.signal(signal.SIGINT, signal.SIG_IGN)
end_on_interrupt()
with interrupts_raised():
    os.kill(os.getpid(), signal.SIGINT)
print("done")
"""


def run(script, *words):
    """Return the exit status of a script, and what it wrote."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    # numpy's compiled part imports datetime and hides why that failed; numba's imports are many;
    # distributed and pyarrow are asked for, and may be missing.
    ["tunables.cli", "datetime", "numba", "distributed", "pyarrow"],
)
def test_ctrl_c_while_a_module_is_imported_ends_a_command_with_one_sentence(module, tmp_path):
    ended = run(WHILE_IMPORTING, module, *SWEEP, str(tmp_path / "swept"))
    assert ended == (130, "", "\ntunables: stopped\n")


def test_ctrl_c_while_a_file_is_written_leaves_the_old_one_and_nothing_else(tmp_path):
    old = tmp_path / "answers.txt"
    old.write_text("old")
    assert run(WHILE_WRITING, str(old)) == (130, "raised\n", "\ntunables: stopped\n")
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_ctrl_c_stays_ignored_where_it_was():
    assert run(IGNORED) == (0, "done\n", "")
