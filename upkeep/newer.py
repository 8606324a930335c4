"""Installs the newest versions allowed in a clone of the project, and tells which they are."""

import json
import os
import subprocess
import sys
from pathlib import Path

from upkeep.locks import CONSTRAINTS, direct, entries

AT_MOST = {"jupyter-book": "<2"}  # which is another program: `make sphinx` is the way on
NAMES = [f"requirements{suffix}.txt" for suffix in ("", "-lab", "-sweep", "-dev")]


def loosened(asked: str) -> str:
    """Return requirements that allow newer versions.

    >>> loosened("numpy==2.4.6\\njupyter-book==1.0.4.post1")
    'numpy>=2.4.6\\njupyter-book>=1.0.4.post1,<2'
    """
    names = (line.split("==") for line in asked.splitlines())
    bounds = ((name, version, AT_MOST.get(name)) for name, version in names)
    return "\n".join(f"{n}>={v}" + (f",{most}" if most else "") for n, v, most in bounds)


def pins(text: str) -> dict[str, str]:
    """Return the version of each package, of a list of pins."""
    return dict(first.split(" ;")[0].split("==") for first in entries(text))


def run(folder: Path, *command: str) -> str:
    """Run a command there; return what it printed, or raise CalledProcessError."""
    path = f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout


def newest_python(folder: Path) -> None:
    """Install the newest versions, where make looks for the pinned ones; print what changed."""
    (folder / ".newest.in").write_text(loosened(direct(folder / name for name in NAMES)))
    run(folder, sys.executable, "-m", "venv", ".venv")

    def uv(verb: str, *arguments: str) -> None:
        python = ("--quiet", "--python", ".venv/bin/python")
        run(folder, sys.executable, "-m", "uv", "pip", verb, *python, *arguments)

    uv("compile", ".newest.in", "--output-file", ".newest.txt")
    uv("install", "-r", ".newest.txt")
    uv("install", "--no-deps", "--no-build-isolation", "-e", ".")
    for name in (".book", ".dev"):
        (folder / ".venv" / name).touch()
    show(pins(CONSTRAINTS.read_text()), pins((folder / ".newest.txt").read_text()))


def newest_npm(folder: Path) -> None:
    """The same for npm's packages."""
    asked, lock = folder / "package.json", folder / "package-lock.json"
    about = json.loads(asked.read_text())
    for kind in ("dependencies", "devDependencies"):
        about[kind] = {name: f"^{version}" for name, version in about[kind].items()}
    asked.write_text(json.dumps(about))
    before = versions(lock)
    lock.unlink()
    run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund")
    (folder / "node_modules" / ".ready").touch()
    show(before, versions(lock))


def versions(lock: Path) -> dict[str, str]:
    """Return the version of each package of npm's lock."""
    packages = json.loads(lock.read_text())["packages"]
    return {
        path.removeprefix("node_modules/"): about.get("version", "")
        for path, about in packages.items()
    }


def show(before: dict[str, str], after: dict[str, str]) -> None:
    """Print which versions changed."""
    for name in sorted(after):
        if after[name] != before.get(name):
            print(f"  {name} {before.get(name, '(new)')} -> {after[name]}", flush=True)
