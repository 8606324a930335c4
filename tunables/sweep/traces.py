"""Traces in Parquet files, row group by row group: no more than one is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tunables.plain.arguments import choice
from tunables.plain.arguments import path as file_path
from tunables.simulators.shards import Sample, sample_chunk

if TYPE_CHECKING:
    from distributed import Client


def _opened(path, column: str):
    from pyarrow import ArrowInvalid
    from pyarrow.parquet import ParquetFile

    path = file_path("path", path)
    try:
        file = ParquetFile(path)
    except (ArrowInvalid, OSError) as error:
        raise ValueError(f"path = {str(path)!r}: must be a Parquet file: {error}") from None
    choice("column", column, file.schema_arrow.names)
    return file


def row_group(path, column: str, group: int) -> np.ndarray:
    """Return one row group of a column, which holds whole numbers and no gaps."""
    with _opened(path, column) as file:
        values = file.read_row_group(group, columns=[column]).column(0)
    if values.null_count:
        raise ValueError(f"{column}: must have a number in each row; {values.null_count} have none")
    return values.to_numpy()


def row_groups(path, column: str) -> Iterator[np.ndarray]:
    """Yield the row groups of a column of a Parquet file, in their order.

    Raises ValueError for what is no Parquet file, an unknown column, and one with gaps.
    """
    with _opened(path, column) as file:
        count = file.num_row_groups
    for group in range(count):
        yield row_group(path, column, group)


def _sampled(path, column: str, group: int, rate: float, seed: int) -> tuple[np.ndarray, int]:
    ids = row_group(path, column, group)
    return sample_chunk(ids, rate, seed), len(ids)


def sample_on(client: Client, path, column: str, rate: float, seed: int = 0) -> Sample:
    """Return what `sample_trace(row_groups(path, column), rate, seed)` does, by Dask's workers.

    Each takes row groups as it is free; what comes back is put into the file's order.
    """
    with _opened(path, column) as file:
        groups = range(file.num_row_groups)
    parts = client.gather(
        client.map(lambda group: _sampled(path, column, group, rate, seed), groups, pure=False)
    )
    ids, requests = zip(*parts, strict=True)
    return Sample(np.concatenate(ids), sum(requests))
