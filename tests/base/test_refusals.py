"""A refusal stays an ordinary error, which travels between processes."""

import ast
import copy
import copyreg
import pickle
from pathlib import Path

import pytest
from tblib import pickling_support

import tunables
from tunables.base.refusals import refusal

PACKAGE = Path(tunables.__file__).parent
# Loops that numba compiles, where an error is a constant.
COMPILED = {"pcg64.py"}


@pytest.fixture(params=["by itself", "as a worker of a sweep pickles it"])
def pickled_errors(request):
    """dask pickles errors with their frames; then attributes of a copy belong to another copy."""
    before = dict(copyreg.dispatch_table)
    copyreg.dispatch_table.pop(ValueError, None)
    if request.param != "by itself":
        pickling_support.install()
    yield
    copyreg.dispatch_table.clear()
    copyreg.dispatch_table.update(before)


@pytest.mark.usefixtures("pickled_errors")
def test_it_is_pickled_and_copied_with_its_words():
    with pytest.raises(ValueError, match="servers = -1") as caught:
        tunables.erlang_c(-1, 2.0)
    for other in (pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
        assert type(other) is ValueError
        assert str(other) == str(caught.value)
        assert other._render_traceback_ is caught.value._render_traceback_  # type: ignore[attr-defined]


def test_its_kind_may_be_another():
    assert type(refusal("no such name", AttributeError)) is AttributeError


@pytest.mark.parametrize("folder", ["theory", "simulators", "evidence"])
def test_what_a_library_function_refuses_is_shown_briefly(folder):
    bare = [
        f"{path.name}:{node.lineno}"
        for path in (PACKAGE / folder).glob("*.py")
        if path.name not in COMPILED
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise) and "ValueError(" in ast.unparse(node)
    ]
    assert bare == []
