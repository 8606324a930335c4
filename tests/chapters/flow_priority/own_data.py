"""Made-up numbers of the reader's: what follows the model, what breaks it, what is spoiled."""

import numpy as np

from tests.parts.made import SCRIPT, lines, text
from tunables.parts.fit import held_out_rows

TRUTH = {"C": (100e6, 0.08), "z": (0.005, 0.1)}  # value, relative band


def follows(seed=1, discipline="ps"):
    """Return a log of flows."""
    return text("start_s,size_bytes,duration_s", SCRIPT.flows(discipline, 18_000, seed))


def breaks(seed):
    """Return a log of flows that stood in line."""
    return follows(seed, "fifo")


def spoil(source):
    """Make the flows of the windows held out slower; their sizes set the load, and stay."""
    heading, rows = lines(source)
    cells = np.array([row.split(",") for row in rows], dtype=float)
    window = np.arange(len(cells)) * 9 // len(cells)
    cells[np.isin(window, held_out_rows(9)), 2] *= 7
    return text(heading, cells.tolist())
