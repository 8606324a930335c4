"""All that was handed in: a folder, a zip, zips within; nested as learning platforms nest it."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

LARGEST_BYTES = 20 * 2**20  # of a file; a notebook with all its outputs is smaller
DEEPEST = 3  # zips within zips
_UTF8_NAME = 0x800  # a zip entry's flag
_CANNOT = (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError)


class Handed(NamedTuple):
    """A file that was handed in: where it stood, what it holds, or why that is not known."""

    path: str
    content: bytes
    trouble: str = ""


def _passed_over(path: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(path).parts)


def _named(entry: zipfile.ZipInfo) -> str:
    """Return an entry's name; many programs write UTF-8 without saying so."""
    if entry.flag_bits & _UTF8_NAME:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode()
    except UnicodeError:
        return entry.filename


def _from_zip(path: str, content, depth: int) -> Iterator[Handed]:
    try:
        with zipfile.ZipFile(content) as file:
            for entry in file.infolist():
                inner = f"{path}/{_named(entry)}" if path else _named(entry)
                if entry.is_dir() or _passed_over(_named(entry)):
                    continue
                if entry.file_size > LARGEST_BYTES:
                    yield Handed(inner, b"", "larger than 20 MB")
                else:
                    yield from _one(inner, file.read(entry), depth)
    except _CANNOT as error:
        yield Handed(path, b"", f"a zip that cannot be read: {error}")


def _one(path: str, content: bytes, depth: int) -> Iterator[Handed]:
    if path.lower().endswith(".zip") and depth < DEEPEST:
        return _from_zip(path, io.BytesIO(content), depth + 1)
    return iter([Handed(path, content)])


def handed_in(place: Path) -> Iterator[Handed]:
    """Return every file in a folder or zip, and in zips within, by its path there.

    Raises ValueError for a place that is neither.
    """
    if place.is_file() and zipfile.is_zipfile(place):
        yield from _from_zip("", place, 1)
        return
    if not place.is_dir():
        raise ValueError(f"SUBMISSIONS = {str(place)!r}: must be a folder or a zip")
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if not path.is_file() or _passed_over(name):
            continue
        if path.stat().st_size > LARGEST_BYTES and path.suffix.lower() != ".zip":
            yield Handed(name, b"", "larger than 20 MB")
        elif path.suffix.lower() == ".zip":
            yield from _from_zip(name, path, 1)
        else:
            yield Handed(name, path.read_bytes())


def code_cells(content: bytes, assignment: str) -> list[str]:
    """Return the code cells of a notebook of that assignment. Raises ValueError for others."""
    try:
        notebook = json.loads(content)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        sources = ["".join(cell["source"]) for cell in cells]
        named = notebook.get("metadata", {}).get("otter", {}).get("assignment_name", assignment)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("not a notebook") from None
    if named != assignment:
        raise ValueError(f"this is the notebook of {named}")
    return sources
