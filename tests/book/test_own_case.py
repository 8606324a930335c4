"""The walk-through of a case of your own: its commands, word for word, and what they print."""

import os
import re
import shutil
import signal
import subprocess

import pytest

from tests.tracked import ROOT, copy_of_tree

PAGE = ROOT / "book" / "teaching" / "own-case.md"
BLOCK = re.compile(r"^(`{3,})([^\n`]+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
INSTALLED = (".venv", "node_modules")
# What is installed again after a change of it, through the link: no copy is newer.
PINS = ("locks/*.txt", "package.json", "package-lock.json")
# Made by the book's build and not committed, each in half a minute: compiled kernels, and samples.
MADE = ("tunables/**/__pycache__/*.nb?", "labs/samples/own/*")
GIT = ["git", "-c", "user.name=reader", "-c", "user.email=reader@localhost"]


def commands():
    """Yield each command of the page, with what it says that it prints."""
    for _, kind, inside in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "console":
            yield from COMMAND.findall(inside)


@pytest.fixture
def tree(tmp_path):
    """Return a copy of the checkout, with what is installed and a commit to compare with."""
    tree = copy_of_tree(tmp_path / "tree")
    for made in (path for pattern in MADE for path in ROOT.glob(pattern)):
        goal = tree / made.relative_to(ROOT)
        goal.parent.mkdir(exist_ok=True)
        shutil.copy2(made, goal)
    for installed in INSTALLED:
        (tree / installed).symlink_to(ROOT / installed)
    for pins in (path for pattern in PINS for path in tree.glob(pattern)):
        os.utime(pins, (0, 0))
    subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
    (tree / ".git" / "info" / "exclude").write_text("\n".join(INSTALLED))
    subprocess.run(["git", "add", "--all"], cwd=tree, check=True)
    subprocess.run([*GIT, "commit", "--quiet", "--message", "as it was"], cwd=tree, check=True)
    return tree


def follow(tree, command):
    """Run a command of the page in the copy and return what it prints; end all that it started."""
    # A reader's shell is no worker of pytest-xdist.
    reader = {name: os.environ[name] for name in os.environ if not name.startswith("PYTEST_")}
    with subprocess.Popen(
        command,
        shell=True,
        cwd=tree,
        env=reader | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            printed, _ = process.communicate()
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, f"{command}\n{printed}"
    return printed


@pytest.mark.long
@pytest.mark.timeout(900)  # a minute of computing
def test_its_commands_make_a_chapter_and_change_no_file_that_was_there(tree):
    for command, text in commands():
        printed = follow(tree, command)
        assert not text or printed.rstrip() == text.rstrip(), command
    follow(tree, ".venv/bin/ruff check . && .venv/bin/ruff format --check .")
