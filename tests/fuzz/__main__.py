"""Fuzz parsers for some seconds each: python -m tests.fuzz SECONDS [PARSER ...]

Each runs in a process of its own under atheris, which counts the branches that an input reaches
and goes on from those that reach new ones. An input that ends a run is kept in _build/fuzz/NAME.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path("_build/fuzz")
NAMES = re.compile(r'^    "([a-z-]+)": (?:lambda|_)', re.M)
LAST = re.compile(r"#(\d+)\s+(?:DONE|REDUCE|NEW|pulse).*?cov: (\d+)")


def run_fuzzer(name: str, seconds: int) -> tuple[int, str]:
    """Return the exit status of a run, and in words how much was tried."""
    folder = FOLDER / name.replace(" ", "-")
    (folder / "found").mkdir(parents=True, exist_ok=True)
    run = subprocess.run(
        [
            *(sys.executable, "-m", "tests.fuzz.one", name, folder / "found"),
            *(f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=4096"),
            *("-max_len=8192", f"-artifact_prefix={folder}/"),
        ],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},  # numba knows no branch counters
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds + 300,
    )
    (folder / "log.txt").write_text(run.stderr)
    tried = LAST.findall(run.stderr)
    executions, coverage = tried[-1] if tried else ("0", "0")
    words = f"{name:12} {int(executions):>9,} inputs, {int(coverage):>5,} branches"
    return run.returncode, words if run.returncode == 0 else f"{words}: see {folder}/log.txt"


def main(seconds: int, *wanted: str) -> int:
    """Fuzz all parsers, or those named; return 1 if one of them broke."""
    names = wanted or NAMES.findall(Path(__file__).with_name("harnesses.py").read_text())
    broken = 0
    for name in dict.fromkeys(names):
        status, words = run_fuzzer(name, seconds)
        broken |= status != 0
        print(words, flush=True)
    return int(broken)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
