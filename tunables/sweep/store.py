"""The folder of a sweep: what it is, and a file a chunk, each whole or not there."""

import json
import os
import re
from pathlib import Path

from tunables.sweep.plan import Plan

MANIFEST = "_sweep.json"  # which readers of Parquet folders pass over
_NEW = ".new"
_UNFINISHED = re.compile(rf"({MANIFEST}|part-\d+\.parquet){_NEW}")  # as a crash leaves it


class Store:
    """A folder of one sweep, new or begun.

    Raises ValueError for a folder that holds anything else, or another sweep, or that cannot be
    written.
    """

    def __init__(self, folder: str | Path, plan: Plan):
        self.folder, self.plan = Path(folder), plan
        self.text = json.dumps(plan.described(), indent=1)
        try:
            self._open()
        except OSError as error:
            raise ValueError(f"out = {str(folder)!r}: {error.strerror or error}") from None

    def _open(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        there = set(os.listdir(self.folder))
        unfinished = {name for name in there if _UNFINISHED.fullmatch(name)}
        if MANIFEST in there:
            if (self.folder / MANIFEST).read_text(encoding="utf-8") != self.text:
                raise ValueError(
                    f"out = {str(self.folder)!r}: holds another sweep, told in {MANIFEST}; name "
                    "another folder"
                )
        elif there - unfinished:
            raise ValueError(f"out = {str(self.folder)!r}: must be a new or an empty folder")
        for name in unfinished:
            (self.folder / name).unlink()
        if MANIFEST not in there:
            self._write(MANIFEST, self.text.encode())

    def _write(self, name: str, content: bytes) -> None:
        new = self.folder / (name + _NEW)
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.folder / name)

    def name(self, chunk: int) -> str:
        """Return the file of a chunk."""
        return f"part-{chunk:09d}.parquet"

    def missing(self) -> list[int]:
        """Return the chunks that have no file yet."""
        there = set(os.listdir(self.folder))
        return [chunk for chunk in range(self.plan.chunks) if self.name(chunk) not in there]

    def keep(self, chunk: int, content: bytes) -> None:
        """Write a chunk; raises ValueError if the disk will not have it."""
        try:
            self._write(self.name(chunk), content)
        except OSError as error:
            reason = error.strerror or error
            raise ValueError(f"out = {str(self.folder)!r}: {reason}; what is there stays") from None
