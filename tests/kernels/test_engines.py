"""Each kernel gives the bits of numba in every engine: results, changed arrays, errors."""

from functools import cache

import pytest

from kernels.entries import module_names
from tests.kernels.cases import write_all
from tests.kernels.engines import ENGINES

FEW, MANY = 20, 200  # inputs of each kernel
EVENTS = 300  # about, of one input


@pytest.fixture(scope="module")
def write_inputs(tmp_path_factory):
    """Return the function that writes so many inputs of each kernel into a folder, once.

    It returns the folder, and how many calls a module has.
    """

    @cache
    def write(inputs):
        folder = tmp_path_factory.mktemp("kernels")
        return folder, write_all(folder, module_names(), range(inputs), EVENTS)

    return write


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("engine", "inputs"),
    [("node", FEW), *(pytest.param(each, MANY, marks=pytest.mark.long) for each in ENGINES)],
)
def test_an_engine_gives_the_bits_of_numba(engine, inputs, write_inputs):
    folder, calls = write_inputs(inputs)
    wanted = {name: {"cases": count, "differ": []} for name, count in calls.items()}
    assert ENGINES[engine](folder) == wanted
