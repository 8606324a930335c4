"""Grades a folder of notebooks on this machine and writes a CSV, one row a notebook.

    python -m assignments.grade ARCHIVE FOLDER [--workers N] [--timeout_s S] > grades.csv

ARCHIVE is the zip of autograder/. Each notebook is run by `otter run` in processes of its own.
What students wrote runs with your rights: see README.md.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ALWAYS = ("file", "total", "possible", "error")  # columns that do not depend on the questions


def _last_line(text) -> str:
    return text.strip().split("\n")[-1]


def _results(archive, notebook, timeout_s) -> list:
    """Return what otter says of each question. RuntimeError if it says nothing."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "otter", "run", "--no-logo", "-a", str(archive)]
        done = subprocess.run(
            [*command, "-o", folder, str(notebook)],
            env={**os.environ, "TMPDIR": folder},  # so that nothing is left after a time-out
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
        )
        results = Path(folder) / "results.json"
        if done.returncode != 0 or not results.exists():
            raise RuntimeError(_last_line(done.stdout))
        tests = json.loads(results.read_text(encoding="utf-8"))["tests"]
    questions = [test for test in tests if "max_score" in test]
    if not questions:  # the notebook ended its own kernel, say
        raise RuntimeError(_last_line(tests[-1]["output"]))
    return questions


def grade(archive, notebook, timeout_s) -> dict:
    """Return the row of one notebook: points by question, and an error if it has no grade."""
    row = {"file": notebook.name, "total": 0, "possible": "", "error": ""}
    try:
        questions = _results(archive, notebook, timeout_s)
    except subprocess.TimeoutExpired:
        return {**row, "error": f"not done after {timeout_s:g} s"}
    except RuntimeError as error:
        return {**row, "error": str(error)}
    row.update({question["name"]: question["score"] for question in questions})
    row["total"] = sum(question["score"] for question in questions)
    row["possible"] = sum(question["max_score"] for question in questions)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="notebooks at a time")
    parser.add_argument("--timeout_s", type=float, default=120, help="for one notebook")
    given = parser.parse_args()
    notebooks = sorted(given.folder.glob("*.ipynb"))
    if not notebooks or not given.archive.is_file():
        parser.error("ARCHIVE must be a file, and FOLDER must hold at least one .ipynb file")
    with ThreadPoolExecutor(given.workers) as pool:
        rows = list(pool.map(lambda path: grade(given.archive, path, given.timeout_s), notebooks))
    questions = sorted({name for row in rows for name in row} - {*ALWAYS})
    writer = csv.DictWriter(sys.stdout, ["file", *questions, *ALWAYS[1:]], restval=0)
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    main()
