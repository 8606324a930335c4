"""Sweeps: a case's model at every point of a grid, on as many processors as there are.

`python -m tunables sweep CASE --grid NAME=LOW:HIGH:COUNT --out FOLDER`, or `run.run_sweep` with a
`plan.Plan` of axes that `axes.parsed_axis` reads. It needs requirements-sweep.txt: Dask for the
processors, pyarrow for the files.
"""
