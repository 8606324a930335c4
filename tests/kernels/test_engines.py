"""Each kernel gives the bits of numba in every engine: results, changed arrays, errors."""

import pytest

from kernels.entries import module_names
from tests.kernels.cases import write_all
from tests.kernels.engines import ENGINES

INPUTS = 200
EVENTS = 300  # about, of one input


@pytest.fixture(scope="module")
def written_inputs(tmp_path_factory):
    """Return a folder with 200 inputs of each kernel, and how many calls a module has."""
    folder = tmp_path_factory.mktemp("kernels")
    return folder, write_all(folder, module_names(), range(INPUTS), EVENTS)


@pytest.mark.sampled  # node and Firefox; Chromium's engine is node's
@pytest.mark.timeout(600)
@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_gives_the_bits_of_numba(engine, written_inputs):
    folder, calls = written_inputs
    wanted = {name: {"cases": count, "differ": []} for name, count in calls.items()}
    assert ENGINES[engine](folder) == wanted
