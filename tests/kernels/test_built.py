"""The committed kernels are those of the source: function by function, and byte by byte."""

import gzip
import inspect
from importlib import import_module

import pytest

from kernels.entries import SHARED, entries, entry_name, module_names, sample_call
from kernels.modules import REBUILD, build, changed_functions, code_path, read_table, versions
from tests.chapters.notebooks import ROOT

MOST_BYTES_COMPRESSED = 100_000


@pytest.mark.parametrize("name", module_names())
def test_no_function_has_changed_since_it_was_built(name):
    assert changed_functions(name) == [], f"not as in kernels/built/{name}.wasm: {REBUILD}"


def test_a_constant_counts_as_code(monkeypatch):
    name = "replication"
    path = next(path for path in read_table(name)["functions"] if path.endswith("mean_window"))
    home = import_module(path.rpartition(".")[0])
    used = inspect.getclosurevars(home.mean_window.py_func).globals
    constant = next(key for key, value in used.items() if isinstance(value, float))
    monkeypatch.setattr(home, constant, used[constant] * 2)
    assert changed_functions(name) == [
        path,
        path.replace("mean_window", "window_trace"),
    ]  # both use it


@pytest.mark.parametrize("name", module_names())
def test_all_entries_are_built(name):
    wanted = {entry_name(sample_call(each, 0, 100)[0]) for each in entries(name)}
    assert read_table(name)["entries"].keys() == wanted, REBUILD


@pytest.mark.parametrize("name", [name for name in module_names() if name != SHARED])
def test_what_a_chapters_simulations_import_compiled_is_an_entry(name):
    folder = ROOT / "tunables/chapters" / name
    homes = [
        import_module(f"tunables.chapters.{name}.{p.stem}") for p in folder.glob("*simulation.py")
    ]
    found = {entry_name(f) for home in homes for f in vars(home).values() if hasattr(f, "py_func")}
    assert found
    assert found <= read_table(name)["entries"].keys()


# The others, of the same code of ours, are built again by `make harden`.
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
