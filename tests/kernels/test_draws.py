"""A million draws of each kind are the same bits in node as in numba, where they are numpy's."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.kernels.cases import KERNEL_SCRIPTS
from tests.kernels.draws_module import COUNT, FILLERS
from tests.node import node_path
from tunables.simulators.draws import from_seed

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SEED = 2**40 + 5


@pytest.fixture(scope="module")
def in_node(tmp_path_factory):
    """Build the module in a process of its own; return the digests of what it draws."""
    folder = tmp_path_factory.mktemp("draws")
    (folder / "package.json").write_text('{"type": "module"}')
    for script in (*KERNEL_SCRIPTS, HERE / "draws-in-node.js"):
        shutil.copy(script, folder)
    command = [sys.executable, "-m", "tests.kernels.draws_module", str(folder)]
    quick = os.environ | {"NUMBA_OPT": "0", "NUMBA_CACHE_DIR": str(folder / "cache")}
    subprocess.run(command, env=quick, check=True, timeout=240, cwd=ROOT)
    command = [node_path(), str(folder / "draws-in-node.js"), str(SEED), str(COUNT)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(ran.stdout)


@pytest.mark.long  # in `make test` whole kernels draw, in tests/kernels/test_engines.py
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", FILLERS)
def test_node_draws_the_same_bits(name, in_node):
    digest = hashlib.sha256()
    for array in FILLERS[name](SEED, COUNT):
        digest.update(array.tobytes())
    assert in_node[name] == digest.hexdigest()


def test_the_generator_is_numpys():
    drawn, _ = FILLERS["standard_normal"](SEED, 1000)
    assert (drawn == np.random.default_rng(SEED).standard_normal(1000)).all()
    assert (from_seed(SEED) != from_seed(SEED + 1)).any()
