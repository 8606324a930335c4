"""Peers in a separate environment, which answer requests in lines of JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[1]
# `make bench` makes it from requirements-peers.txt; another may be named.
_OWN = _ROOT / ".venv-peers" / "bin" / "python"
PYTHON = os.environ.get("PEERS_PYTHON", str(_OWN) if _OWN.exists() else sys.executable)

Ask = Callable[..., Any]


@contextmanager
def peer(module: str, package: str) -> Iterator[Ask | None]:
    """Yield a function that calls a peer's program, or None if its package is missing.

    module: the program, such as "benchmarks.ns3_peer": it reads a line of JSON, the arguments
    by their names, and answers with one.
    """
    probe = f"import importlib.util as u, sys; sys.exit(not u.find_spec({package!r}))"
    if subprocess.run([PYTHON, "-c", probe], check=False).returncode:
        print(
            f"\n{package} is missing: `make bench` installs it, where it is available", flush=True
        )
        yield None
        return
    with subprocess.Popen(
        [PYTHON, "-m", module],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        questions, answers = process.stdin, process.stdout
        assert questions is not None
        assert answers is not None

        def ask(**arguments):
            print(json.dumps(arguments), file=questions, flush=True)
            return json.loads(answers.readline())

        yield ask
        questions.close()


def answer_all(prepare: Callable[[], Callable[..., Any]]) -> None:
    """Answer each line of the input, as a peer's program, by the function that prepare returns.

    Anything else that a loaded library prints is not taken for an answer.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    answer = prepare()
    for line in sys.stdin:
        print(json.dumps(answer(**json.loads(line))), file=answers, flush=True)
