"""The rows of a chunk, computed wherever a worker is, as the bytes of a Parquet file."""

import math
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from tunables.parts.case import Case
from tunables.parts.registry import find_case
from tunables.sweep.plan import Plan, plan_of

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
    case = find_case(plan.case)
    fields = [("point", pa.int64())]
    for axis in plan.axes:
        kind = pa.string() if axis.parameter.choices else pa.float64()
        fields.append((axis.parameter.name, pa.int64() if axis.parameter.whole else kind))
    fields += [("seed", pa.int64())] * bool(plan.seeds)
    fields += [(output.name, pa.float64()) for output in case.outputs]
    if plan.seeds:
        fields += [(f"simulated_{output.name}", pa.float64()) for output in case.outputs]
    return pa.schema([*fields, ("refusal", pa.string())])


def _finite(value: float | int | str | None) -> float | int | str | None:
    return None if isinstance(value, float) and math.isnan(value) else value


def chunk_bytes(plan_text: str, chunk: int) -> bytes:
    """Return a chunk as a Parquet file: the same bytes wherever it is computed.

    What an output has no number for is null; why a point is refused stands in "refusal".
    """
    plan = plan_of(plan_text)
    rows = [{name: _finite(value) for name, value in row.items()} for row in _rows(plan, chunk)]
    table = pa.Table.from_pylist(rows, schema=schema(plan))
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content
