"""The committed files of each module: its code, its entries, and the functions in it."""

import ast
import hashlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import cast

import numpy as np

FOLDER = Path(__file__).with_name("built")
REBUILD = "run `make kernels` and commit what it writes"
LIMIT_S = 240


def code_path(name: str, folder: Path = FOLDER) -> Path:
    """Return the path of a module's code."""
    return folder / f"{name}.wasm"


def table_path(name: str, folder: Path = FOLDER) -> Path:
    """Return the path of a module's table."""
    return folder / f"{name}.json"


def read_table(name: str) -> dict:
    """Return {"entries": {name: {"takes", "returns"}}, "functions": digests, "by": versions}.

    What an entry takes and returns is in the words of `kernels.slots.slot_kinds`.
    """
    found: dict = json.loads(table_path(name).read_text(encoding="utf-8"))
    return found


def build(name: str, folder: Path) -> None:
    """Write the code and the table of a module to a folder.

    This takes a separate process: numba must not optimise, and must have no cache, which returns
    functions without their IR.
    """
    command = [sys.executable, "-m", "kernels.building", name, str(folder.resolve())]
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_OPT": "0", "NUMBA_CACHE_DIR": cache}
        subprocess.run(command, env=environment, check=True, timeout=LIMIT_S, cwd=FOLDER.parents[1])


def versions() -> dict[str, str]:
    """Return what the bytes of a module depend on, besides its source."""
    packages = {name: version(name) for name in ("numba", "llvmlite", "ziglang")}
    return {"python": f"{sys.version_info.major}.{sys.version_info.minor}", **packages}


def digests() -> dict[str, str]:
    """Return the digest of each function of the package that has been compiled so far."""
    compiled = {
        value
        for name, module in list(sys.modules.items())
        if name.startswith("tunables.")
        for value in vars(module).values()
        if getattr(value, "overloads", None)
    }
    return {f"{each.__module__}.{each.__name__}": digest(each) for each in compiled}


def digest(function) -> str:
    """Return a digest of a compiled function's code and of the constants that it uses.

    Comments and docstring do not count; what it calls has a digest of its own.
    """
    source = textwrap.dedent(inspect.getsource(function.py_func))
    tree = cast(ast.FunctionDef, ast.parse(source).body[0])
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    used = inspect.getclosurevars(function.py_func).globals
    constants = [f"{name} = {_value(used[name])}" for name in sorted(used)]
    return hashlib.sha256("\n".join([ast.unparse(tree), *constants]).encode()).hexdigest()[:16]


def _value(used) -> str:
    """Return what a global name adds to the code that uses it."""
    if isinstance(used, np.ndarray):
        return f"{used.dtype} {used.tobytes().hex()}"
    if callable(used) or inspect.ismodule(used):
        return f"{getattr(used, '_fields', '')}"  # a record's fields are places in it
    return repr(used)


def changed_functions(name: str) -> list[str]:
    """Return the functions of a module that have changed since it was built."""
    return [path for path, was in read_table(name)["functions"].items() if _digest_at(path) != was]


def _digest_at(path):
    module, _, name = path.rpartition(".")
    function = getattr(import_module(module), name, None)
    return digest(function) if hasattr(function, "py_func") else None
