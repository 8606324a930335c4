"""The committed kernels are those of the source: function by function, and byte by byte."""

import gzip
import inspect
from importlib import import_module

import pytest

from kernels.built import REBUILD, build, changed, code_path, read_table, versions
from kernels.entries import called, entries, entry_name, module_names

MOST_BYTES_COMPRESSED = 80_000


@pytest.mark.parametrize("name", module_names())
def test_no_function_has_changed_since_it_was_built(name):
    assert changed(name) == [], f"these are not as in kernels/built/{name}.wasm: {REBUILD}"


def test_a_constant_counts_as_code(monkeypatch):
    name = "replication"
    path = next(path for path in read_table(name)["functions"] if path.endswith("mean_window"))
    home = import_module(path.rpartition(".")[0])
    used = inspect.getclosurevars(home.mean_window.py_func).globals
    constant = next(key for key, value in used.items() if isinstance(value, float))
    monkeypatch.setattr(home, constant, used[constant] * 2)
    assert changed(name) == [path]


@pytest.mark.parametrize("name", module_names())
def test_all_entries_are_built(name):
    wanted = {entry_name(called(each, 0, 100)[0]) for each in entries(name)}
    assert read_table(name)["entries"].keys() == wanted, REBUILD


# The others, of the same code of ours, are built anew by `make harden`.
BUILT_ANEW = [
    name if name == "shared" else pytest.param(name, marks=pytest.mark.long)
    for name in module_names()
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", BUILT_ANEW)
def test_a_build_gives_the_same_bytes(name, tmp_path):
    by = read_table(name)["by"]
    if by != versions():
        pytest.skip(f"built by {by}, and here are {versions()}: bytes may differ")
    build(name, tmp_path)
    assert code_path(name, tmp_path).read_bytes() == code_path(name).read_bytes(), REBUILD


@pytest.mark.parametrize("name", module_names())
def test_no_module_names_the_files_it_was_made_of(name):
    """numba's texts for errors in array expressions do: such a module differs by its folder."""
    assert b".py" not in code_path(name).read_bytes()


def test_all_modules_together_are_small():
    sizes = {name: len(gzip.compress(code_path(name).read_bytes(), 9)) for name in module_names()}
    assert sum(sizes.values()) <= MOST_BYTES_COMPRESSED, sizes
