"""Calls of the kernels with what numba makes of them, written down for the engines to compare."""

import json
import shutil
from pathlib import Path

import numpy as np

from kernels.entries import entries, entry_name, flatten, sample_call
from kernels.modules import code_path, read_table
from tests.chapters.notebooks import ROOT

KERNEL_SCRIPTS = [ROOT / "book/_static/engine/kernels.js"]


def _bits(number) -> str:
    return str(int(np.float64(number).view(np.int64)) if isinstance(number, float) else int(number))


def _write_arrays(blob, values):
    """Write arrays to the blob; return what stands in each slot."""
    rows: list[dict] = []
    for value in values:
        if not isinstance(value, np.ndarray):
            rows.append({"bits": _bits(value)})
            continue
        data = np.ascontiguousarray(value)
        rows.append({"at": blob.tell(), "bytes": data.nbytes, "shape": data.shape})
        blob.write(data.tobytes())
        blob.write(bytes(-data.nbytes % 8))  # typed arrays begin at multiples of 8
    return rows


def _case(blob, entry, seed, events):
    function, arguments = sample_call(entry, seed, events)
    arguments = tuple(flat_copy(value) for value in arguments)
    case = {
        "entry": entry_name(function),
        "seed": seed,
        "takes": _write_arrays(blob, flatten(arguments)),
    }
    try:
        result = function(*arguments)
    except ValueError as error:
        return case | {"error": str(error)}
    arrays = (value for value in flatten(arguments) if isinstance(value, np.ndarray))
    return case | {
        "leaves": _write_arrays(blob, arrays),
        "returns": _write_arrays(blob, flatten(result)),
    }


def flat_copy(value):
    """Return arguments that a kernel may change."""
    if isinstance(value, tuple):
        items = map(flat_copy, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value.copy() if isinstance(value, np.ndarray) else value


def write_cases(folder: Path, name: str, seeds, events: int) -> int:
    """Write to a folder a module and calls of all its entries; return how many calls."""
    folder.mkdir()
    with (folder / "cases.bin").open("wb") as blob:
        cases = [_case(blob, each, seed, events) for each in entries(name) for seed in seeds]
    (folder / "cases.json").write_text(json.dumps(cases))
    (folder / "table.json").write_text(json.dumps(read_table(name)))
    shutil.copy(code_path(name), folder / "kernels.wasm")
    return len(cases)


def write_all(folder: Path, names, seeds, events: int) -> dict[str, int]:
    """Write the cases of several modules, and the scripts; return how many calls of each."""
    here = Path(__file__).parent
    for script in (*KERNEL_SCRIPTS, *here.glob("*.js"), *here.glob("*.html")):
        shutil.copy(script, folder)
    (folder / "names.json").write_text(json.dumps(names))
    return {name: write_cases(folder / name, name, seeds, events) for name in names}
