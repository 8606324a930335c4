"""Builds and tests the book with the newest versions allowed, and says what breaks.

    python -m upkeep.newest [FOLDER]

clones the last commit into FOLDER, a new one if none is given, and installs there what
requirements*.txt and package.json name, each at its version or above: npm's packages within their
major, Python's without a limit but those of AT_MOST. Tests that need a browser, a database or a
quiet machine are left out.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from upkeep.locks import ROOT, direct

AT_MOST = {"jupyter-book": "<2"}  # which is another program: `make sphinx` is the way on
NAMES = [f"requirements{suffix}.txt" for suffix in ("", "-lab", "-sweep", "-dev")]
LEFT_OUT = ["assignments", "browser", "jupyter", "kernels", "labs", "lab"]
ABOUT_OUR_PINS = ["upkeep", "test_wheel.py"]
SHOWN_LINES = 25


def loosen(requirements: str) -> str:
    """Return requirements that allow newer versions.

    >>> loosen("numpy==2.4.6\\njupyter-book==1.0.4.post1")
    'numpy>=2.4.6\\njupyter-book>=1.0.4.post1,<2'
    """
    lines = (line.replace("==", ">=") for line in requirements.splitlines())
    bounds = {line: AT_MOST.get(line.split(">=")[0]) for line in lines}
    return "\n".join(f"{line},{most}" if most else line for line, most in bounds.items())


def run(folder: Path, *command: str) -> str:
    """Run a command there; return what it printed, or raise CalledProcessError."""
    path = f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONPATH": str(folder)},
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout


def install_python(folder: Path) -> None:
    """Install the pinned versions where make looks for them, then the newest; print the changes."""
    uv, python = (sys.executable, "-m", "uv", "pip"), ("--python", ".venv/bin/python")
    (folder / ".newest.in").write_text(loosen(direct(folder / name for name in NAMES)))
    run(folder, sys.executable, "-m", "venv", ".venv")
    run(folder, *uv, "install", *python, "-r", "locks/requirements-dev.txt")
    changes = run(folder, *uv, "install", *python, "--upgrade", "-r", ".newest.in")
    print("\n".join(re.findall(r"(?m)^ [-+] .*$", changes)), flush=True)
    run(folder, *uv, "install", *python, "--no-deps", "--no-build-isolation", "-e", ".")
    for name in (".book", ".dev"):
        (folder / ".venv" / name).touch()


def install_npm(folder: Path) -> None:
    """Install the newest of npm's packages within their major; print what changes."""
    wanted, lock = folder / "package.json", folder / "package-lock.json"
    about = json.loads(wanted.read_text())
    for kind in ("dependencies", "devDependencies"):
        about[kind] = {name: f"^{version}" for name, version in about[kind].items()}
    wanted.write_text(json.dumps(about))
    before = lock.read_text()
    lock.unlink()
    run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund")
    (folder / "node_modules" / ".ready").touch()
    print_changes(before, lock.read_text())


def print_changes(before: str, after: str) -> None:
    """Print which packages have another version in the second of two locks of npm's."""
    old, new = (json.loads(text)["packages"] for text in (before, after))
    for path in sorted(new):
        version, was = (lock.get(path, {}).get("version", "(new)") for lock in (new, old))
        if version != was:
            print(f"  {path.removeprefix('node_modules/')} {was} -> {version}", flush=True)


def steps(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield each step and whether it succeeds; print the end of what a failed one says."""
    tests = ("-m", "pytest", "-n", "2", "-m", "not long and not slow")
    left_out = tuple(f"--ignore=tests/{path}" for path in LEFT_OUT + ABOUT_OUR_PINS)
    commands = {
        "the book": ("make", "book"),
        "lint": ("make", "lint"),
        "tests of the pages' scripts": ("make", "front"),
        "tests": (".venv/bin/python", *tests, *left_out),
    }
    for name, command in commands.items():
        print(f"{name} ...", flush=True)
        try:
            run(folder, *command)
            yield name, True
        except subprocess.CalledProcessError as error:
            print("\n".join(f"  {line}" for line in error.output.splitlines()[-SHOWN_LINES:]))
            yield name, False


def main() -> None:
    folder = Path(sys.argv[1] if sys.argv[1:] else tempfile.mkdtemp()).resolve()
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    print(f"Changed Python packages, in {folder}:", flush=True)
    install_python(folder)
    print("Changed npm packages:", flush=True)
    install_npm(folder)
    failed = 0
    for name, succeeded in steps(folder):
        print(f"{'passed' if succeeded else 'FAILED'}: {name}", flush=True)
        failed += not succeeded
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
