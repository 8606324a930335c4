"""The run of `make test` with NUMBA_BOUNDSCHECK=1 does check: it has kernels of its own."""

import os

import numpy as np
import pytest

from tunables.simulators.eviction import lru_hits


@pytest.mark.skipif(
    os.environ.get("NUMBA_BOUNDSCHECK") != "1", reason="kernels are not checked in this run"
)
def test_a_kernel_that_reads_out_of_bounds_says_so():
    ids = np.array([0, 1, 5], dtype=np.int32)
    with pytest.raises(IndexError):
        lru_hits(ids, 2, 2, 0, np.empty(0, np.int64))
