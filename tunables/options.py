"""Options of the command line: text turned into numbers, and the arguments of whole commands."""

import argparse

from tunables.base.arguments import integer

_MOST_DIGITS = 100  # Python reads at most 4300, and more than 100 are a mistake


def parse_integer(name: str, text: str, at_least: int = 0, at_most: int | None = None) -> int:
    """Return a whole number in the range from its digits; isdigit would let "²" through.

    Raises ValueError as `integer` does.

    >>> parse_integer("students", "60")
    60
    >>> parse_integer("students", "6e1")
    Traceback (most recent call last):
    ValueError: students = '6e1': must be a whole number at least 0
    """
    digits = text.isdecimal() and len(text) <= _MOST_DIGITS
    return integer(name, int(text) if digits else text, at_least, at_most)


FORM = "NAME, NAME=VALUE,VALUE,..., NAME=LOW:HIGH or NAME=LOW:HIGH:COUNT"
GRID = (
    f"a parameter: {FORM}; a value may have a unit, as in 300 ms, and a value without one is in "
    "the unit at the end of the name, as in timeout_s"
)


def add_sweep(commands: argparse._SubParsersAction) -> None:
    """Add the command to those of the command line."""
    sweep = commands.add_parser(
        "sweep", help="run a case's model at every point of a grid, and write the results to files"
    )
    sweep.add_argument("case", help="the name of a case")
    sweep.add_argument("--grid", action="append", default=[], help=GRID)
    sweep.add_argument("--sobol", default="0", help="draw this many points instead of using a grid")
    sweep.add_argument("--seeds", default="0", help="the number of simulated runs at each point")
    sweep.add_argument(
        "--chunk", default="512", help="the number of points in one file (default 512)"
    )
    sweep.add_argument(
        "--out",
        required=True,
        help="the output folder: a new one, or the folder of an interrupted sweep to resume",
    )
    sweep.add_argument("--scheduler", help="the address of a Dask scheduler")
    sweep.add_argument(
        "--workers", help="the number of processes on this machine (default: one per processor)"
    )


def add_audit(commands: argparse._SubParsersAction) -> None:
    """Add the command to those of the command line."""
    audit = commands.add_parser(
        "audit",
        help="say which numbers in a file's tables are impossible; exit with status 1 if any are",
    )
    audit.add_argument(
        "file", help="Markdown, HTML, CSV, TSV, aligned columns, or the output of a load tool"
    )
    audit.add_argument("--format", choices=["text", "json", "github", "markdown"], default="text")
    audit.add_argument("--table", help="only this table of the file, counted from 1")
    audit.add_argument(
        "--column",
        action="append",
        default=[],
        help="what a column means: its number (from 1), then = and a meaning, as in 4=latency",
    )


def add_hand_in(commands: argparse._SubParsersAction) -> None:
    """Add the commands for what students hand in from the page."""
    roster, secret = "a CSV with the columns id and name", "a secret of several words"
    codes = commands.add_parser(
        "class-codes", help="write each student's code for handing in work from the page"
    )
    codes.add_argument("roster", help=roster)
    codes.add_argument("--secret", required=True, help=secret)
    codes.add_argument(
        "--format", choices=["csv", "text"], default="csv", help="text: slips to print and cut out"
    )
    codes.add_argument("--output", help="the file to write (default: the terminal)")
    grade = commands.add_parser(
        "grade-page", help="check and mark the work that students handed in from the page"
    )
    grade.add_argument(
        "submissions",
        help="a file with the students' texts, or a folder or zip from a learning platform",
    )
    grade.add_argument("--roster", required=True, help=roster)
    grade.add_argument("--secret", required=True, help="the secret that the codes were made with")
    grade.add_argument(
        "--chapter", help="mark only this chapter (default: every chapter handed in)"
    )
    grade.add_argument("--output", help="the file to write (default: the terminal)")
