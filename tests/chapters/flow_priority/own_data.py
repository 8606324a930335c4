"""Made-up flow logs: one that follows the model, one that breaks it, one that is spoiled."""

import numpy as np

from tests.core.made import SCRIPT, lines, text
from tunables.core.fit import held_out_rows

TRUTH = {"C": (100e6, 0.08), "z": (0.005, 0.1)}  # value, relative band


def follows(seed=1, discipline="ps"):
    """Return a flow log that follows the model."""
    return text("start_s,size_bytes,duration_s", SCRIPT.flows(discipline, 18_000, seed))


def breaks(seed):
    """Return a flow log of a first-come, first-served port."""
    return follows(seed, "fifo")


def spoil(source):
    """Slow down the flows of the held-out windows. Their sizes stay, since they set the load."""
    heading, rows = lines(source)
    cells = np.array([row.split(",") for row in rows], dtype=float)
    window = np.arange(len(cells)) * 9 // len(cells)
    cells[np.isin(window, held_out_rows(9)), 2] *= 7
    return text(heading, cells.tolist())
