"""Build one module: python -m kernels.building NAME FOLDER, as `kernels.modules.build` calls it."""

import json
import os
import sys
from pathlib import Path

from numba import typeof

from kernels.compiling import compile_object
from kernels.entries import entries, entry_name, sample_call
from kernels.linking import link
from kernels.modules import code_path, digests, table_path, versions


def compile_module(name: str) -> tuple[bytes, dict]:
    """Return the code of a module and its table, as `kernels.modules` keeps them.

    Raises RuntimeError where numba optimises: its optimised code holds 64-bit addresses.
    """
    if os.environ.get("NUMBA_OPT") != "0":
        raise RuntimeError("NUMBA_OPT: must be 0 in the environment; `kernels.build` sets it")
    functions = (sample_call(entry, seed=0, events=100) for entry in entries(name))
    typed = {
        entry_name(function): (function, [typeof(value) for value in arguments])
        for function, arguments in functions
    }
    object_code, table = compile_object(typed)
    description = {"entries": table, "functions": digests(), "by": versions()}
    return link(object_code, table), description


def _write(name, folder):
    code, description = compile_module(name)
    code_path(name, folder).write_bytes(code)
    text = json.dumps(description, indent=1, sort_keys=True)
    table_path(name, folder).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write(sys.argv[1], Path(sys.argv[2]))
