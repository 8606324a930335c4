"""Compares two builds of the site, file by file, and prints the differences.

    python -m upkeep.same_site ONE OTHER

Fails if there are any other than those that EXPLAINED names.
"""

import sys
from collections.abc import Collection
from pathlib import Path

EXPLAINED = {".buildinfo": "Sphinx's hash of its own settings"}


def files(folder: Path, pattern: str = "*") -> dict[str, Path]:
    """Return the files of a site by their names."""
    found = (path for path in folder.rglob(pattern) if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in found}


def only_in_one(one: Path, here: dict[str, Path], other: Path, there: dict[str, Path]) -> list[str]:
    """Return a line for each file that only one of two sites has."""
    return [
        *(f"only in {one}: {name}" for name in sorted(here.keys() - there.keys())),
        *(f"only in {other}: {name}" for name in sorted(there.keys() - here.keys())),
    ]


def differences(one: Path, other: Path, explained: Collection[str] = EXPLAINED) -> list[str]:
    """Return a line for each file that only one has, or that differs for no known reason."""
    here, there = files(one), files(other)
    lines = only_in_one(one, here, other, there)
    both = sorted((here.keys() & there.keys()) - set(explained))
    unlike = (name for name in both if here[name].read_bytes() != there[name].read_bytes())
    return lines + [f"differ: {name}" for name in unlike]


def main() -> None:
    one, other = map(Path, sys.argv[1:])
    found = differences(one, other)
    print("\n".join(found) or f"{len(files(one))} files, and the same.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
