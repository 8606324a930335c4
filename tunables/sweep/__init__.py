"""Sweeps: a case's model at every point of a grid, on as many processors as there are.

`python -m tunables sweep CASE --grid NAME=LOW:HIGH:COUNT --out FOLDER`, or `run_sweep` here. It
needs requirements-sweep.txt: Dask for the processors, pyarrow for the files.
"""

from tunables.sweep.axes import Axis, parsed_axis
from tunables.sweep.plan import Plan
from tunables.sweep.run import run_sweep

__all__ = ["Axis", "Plan", "parsed_axis", "run_sweep"]
