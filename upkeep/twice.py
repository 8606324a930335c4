"""Builds the book twice and compares every byte: `make twice`.

Each build is in a new folder, from the files that git does not ignore, with the packages installed
here. Time zone, language, and the order of sets differ between the two.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tracked import ROOT, copy_of_tree
from upkeep.same_site import differences, files

PACKAGES = (".venv", "node_modules")
INSTALLED = (".venv/.book", "node_modules/.ready")  # make must take these as they are
SURROUNDINGS = {
    "first": {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    "and again/in another folder": {
        "TZ": "Pacific/Auckland",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "2",
        "SOURCE_DATE_EPOCH": "946684800",
    },
}


def copy(folder: Path) -> Path:
    """Copy what git does not ignore into a folder, and link the packages there."""
    copy_of_tree(folder)
    for name in PACKAGES:
        (folder / name).symlink_to((ROOT / name).resolve())
    return folder


def build(folder: Path, surroundings: dict[str, str]) -> Path:
    """Build the book there, and return where its pages are."""
    kept = [option for name in INSTALLED for option in ("--assume-old", name)]
    own = {"PYTHONPATH": str(folder), "MAKEFLAGS": ""} | surroundings
    subprocess.run(["make", *kept, "book"], cwd=folder, env=os.environ | own, check=True)
    return folder / "_build" / "html"


def main() -> None:
    with TemporaryDirectory() as place:
        one, other = (
            build(copy(Path(place) / name), surroundings)
            for name, surroundings in SURROUNDINGS.items()
        )
        found = differences(one, other, explained=())
        count = len(files(one))
    if found:
        sys.exit("Not the same in both builds:\n" + "\n".join(found))
    print(f"Both builds are the same to the last byte: {count} files.")


if __name__ == "__main__":
    main()
