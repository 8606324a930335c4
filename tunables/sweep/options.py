"""The arguments of `python -m tunables sweep`, which needs nothing to say what it takes."""

import argparse

FORM = "NAME, NAME=VALUE,VALUE,..., NAME=LOW:HIGH or NAME=LOW:HIGH:COUNT"


def add_sweep(commands: argparse._SubParsersAction) -> None:
    """Add the command to those of the command line."""
    sweep = commands.add_parser("sweep", help="a case's model at every point of a grid, in files")
    sweep.add_argument("case", help="a case")
    sweep.add_argument("--grid", action="append", default=[], help=f"a parameter: {FORM}")
    sweep.add_argument("--sobol", default="0", help="draw so many points in place of a grid")
    sweep.add_argument("--seeds", default="0", help="so many simulated runs at each point")
    sweep.add_argument("--chunk", default="512", help="points that are one file (default 512)")
    sweep.add_argument("--out", required=True, help="a folder: new, or of this sweep, to go on")
    sweep.add_argument("--scheduler", help="the address of a Dask scheduler")
    sweep.add_argument("--workers", help="processes of this machine (default: one a processor)")
