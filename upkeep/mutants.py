"""Tries a sample of cosmic-ray's mutants of a module or a folder, in a copy of the project.

    python -m upkeep.mutants MODULE "TESTS" [SAMPLE [SEED]]

Prints the mutants that survive the tests named. Without SAMPLE all mutants are tried, which can
take hours.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

from upkeep.locks import ROOT
from upkeep.twice import copy

COPY = ROOT / "_build" / "mutants" / "copy"
TOOLS = ROOT / ".venv-mutants" / "bin"
TEMPLATE = Path(__file__).parent / "mutation" / "cosmic-ray.toml"
CONFIG, SESSION = "_build/cosmic-ray.toml", "_build/session.sqlite"


def run(*command: str) -> None:
    """Run one of cosmic-ray's commands in the copy. Raises CalledProcessError if it fails."""
    tool, *arguments = command
    environment = os.environ | {"PYTHONPATH": str(COPY)}
    subprocess.run([str(TOOLS / tool), *arguments], cwd=COPY, env=environment, check=True)


def configuration(module: str, tests: str) -> str:
    """Return cosmic-ray's settings for a module and its tests."""
    return TEMPLATE.read_text().replace("{module}", module).replace("{tests}", tests)


def draw(session: Path, size: int, seed: int) -> int:
    """Keep a random sample of a session's mutants; return how many there were."""
    with sqlite3.connect(session) as database:
        order = "module_path, operator_name, operator_args, occurrence"
        rows = database.execute(f"SELECT job_id FROM mutation_specs ORDER BY {order}").fetchall()
        kept = Random(seed).sample(rows, min(size or len(rows), len(rows)))
        dropped = set(rows) - set(kept)
        for table in ("mutation_specs", "work_items"):
            database.executemany(f"DELETE FROM {table} WHERE job_id = ?", dropped)
    return len(rows)


def main(module: str, tests: str, size: str = "", seed: str = "1") -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    copy(COPY)
    (COPY / "_build").mkdir()
    (COPY / CONFIG).write_text(configuration(module, tests))
    run("cosmic-ray", "init", CONFIG, SESSION)
    count = draw(COPY / SESSION, int(size or 0), int(seed))
    print(f"{count} mutants, of which {size or 'all'} are tried", flush=True)
    run("cosmic-ray", "baseline", CONFIG)
    run("cosmic-ray", "exec", CONFIG, SESSION)
    run("cr-report", "--surviving-only", "--show-diff", SESSION)


if __name__ == "__main__":
    main(*sys.argv[1:])
