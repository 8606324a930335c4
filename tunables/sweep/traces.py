"""Traces in Parquet files, row group by row group: no more than one is in memory at a time."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tunables.base.arguments import choice, integer
from tunables.base.arguments import path as file_path
from tunables.simulators.shards import Sample, sample_chunk

if TYPE_CHECKING:
    from distributed import Client


def _open_file(path, column: str):
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    path = file_path("path", path)
    said = f"path = {str(path)!r}: must be a Parquet file"
    try:
        if stat.S_ISFIFO(os.stat(path).st_mode):  # reading it would block
            raise ValueError(f"{said}, not a pipe")
        file = ParquetFile(path)
        names = file.schema_arrow.names
    except UnicodeDecodeError:
        raise ValueError(f"{said} whose column names are in UTF-8") from None
    except (ArrowException, OSError) as error:
        raise ValueError(f"{said}: {error}") from None
    choice("column", column, names)
    if not file.metadata.num_rows:
        raise ValueError(f"path = {str(path)!r}: must contain at least one row")
    return file


def row_group(path, column: str, group: int) -> np.ndarray:
    """Return one row group of a column, which holds whole numbers and no gaps.

    Raises ValueError as `row_groups` does, and for a group that the file does not have.
    """
    from pyarrow import ArrowException
    from pyarrow.types import is_integer

    with _open_file(path, column) as file:
        group = integer("group", group, at_most=file.num_row_groups - 1)
        try:
            values = file.read_row_group(group, columns=[column]).column(0)
        except (ArrowException, OSError) as error:
            raise ValueError(f"path = {str(path)!r}, row group {group}: {error}") from None
    if not is_integer(values.type):
        raise ValueError(f"{column}: must hold whole numbers, not {values.type}")
    if values.null_count:
        raise ValueError(f"{column}: must have a number in each row; {values.null_count} have none")
    return values.to_numpy()


def row_groups(path, column: str) -> Iterator[np.ndarray]:
    """Yield the row groups of a column of a Parquet file, in their order.

    Raises ValueError for what is no Parquet file or a damaged one, an unknown column, one that
    does not hold whole numbers, and one with gaps.
    """
    with _open_file(path, column) as file:
        count = file.num_row_groups
    for group in range(count):
        yield row_group(path, column, group)


def _sample_group(path, column: str, group: int, rate: float, seed: int) -> tuple[np.ndarray, int]:
    ids = row_group(path, column, group)
    return sample_chunk(ids, rate, seed), len(ids)


def sample_on(client: Client, path, column: str, rate: float, seed: int = 0) -> Sample:
    """Return what `sample_trace(row_groups(path, column), rate, seed)` does, by Dask's workers.

    Each worker takes row groups when it is free; the results are put into the file's order.
    """
    with _open_file(path, column) as file:
        groups = range(file.num_row_groups)
    parts = client.gather(
        client.map(lambda group: _sample_group(path, column, group, rate, seed), groups, pure=False)
    )
    ids, requests = zip(*parts, strict=True)
    return Sample(np.concatenate(ids), sum(requests))
