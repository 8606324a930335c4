"""The matrix of engines, from which the page of promises is built.

python -m benchmarks.engines [PYTHON ...]    writes benchmarks/engines.json; some minutes

PYTHON: other Pythons, such as python3.12; each gets an environment of its own. The built book,
Chromium, Firefox and WebKitGTK must be installed. If an engine is missing, the command fails and
writes nothing.
"""

import json
import sys
import tempfile
from pathlib import Path

from benchmarks.engines.matrix import row
from benchmarks.engines.pythons import ask, environment_of
from benchmarks.engines.questions import write_questions
from benchmarks.engines.replies import digest
from benchmarks.engines.web import WEB, prepare, reply
from benchmarks.machine import machine

FILE = Path(__file__).parents[1] / "engines.json"


def ask_all(folder: Path, pythons: list[str]) -> list[dict]:
    """Return the replies of all engines, this Python first."""
    found = [ask(folder)]
    found += [ask(folder, environment_of(python)) for python in pythons]
    found.append(ask(folder, compiled=False))
    return found + [reply(name, folder) for name in WEB]


def main(pythons: list[str]) -> None:
    """Ask all, print where they differ and write it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_questions(folder)
        prepare(folder)
        replies = ask_all(folder, pythons)
    first = replies[0]
    pages = next(each["pages"] for each in replies if "pages" in each)
    rows = [row(first, pages, each) for each in replies]
    print(*rows, sep="\n")
    digests = {
        "closed_forms": {case: digest(rows) for case, rows in first["closed_forms"].items()},
        "runs": first["runs"],
    }
    written = json.dumps({"machine": machine(), "digests": digests, "engines": rows}, indent=1)
    FILE.write_text(written + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
