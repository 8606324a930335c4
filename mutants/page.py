"""The page's scripts: Stryker's mutants, tried by the tests of `tests/front` that reach them.

Those of stages and charts are also tried by what these show, as `tests/chapters/test_pictures.py`
does.
Stryker's own runners know nothing of node's tests, or run all of them on each mutant.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from mutants.groups import KEPT, ROOT
from tests.chapters import curves, pictures
from tunables.page.chapters import with_facet

COPY = KEPT / "page"
COPIED = ("book", "tests/front", "tests/page", "package.json")
LATE_S = 60
SHOWN = ("book/_static/stage/", "book/_static/curve/")


class PageMutant(NamedTuple):
    """A place in a script and what stands there instead; `number` switches it on."""

    file: str
    line: int
    number: str
    old: str
    new: str

    def change(self) -> tuple[str, str]:
        """Return what goes and what comes, each in one line."""
        return " ".join(self.old.split()), " ".join(self.new.split())


def _copied() -> None:
    """Make a copy of what the tests read; the rest are links."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    for name in COPIED:
        goal, source = COPY / name, ROOT / name
        goal.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, goal)
    for name in ("tunables", "kernels", "chapters", "data", "node_modules", ".venv"):
        (COPY / name).symlink_to(ROOT / name)


class Page:
    """All mutants of the scripts, and how to try one."""

    def __init__(self) -> None:
        _copied()
        script = Path(__file__).parent / "stryker" / "instrument.js"
        told = json.loads(_node([str(script), str(ROOT), str(COPY)], seconds=600).stdout)
        self.tests: dict[str, list[str]] = told["tests"]
        self.mutants = [
            PageMutant(each["file"], each["line"], each["id"], each["was"], each["now"])
            for each in told["mutants"]
        ]
        beats = [beat for slug in with_facet("stage") for beat in pictures.asked(slug)]
        cases = [case for slug in with_facet("case") for case in curves.asked(slug)]
        self.asked = {
            pictures.SCRIPT: "".join(line for _, _, line in beats),
            curves.SCRIPT: "".join(line for _, line in cases),
        }
        self.shown = self._show()

    def _show(self, mutant: str = "") -> list[str]:
        """Return what all stages and charts show, with one mutant switched on."""
        asked = self.asked.items()
        return [_node([script], LATE_S, mutant, lines).stdout for script, lines in asked]

    def tried(self, mutant: PageMutant) -> str:
        """Return how a trial ended: "killed", "timed out" or "survived"."""
        try:
            return "killed" if self._noticed(mutant) else "survived"
        except subprocess.TimeoutExpired:
            return "timed out"

    def _noticed(self, mutant: PageMutant) -> bool:
        stem = Path(mutant.file).stem
        tests = sorted(self.tests[mutant.file], key=lambda name: (stem not in name, name))
        if any(_node([test], LATE_S, mutant.number).returncode for test in tests):
            return True
        return mutant.file.startswith(SHOWN) and self._show(mutant.number) != self.shown


def _node(arguments, seconds, mutant="", told=""):
    """Run node in the copy, with one mutant switched on."""
    switched = {"__STRYKER_ACTIVE_MUTANT__": mutant} if mutant else {}
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["node", *arguments],
        cwd=COPY,
        input=told,
        env=os.environ | switched | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=seconds,
    )
