"""All that was handed in: a folder, a zip, zips within; nested as learning platforms nest it.

Nothing is written to disk, no link is followed, and all that is unpacked is bounded: of a file, of
a hand-in, which is a student's on a platform. What cannot be read costs nobody but itself.
"""

import io
import os
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LARGEST_BYTES = 20 * 2**20  # of a file; a notebook with all its outputs is smaller
LARGEST_ZIP_BYTES = 100 * 2**20
MOST_BYTES = 200 * 2**20  # of a hand-in, unpacked
MOST_FILES = 2000  # of a hand-in
MOST_ENTRIES = 20_000  # of a zip that a student made
DEEPEST = 3  # zips within zips
_UTF8_NAME = 0x800  # a zip entry's flag
_ENTRY = b"PK\x01\x02"  # how each begins in a zip's list
NOTEBOOKS = (".ipynb",)


class Handed(NamedTuple):
    """A file that was handed in: its path, its bytes if its kind is asked for, or why not.

    top is the first part of the path, as a platform made it.
    """

    path: str
    content: bytes
    trouble: str = ""
    top: str = ""


class _Refused(Exception):
    """A file is not read; the text says why."""


class _Bounds:
    """Which kinds of file are read, and how much of each hand-in was."""

    def __init__(self, kinds: tuple[str, ...]):
        self._kinds = (*kinds, ".zip")
        self._bytes: Counter[str] = Counter()
        self._files: Counter[str] = Counter()

    def reads(self, path: str) -> bool:
        return _suffix(path) in self._kinds

    def allows_another(self, top: str) -> bool:
        self._files[top] += 1
        return self._files[top] <= MOST_FILES

    def first_beyond(self, top: str) -> bool:
        return self._files[top] == MOST_FILES + 1

    def take(self, top: str, size: int, largest: int) -> None:
        """Count bytes before they are read. Raises _Refused if that is too many."""
        if size > largest:
            raise _Refused(f"larger than {largest // 2**20} MiB")
        self._bytes[top] += size
        if self._bytes[top] > MOST_BYTES:
            raise _Refused(f"more than {MOST_BYTES // 2**20} MiB in one hand-in")


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def _passed_over(path: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in _parts(path))


def _entry_name(entry: zipfile.ZipInfo) -> str:
    """Return an entry's name; many programs write UTF-8 without saying so."""
    if entry.flag_bits & _UTF8_NAME:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode()
    except UnicodeError:
        return entry.filename


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _largest(path: str) -> int:
    return LARGEST_ZIP_BYTES if _suffix(path) == ".zip" else LARGEST_BYTES


def _why(error: Exception) -> str:
    return f"cannot be read: {type(error).__name__}: {error}"


def _entries(file: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return, by path, what a zip holds but folders and what programs put there for themselves."""
    found = [one for one in file.infolist() if not (one.is_dir() or _passed_over(_entry_name(one)))]
    return sorted(found, key=_entry_name)


def _from_entry(
    file: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str, top: str, depth: int, bounds: _Bounds
) -> Iterator[Handed]:
    if not bounds.allows_another(top):
        if bounds.first_beyond(top):
            yield Handed(path, b"", f"more than {MOST_FILES} files in one hand-in", top)
        return
    if not bounds.reads(path):
        yield Handed(path, b"", "", top)
        return
    try:
        bounds.take(top, entry.file_size, _largest(path))
        with file.open(entry) as stream:
            content = stream.read(entry.file_size + 1)
    except _Refused as why:
        yield Handed(path, b"", str(why), top)
    except Exception as error:  # zlib's, lzma's, RuntimeError of a password, MemoryError ...
        yield Handed(path, b"", _why(error), top)
    else:
        yield from _one(path, content, top, depth, bounds)


def _one(path: str, content: bytes, top: str, depth: int, bounds: _Bounds) -> Iterator[Handed]:
    """Return a file, or what a zip holds."""
    if _suffix(path) != ".zip" or depth >= DEEPEST:
        yield Handed(path, content, "", top)
        return
    if content.count(_ENTRY) > MOST_ENTRIES:
        yield Handed(path, b"", f"a zip with more than {MOST_ENTRIES} files", top)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            for entry in _entries(file):
                inner = f"{path}/{_entry_name(entry)}"
                yield from _from_entry(file, entry, inner, top, depth + 1, bounds)
    except Exception as error:
        yield Handed(path, b"", f"a zip that {_why(error)}", top)


def _wrapper(paths: list[list[str]], owned) -> int:
    """Return how many leading folders are around all of it, and nobody's."""
    tops = {parts[0] for parts in paths}
    inside = all(len(parts) > 1 for parts in paths)
    return int(inside and len(tops) == 1 and not owned(next(iter(tops))))


def _from_platform(place: Path, owned, bounds: _Bounds) -> Iterator[Handed]:
    """Return what the zip of a platform holds."""
    try:
        file = zipfile.ZipFile(place)
    except Exception as error:
        raise ValueError(f"SUBMISSIONS = {str(place)!r}: a zip that {_why(error)}") from None
    with file:
        entries = _entries(file)
        paths = [_parts(_entry_name(entry)) for entry in entries]
        first = _wrapper(paths, owned)
        for entry, parts in zip(entries, paths, strict=True):
            if parts:
                yield from _from_entry(file, entry, "/".join(parts), parts[first], 1, bounds)


def _plain_bytes(path: Path, name: str, top: str, bounds: _Bounds) -> bytes:
    """Return a plain file's bytes. Raises _Refused for a link, a pipe, a device, or too many."""
    flags = os.O_RDONLY
    for name in (
        "O_NOFOLLOW",
        "O_NONBLOCK",
        "O_CLOEXEC",
        "O_BINARY",
    ):  # as far as a system has them
        flags |= getattr(os, name, 0)
    with open(os.open(path, flags), "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise _Refused("not a regular file")
        bounds.take(top, status.st_size, _largest(name))
        return stream.read(status.st_size)


def _from_folder(path: Path, name: str, top: str, bounds: _Bounds) -> Iterator[Handed]:
    if not bounds.allows_another(top):
        if bounds.first_beyond(top):
            yield Handed(name, b"", f"more than {MOST_FILES} files in one hand-in", top)
        return
    try:
        if path.is_symlink():
            raise _Refused("a link, which is not followed")
        if not stat.S_ISREG(path.lstat().st_mode):
            raise _Refused("not a regular file")
        content = _plain_bytes(path, name, top, bounds) if bounds.reads(name) else b""
    except _Refused as why:
        yield Handed(name, b"", str(why), top)
    except Exception as error:
        yield Handed(name, b"", _why(error), top)
    else:
        yield from _one(name, content, top, 0, bounds)


def _walk(place: Path) -> list[tuple[Path, str]]:
    """Return each file in a folder and its path there; links are files."""
    found: list[tuple[Path, str]] = []
    for folder, folders, files in os.walk(place):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in [*files, *links]:
            path = Path(folder, name)
            found.append((path, path.relative_to(place).as_posix()))
    return sorted(pair for pair in found if not _passed_over(pair[1]))


def handed_in(
    place: Path, owned=lambda top: False, kinds: tuple[str, ...] = NOTEBOOKS
) -> Iterator[Handed]:
    """Return every file in a folder or zip, and in zips within, by its path there.

    kinds: the endings of the files whose bytes are wanted.

    owned(top) says whether a top folder is somebody's: one that is around all the rest, and
    nobody's, is passed over. Raises ValueError for a place that is neither, or a zip that cannot be
    read at all.
    """
    bounds = _Bounds(kinds)
    if place.is_file() and zipfile.is_zipfile(place):
        yield from _from_platform(place, owned, bounds)
        return
    if not place.is_dir():
        raise ValueError(f"SUBMISSIONS = {str(place)!r}: must be a folder or a zip")
    walked = _walk(place)
    if len(walked) == 1:  # the platform's zip, in a folder?
        [(path, name)] = walked
        if not owned(name) and not path.is_symlink() and zipfile.is_zipfile(path):
            yield from _from_platform(path, owned, bounds)
            return
    first = _wrapper([name.split("/") for _, name in walked], owned)
    for path, name in walked:
        yield from _from_folder(path, name, name.split("/")[first], bounds)
