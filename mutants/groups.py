"""What is mutated, and which tests may notice."""

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "_build" / "mutants"


class Group(NamedTuple):
    """Files to mutate and the tests that are tried on them, as patterns from the root."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self) -> list[str]:
        """Return the paths of the files to mutate, from the root."""
        return _found(self.sources)

    def test_files(self) -> list[str]:
        """Return the paths of the modules of tests, and of the files themselves: doctests."""
        return _found(self.tests) + self.files()


def _found(patterns: tuple[str, ...]) -> list[str]:
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


CALLED = (  # how public functions are named and called, and how they refuse
    "tests/hostile/test_refusals.py",
    "tests/hostile/test_signatures.py",
    "tests/test_names.py",
)
OF_CHAPTERS = ("tests/chapters/*/test_*.py", "tests/chapters/test_*.py")
OF_MODELS = (
    *OF_CHAPTERS,
    "tests/parts/test_*.py",
    "tests/page/test_*.py",
    "tests/evidence/test_*.py",
)
# A case is made of these; what else a chapter's folder holds is no number of its case.
MADE_OF = (
    *("case", "*_case", "*parameters", "calibration", "printed", "results", "clear_queue"),
    *("paths", "structures", "rivals", "session_report", "few_files", "allowed"),
)
CHAPTERS = "tunables/chapters/*/"

GROUPS = {
    "theory": Group(("tunables/theory/*.py",), ("tests/theory/test_*.py", *CALLED, *OF_CHAPTERS)),
    "predictors": Group((f"{CHAPTERS}*predictor.py", f"{CHAPTERS}knee.py"), OF_MODELS),
    "simulators": Group(("tunables/simulators/*.py",), ("tests/simulators/test_*.py", *CALLED)),
    "cases": Group(tuple(f"{CHAPTERS}{name}.py" for name in MADE_OF), OF_MODELS),
}
