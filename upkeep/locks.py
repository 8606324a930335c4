"""Pins what the requirements bring along, with the hashes of every file of each version.

    python -m upkeep.locks [NAME ...]

writes constraints.txt, the versions of all that requirements*.txt ask for and of what these need,
on every platform; and for each requirements*.txt one of the same name in locks/, which make
installs: the same versions, with hashes. Versions that are pinned already stay, but for those of
the packages named, which are raised to the newest that goes with the rest.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ROOT / "locks"
CONSTRAINTS = ROOT / "constraints.txt"
ASKED = sorted(ROOT.glob("requirements*.txt"))
OLDEST = "3.11"  # Python: of each version from here on
HEAD = "# Made by `make locks`, from requirements*.txt: do not edit.\n"
UNIVERSAL = ["--universal", "--python-version", OLDEST, "--no-header", "--no-annotate", "--quiet"]

ALONE = "# --no-deps"  # a line of requirements whose own needs are not installed

Entries = dict[str, str]


def resolved(source: object, goal: Path, *flags: str, asked: str = "") -> None:
    """Write what uv pins for a source; pins that are in the goal stay where they can.

    Raises CalledProcessError where no versions go together.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", *UNIVERSAL, *flags]
    command += ["--output-file", str(goal), str(source)]
    subprocess.run(command, cwd=ROOT, check=True, input=asked, text=True, stdout=subprocess.DEVNULL)


def included(text: str) -> list[str]:
    """Return the files that a file of requirements includes.

    >>> included("-r requirements.txt\\n-c constraints.txt\\nnumpy==2.4.6\\n")
    ['requirements.txt']
    """
    return re.findall(r"(?m)^-r (\S+)$", text)


def constrained(path: Path) -> bool:
    """Say whether what a file asks for goes with the rest: the peers' versions do not."""
    text = path.read_text()
    return "-c constraints.txt" in text or any(constrained(ROOT / name) for name in included(text))


def direct(paths: Iterable[Path]) -> str:
    """Return the lines of these files that name packages."""
    lines = (line for path in paths for line in path.read_text().splitlines())
    return "\n".join(line for line in lines if line and line[0] not in "-#")


def entries(text: str) -> Entries:
    """Return what a lock says of each package, by its first line: version and marker.

    >>> entries("a==1 \\\\\\n    --hash=sha256:0\\nb==2 ; os_name == 'nt'\\n")
    {'a==1': 'a==1 \\\\\\n    --hash=sha256:0', "b==2 ; os_name == 'nt'": "b==2 ; os_name == 'nt'"}
    """
    blocks = re.split(r"\n(?! )", text.strip())
    return {block.split("\n")[0].removesuffix(" \\"): block for block in blocks if block[0] != "#"}


def pin(*flags: str) -> None:
    """Write constraints.txt, with all in it that goes together."""
    resolved("-", CONSTRAINTS, *flags, asked=direct(filter(constrained, ASKED)))
    CONSTRAINTS.write_text(HEAD + CONSTRAINTS.read_text())


@cache
def lock(path: Path, *flags: str) -> Entries:
    """Write the lock of one file, without what is in those that it includes; return all of it."""
    there: Entries = {}
    for name in included(path.read_text()):
        there |= lock(ROOT / name, *flags)
    goal = LOCKS / path.name
    alone = ["--no-deps"] if ALONE in path.read_text() else []
    resolved(path, goal, "--generate-hashes", *alone, *flags)
    whole = entries(goal.read_text())
    lines = [f"-r {name}" for name in included(path.read_text())]
    lines += [block for first, block in whole.items() if first not in there]
    goal.write_text(HEAD + "\n".join(lines) + "\n")
    return there | whole


def main() -> None:
    flags = [f"--upgrade-package={name}" for name in sys.argv[1:]]
    LOCKS.mkdir(exist_ok=True)
    pin(*flags)
    for path in ASKED:
        lock(path, *flags)


if __name__ == "__main__":
    main()
