"""Makes and tests the book with the newest versions allowed, and says what broke.

    python -m upkeep.newest [FOLDER]

clones the last commit into FOLDER, a new one if not given, and asks there for what
requirements*.txt and package.json name, each at its version or above: npm's packages within their
major, Python's without a limit but those of newer.AT_MOST. What needs a browser, a database or a
quiet machine is left out.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from upkeep.locks import ROOT
from upkeep.newer import newest_npm, newest_python, run

LEFT_OUT = ["assignments", "browser", "jupyter", "kernels", "labs", "measure"]
ABOUT_OUR_PINS = ["upkeep", "test_wheel.py"]
SHOWN_LINES = 25


def steps(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield each step and whether it went well; print the end of what a failed one said."""
    tests = ("-m", "pytest", "-n", "2", "-m", "not long and not slow")
    left_out = tuple(f"--ignore=tests/{path}" for path in LEFT_OUT + ABOUT_OUR_PINS)
    todo = {
        "the book is made": ("make", "book"),
        "lint": ("make", "lint"),
        "tests of the pages' scripts": ("make", "front"),
        "tests": (".venv/bin/python", *tests, *left_out),
    }
    for name, command in todo.items():
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
    print(f"In {folder}, of Python's packages:", flush=True)
    newest_python(folder)
    print("of npm's:", flush=True)
    newest_npm(folder)
    failed = 0
    for name, well in steps(folder):
        print(f"{'well' if well else 'FAILED'}: {name}", flush=True)
        failed += not well
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
