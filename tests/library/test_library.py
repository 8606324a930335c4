"""`import tunables` offers the models by name, loads none before its use, and has types."""

import ast
import subprocess
import sys
from importlib import import_module
from inspect import getdoc, isclass, isfunction
from pathlib import Path
from pkgutil import iter_modules

import pytest
from mypy import api

import tunables
import tunables.theory
from tunables.names import homes

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("ten_lines.py")
IS_LIGHT = """
import sys, tunables
names = dir(tunables)
assert {"erlang_c", "simulate_retry_storm", "find_case"} <= {*names}
heavy = {"numpy", "numba", "altair", "ipywidgets"} & {*sys.modules}
assert not heavy, heavy
tunables.erlang_c(4, 3.2)
loaded = {name.split(".")[1] for name in sys.modules if name.startswith("tunables.")}
assert loaded == {"names", "base", "theory"}, loaded
"""


@pytest.mark.parametrize("name", homes())
def test_each_name_is_there_and_says_what_it_is(name):
    found = getattr(tunables, name)
    assert found is getattr(import_module(homes()[name]), name)
    assert isclass(found) or isfunction(found)
    assert getdoc(found)


def test_every_closed_form_with_an_example_is_offered():
    modules = [
        import_module(f"tunables.theory.{entry.name}")
        for entry in iter_modules(tunables.theory.__path__)
    ]
    forms = {
        name
        for module in modules
        for name, form in vars(module).items()
        if isfunction(form) and form.__module__ == module.__name__ and ">>>" in (getdoc(form) or "")
    }
    assert len(forms) > 80
    assert {name for name in forms if not name.startswith("_")} <= {*homes()}


def test_no_name_is_offered_twice():
    stub = ast.parse((ROOT / "tunables" / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    names = [alias.name for node in imports for alias in node.names]
    assert sorted(names) == sorted(homes())
    packages = {entry.name for entry in iter_modules(tunables.__path__)}
    assert not packages & {*names}


def test_what_is_not_used_is_not_loaded():
    subprocess.run([sys.executable, "-c", IS_LIGHT], check=True, cwd=ROOT)


def test_a_wrong_name_is_refused_with_names_like_it():
    with pytest.raises(AttributeError, match="'erlang_x': did you mean erlang_c or erlang_b"):
        _ = tunables.erlang_x  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"dir\(tunables\) lists"):
        _ = tunables.qqqqq  # type: ignore[attr-defined]
    assert not hasattr(tunables, "__wrapped__")


def test_a_case_and_a_fit_say_in_a_few_lines_what_they_are():
    case = repr(tunables.find_case("rrd"))
    assert case.startswith("Case 'rrd': ")
    assert "predict(graphs=40000.0, " in case
    assert "slowdown (1)" in case
    fit = tunables.fit_path(5, ROOT / "labs" / "samples" / "own" / "5-fits.csv")
    first, *parameters = repr(fit).splitlines()
    assert first == fit.verdict
    assert len(parameters) == len(fit.parameters)
    assert "bit/s (fitted)" in parameters[0]


def test_a_result_says_its_columns_and_their_ranges():
    run = tunables.simulate_hedged_requests(10, 50.0, 0.1, delay_s=0.3, requests=100, seed=1)
    name, *columns = repr(run).splitlines()
    assert name == "HedgedRequests"
    assert [line.split()[0] for line in columns] == [*run._fields]
    assert columns[3].split()[1:4] == ["100", "x", "2,"]
    assert "nan" not in repr(run)  # the copies that were never sent


@pytest.mark.long
@pytest.mark.timeout(900)
def test_mypy_strict_finds_types_in_a_users_script(tmp_path):
    options = [
        "--strict",
        "--config-file=",
        "--follow-imports=silent",
        "--cache-dir",
        f"{tmp_path}",
    ]
    printed, troubles, code = api.run([*options, str(SCRIPT)])
    assert (code, troubles) == (0, ""), printed


@pytest.mark.slow
def test_the_script_runs():
    subprocess.run([sys.executable, SCRIPT], check=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)})


def test_keys_of_any_kind_make_a_trace_with_the_same_hits():
    keys = ["/a", "/b", "/a", ("c", 1), "/b", "/a"]
    trace = tunables.key_trace(key for key in keys)
    assert trace.tolist() == [0, 1, 0, 2, 1, 0]
    assert tunables.miss_ratio_curve(trace)[-1] == len({*keys}) / len(keys)
    with pytest.raises(ValueError, match=r"keys\[1\] = \[\]: must be text"):
        tunables.key_trace(["/a", []])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="keys = '/a': must be a non-empty sequence of keys"):
        tunables.key_trace("/a")
