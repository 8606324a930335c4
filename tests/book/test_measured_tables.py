"""The table of engines says what its file says."""

import json
from pathlib import Path

from book._ext import markdown_tables as tables

ROOT = Path(__file__).parents[2]


def row(**counted):
    empty = dict.fromkeys(("closed_forms", "runs", "kernels", "pages"))
    return {"engine": "one"} | empty | counted


def test_an_engine_is_held_against_the_first():
    first = row(closed_forms={"asked": 1200, "unequal": 0, "largest_relative": 0.0})
    other = row(
        closed_forms={"asked": 1200, "unequal": 9, "largest_relative": 5e-13},
        runs={"asked": 8, "unequal": 1},
        pages={"asked": 6, "unequal": 0},
    )
    _, _, one, two = tables.engines_lines([first, other])
    assert one == "| one | 1,200 | – | – | – |"
    assert two == "| one | 9 of 1,200 differ, by at most 5e-13 | 1 of 8 differ | – | all 6 equal |"


def test_the_table_has_the_engines_of_the_file():
    assert tables.engines_lines(json.loads(tables.ENGINES.read_text())["engines"])[2:]
