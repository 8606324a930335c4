"""Pins what the requirements depend on, with the hashes of every file of each version.

    python -m upkeep.locks [NAME ...]

writes constraints.txt, the versions of everything in requirements*.txt and of its dependencies on
every platform; and for each requirements*.txt a file of the same name in locks/, which make
installs: the same versions, with hashes. Versions that are pinned already stay, except those of the
packages named, which are raised to the newest that is compatible with the rest.
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
REQUIREMENTS = sorted(ROOT.glob("requirements*.txt"))
OLDEST = "3.11"  # Python; the pins are for every version from this one on
HEAD = "# Made by `make locks`, from requirements*.txt: do not edit.\n"
UNIVERSAL = ["--universal", "--python-version", OLDEST, "--no-header", "--no-annotate", "--quiet"]

Entries = dict[str, str]


def resolve(source: object, goal: Path, *flags: str, requirements: str = "") -> None:
    """Write what uv pins for a source; existing pins in the goal stay if they can.

    Raises CalledProcessError if no versions are compatible.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", *UNIVERSAL, *flags]
    command += ["--output-file", str(goal), str(source)]
    subprocess.run(
        command, cwd=ROOT, check=True, input=requirements, text=True, stdout=subprocess.DEVNULL
    )


def includes(text: str) -> list[str]:
    """Return the files that a file of requirements includes.

    >>> includes("-r requirements.txt\\n-c constraints.txt\\nnumpy==2.4.6\\n")
    ['requirements.txt']
    """
    return re.findall(r"(?m)^-r (\S+)$", text)


def is_constrained(path: Path) -> bool:
    """Say whether a file shares the versions of the others: that of the peers does not."""
    text = path.read_text()
    return "-c constraints.txt" in text or any(
        is_constrained(ROOT / name) for name in includes(text)
    )


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
    """Write constraints.txt, the versions that all files but the peers' share."""
    resolve("-", CONSTRAINTS, *flags, requirements=direct(filter(is_constrained, REQUIREMENTS)))
    CONSTRAINTS.write_text(HEAD + CONSTRAINTS.read_text())


@cache
def lock(path: Path, *flags: str) -> Entries:
    """Write the lock of a file without what the files that it includes lock; return all entries."""
    there: Entries = {}
    for name in includes(path.read_text()):
        there |= lock(ROOT / name, *flags)
    goal = LOCKS / path.name
    resolve(path, goal, "--generate-hashes", *flags)
    whole = entries(goal.read_text())
    lines = [f"-r {name}" for name in includes(path.read_text())]
    lines += [block for first, block in whole.items() if first not in there]
    goal.write_text(HEAD + "\n".join(lines) + "\n")
    return there | whole


def main() -> None:
    flags = [f"--upgrade-package={name}" for name in sys.argv[1:]]
    LOCKS.mkdir(exist_ok=True)
    pin(*flags)
    for path in REQUIREMENTS:
        lock(path, *flags)


if __name__ == "__main__":
    main()
