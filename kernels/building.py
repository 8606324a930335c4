"""Build one module: python -m kernels.building NAME FOLDER, as `kernels.built.build` calls it."""

import json
import os
import sys
from pathlib import Path

from numba import typeof

from kernels.built import code_path, digests, table_path, versions
from kernels.compiling import compiled_object
from kernels.entries import called, entries, entry_name
from kernels.linking import linked


def built(name: str) -> tuple[bytes, dict]:
    """Return the code of a module and its table, as `kernels.built` keeps them.

    Raises RuntimeError where numba optimises: its optimised code holds 64-bit addresses.
    """
    if os.environ.get("NUMBA_OPT") != "0":
        raise RuntimeError("NUMBA_OPT: must be 0 in the environment; `kernels.built.build` sets it")
    functions = (called(entry, seed=0, events=100) for entry in entries(name))
    typed = {
        entry_name(function): (function, [typeof(value) for value in arguments])
        for function, arguments in functions
    }
    object_code, described = compiled_object(typed)
    made = {"entries": described, "functions": digests(), "by": versions()}
    return linked(object_code, described), made


def _write(name, folder):
    code, made = built(name)
    code_path(name, folder).write_bytes(code)
    text = json.dumps(made, indent=1, sort_keys=True)
    table_path(name, folder).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write(sys.argv[1], Path(sys.argv[2]))
