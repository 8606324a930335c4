"""Builds the book twice and compares every byte: `make twice`.

Each time in a folder of its own, from the files here that git does not ignore, with the packages
of this one, and in other surroundings: a clock, a language, an order of sets.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (".venv", "node_modules")
INSTALLED = (".venv/.book", "node_modules/.ready")  # which make is to take as they are
SURROUNDINGS = {
    "first": {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    "and again/in another folder": {
        "TZ": "Pacific/Auckland",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "2",
        "SOURCE_DATE_EPOCH": "946684800",
    },
}


def copied(folder: Path) -> Path:
    """Copy what git does not ignore into a folder, and lead from there to the packages."""
    folder.mkdir(parents=True)
    ask = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(ask, cwd=ROOT, capture_output=True, check=True)
    copy = ["cp", "--parents", "--no-dereference", "--target-directory", str(folder)]
    names = [name for name in listed.stdout.decode().split("\0") if name]
    subprocess.run([*copy, *names], cwd=ROOT, check=True)
    for name in PACKAGES:
        (folder / name).symlink_to((ROOT / name).resolve())
    return folder


def built(folder: Path, surroundings: dict[str, str]) -> dict[str, bytes]:
    """Build the book there, and return its files by their names."""
    kept = [option for name in INSTALLED for option in ("--assume-old", name)]
    own = {"PYTHONPATH": str(folder), "MAKEFLAGS": ""} | surroundings
    subprocess.run(["make", *kept, "book"], cwd=folder, env=os.environ | own, check=True)
    site = folder / "_build" / "html"
    return {str(p.relative_to(site)): p.read_bytes() for p in site.rglob("*") if p.is_file()}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Return the names of the files that are not the same in both, or in one alone."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def main() -> None:
    with TemporaryDirectory() as place:
        builds = [
            built(copied(Path(place) / name), surroundings)
            for name, surroundings in SURROUNDINGS.items()
        ]
    found = differing(*builds)
    if found:
        sys.exit("Not the same in both builds:\n" + "\n".join(found))
    print(f"Both builds are the same to the last byte: {len(builds[0])} files.")


if __name__ == "__main__":
    main()
