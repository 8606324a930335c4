"""Compares two builds of the site, file by file, and says where they differ.

    python -m upkeep.same_site ONE OTHER

Fails where they do, but for what EXPLAINED and DRAWN name.
"""

import re
import sys
from pathlib import Path

EXPLAINED = {".buildinfo": "Sphinx's hash of its own settings"}
# What Jupyter's widgets keep in a page, by ids that they draw in each run.
DRAWN = re.compile(
    rb'(<script type="application/vnd.jupyter.widget-state\+json">).*?</script>', re.S
)


def _files(folder: Path) -> dict[str, Path]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in found}


def _alike(one: Path, other: Path) -> bool:
    """Say whether two files have the same bytes, or the same page but for what was drawn."""
    a, b = one.read_bytes(), other.read_bytes()
    return a == b or (one.suffix == ".html" and DRAWN.sub(rb"\1", a) == DRAWN.sub(rb"\1", b))


def differences(one: Path, other: Path) -> list[str]:
    """Return a line for each file that only one has, or that differs for no known reason."""
    here, there = _files(one), _files(other)
    lines = [f"only in {one}: {name}" for name in sorted(here.keys() - there.keys())]
    lines += [f"only in {other}: {name}" for name in sorted(there.keys() - here.keys())]
    both = sorted((here.keys() & there.keys()) - EXPLAINED.keys())
    return lines + [f"differ: {name}" for name in both if not _alike(here[name], there[name])]


def main() -> None:
    one, other = map(Path, sys.argv[1:])
    found = differences(one, other)
    print("\n".join(found) or f"{len(_files(one))} files, and the same.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
