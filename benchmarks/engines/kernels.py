"""This Python's results, in bits, for kernels' inputs that another engine wrote down."""

import json
from pathlib import Path

import numpy as np

from benchmarks.engines.questions import EVENTS, INPUTS
from kernels.entries import entries, flatten, sample_call
from tests.kernels.cases import flat_copy


def _as_written(slot, blob: bytes):
    """Return the bytes of an array, or the bits of a number, as they are in a slot."""
    return slot["bits"] if "bits" in slot else blob[slot["at"] : slot["at"] + slot["bytes"]]


def _bits(value):
    if isinstance(value, np.ndarray):
        return value.tobytes()
    return str(int(np.float64(value).view(np.int64)) if isinstance(value, float) else int(value))


def _fill(arguments: tuple, case: dict, blob: bytes) -> str:
    """Fill the arrays as they were when the case was written; report a number that differs."""
    for value, slot in zip(flatten(arguments), case["takes"], strict=True):
        if isinstance(value, np.ndarray):
            value[...] = np.frombuffer(_as_written(slot, blob), value.dtype).reshape(value.shape)
        elif _bits(value) != slot["bits"]:
            return "draws another input"
    return ""


def _verdict(function, arguments: tuple, case: dict, blob: bytes) -> str:
    try:
        result = function(*arguments)
    except ValueError as error:
        return "" if str(error) == case.get("error") else str(error)
    if "error" in case:
        return f"did not raise {case['error']}"
    left = [value for value in flatten(arguments) if isinstance(value, np.ndarray)]
    for said, slots in ((flatten(result), case["returns"]), (left, case["leaves"])):
        if [_bits(value) for value in said] != [_as_written(slot, blob) for slot in slots]:
            return "gives something else"
    return ""


def compare(folder: Path) -> dict:
    """Return {"cases": how many, "differ": [[entry, seed, what is wrong]]} of a written folder."""
    cases = json.loads((folder / "cases.json").read_text())
    blob = (folder / "cases.bin").read_bytes()
    of_each = (entry for entry in entries(folder.name) for _ in range(INPUTS))
    differ = []
    for case, entry in zip(cases, of_each, strict=True):
        function, given = sample_call(entry, case["seed"], EVENTS)
        arguments = tuple(flat_copy(value) for value in given)
        wrong = _fill(arguments, case, blob) or _verdict(function, arguments, case, blob)
        differ += [[case["entry"], case["seed"], wrong]] if wrong else []
    return {"cases": len(cases), "differ": differ}
