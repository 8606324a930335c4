"""The tables of what was measured of the book itself say what the files say."""

import json
from pathlib import Path

from book._ext import engines

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
    _, _, one, two = engines.engines_lines([first, other])
    assert one == "| one | 1,200 | – | – | – |"
    assert two == "| one | 9 of 1,200 differ, by 5e-13 at most | 1 of 8 differ | – | all 6 equal |"


def test_a_mutant_that_runs_into_its_time_limit_is_noticed_and_an_explained_one_not_tried():
    group = {"group": "theory", "mutants": 4783, "tried": 50, "explained": 5, "killed": 40}
    group |= {"timed out": 2, "survived": 3, "score": 42 / 45, "interval": [0.8173, 0.9860]}
    line = engines.mutants_lines([group])[-1]
    assert line == "| theory | 4,783 | 45 | 42 | 93 % | 82 % to 99 % |"


def test_the_files_have_what_the_tables_show():
    assert engines.engines_lines(json.loads(engines.ENGINES.read_text())["engines"])[2:]
    groups = json.loads(engines.MUTANTS.read_text())
    assert len(engines.mutants_lines(groups)) == 2 + len(groups)
    for group in groups:
        noticed = group["killed"] + group["timed out"]
        assert noticed + group["survived"] + group["explained"] == group["tried"]
        assert abs(noticed / (noticed + group["survived"]) - group["score"]) < 1e-4
