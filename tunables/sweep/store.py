"""The folder of a sweep: what it is, and one Parquet file per chunk, each complete or absent."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tunables.base.arguments import refuse
from tunables.core.case import Case
from tunables.core.registry import find_case
from tunables.sweep.plan import Plan, plan_of

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, float | int | str | None]


def _answers(case: Case, settings: dict, seed: int | None) -> Row:
    """Return what the closed form and one run say, or why they refuse."""
    nothing = dict.fromkeys(output.name for output in case.outputs)
    row: Row = {**nothing, "refusal": None}
    try:
        row |= case.predict(**settings)
        if seed is not None:
            run = case.simulation.run(seed, **settings)
            row |= {f"simulated_{name}": value for name, value in run.items()}
    except ValueError as error:
        row |= {**nothing, "refusal": str(error)}
    return row


def _rows(plan: Plan, chunk: int) -> Iterator[Row]:
    case = find_case(plan.case)
    swept = [axis.parameter.name for axis in plan.axes]
    for offset, settings in enumerate(plan.chunk_settings(chunk)):
        at: Row = {"point": chunk * plan.chunk + offset}
        at |= {name: settings[name] for name in swept}
        if not plan.seeds:
            yield at | _answers(case, settings, None)
        for seed in range(1, plan.seeds + 1):
            yield at | {"seed": seed} | _answers(case, settings, seed)


def schema(plan: Plan) -> pa.Schema:
    """Return the columns of a sweep's files: the point, the settings swept, seed and answers."""
    import pyarrow as pa

    case = find_case(plan.case)
    fields = [("point", pa.int64())]
    for axis in plan.axes:
        kind = pa.string() if axis.parameter.choices else pa.float64()
        fields.append((axis.parameter.name, pa.int64() if axis.parameter.integer else kind))
    fields += [("seed", pa.int64())] * bool(plan.seeds)
    fields += [(output.name, pa.float64()) for output in case.outputs]
    if plan.seeds:
        fields += [(f"simulated_{output.name}", pa.float64()) for output in case.outputs]
    return pa.schema([*fields, ("refusal", pa.string())])


def _finite(value: float | int | str | None) -> float | int | str | None:
    return None if isinstance(value, float) and math.isnan(value) else value


def chunk_bytes(plan_text: str, chunk: int) -> bytes:
    """Return a chunk as a Parquet file: the same bytes wherever it is computed.

    Missing outputs are null; the reason why a point is refused is in "refusal".
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    plan = plan_of(plan_text)
    rows = [{name: _finite(value) for name, value in row.items()} for row in _rows(plan, chunk)]
    table = pa.Table.from_pylist(rows, schema=schema(plan))
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


MANIFEST = "_sweep.json"  # readers of Parquet folders ignore it
_NEW = ".new"
_UNFINISHED = re.compile(rf"({MANIFEST}|part-\d+\.parquet){_NEW}")  # as a crash leaves it


class Store:
    """A folder of one sweep, new or begun.

    Raises ValueError for a folder that holds anything else, or another sweep, or that cannot be
    written.
    """

    def __init__(self, folder: str | Path, plan: Plan):
        if "\0" in str(folder):
            refuse("out", str(folder), "a path without a null character")
        self.folder, self.plan = Path(folder), plan
        self.text = json.dumps(plan.describe(), indent=1)
        try:
            self._open()
        except OSError as error:
            raise ValueError(f"out = {str(folder)!r}: {error.strerror or error}") from None

    def _open(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        there = set(os.listdir(self.folder))
        unfinished = {name for name in there if _UNFINISHED.fullmatch(name)}
        if MANIFEST in there:
            manifest = self.folder / MANIFEST
            if not manifest.is_file() or manifest.read_bytes() != self.text.encode():
                raise ValueError(
                    f"out = {str(self.folder)!r}: holds another sweep, described in {MANIFEST}; "
                    "choose another folder"
                )
        elif there - unfinished:
            raise ValueError(f"out = {str(self.folder)!r}: must be a new or empty folder")
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
        """Return the chunks that have no file yet, or one that is cut off or of something else."""
        there = set(os.listdir(self.folder))
        return [
            chunk
            for chunk in range(self.plan.chunks)
            if self.name(chunk) not in there or not self._is_whole(chunk)
        ]

    def _is_whole(self, chunk: int) -> bool:
        """Say whether a file has the rows and columns of its chunk; Parquet's end lists them."""
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile

        path = self.folder / self.name(chunk)
        points = min(self.plan.points - chunk * self.plan.chunk, self.plan.chunk)
        try:
            if not path.is_file():  # a pipe would be waited for
                return False
            with ParquetFile(path) as file:
                rows = points * max(1, self.plan.seeds)
                return file.metadata.num_rows == rows and file.schema_arrow.equals(
                    schema(self.plan)
                )
        except (ArrowException, OSError, ValueError):
            return False

    def keep(self, chunk: int, content: bytes) -> None:
        """Write a chunk; raises ValueError if the disk will not have it."""
        try:
            self._write(self.name(chunk), content)
        except OSError as error:
            reason = error.strerror or error
            raise ValueError(
                f"out = {str(self.folder)!r}: {reason}; nothing there was changed"
            ) from None
