"""The page of races: made from one file, and each race in it has run here."""

import json
import re

import pytest

from benchmarks.side_by_side import Race
from benchmarks.suite import FILE, beyond, main, racing
from tunables.views.races import (
    REFERENCE,
    beyond_table,
    machine_text,
    pairs,
    races_chart,
    races_table,
)

TOLD = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_module_with_races_was_run_and_every_peer_says_what_it_can():
    names = [module.__name__.partition(".")[2] for module in racing()]
    assert list(dict.fromkeys(race["module"] for race in TOLD["races"])) == names
    raced = {pair["peer"] for pair in pairs(TOLD)} - {REFERENCE}
    assert raced == set(TOLD["beyond"]) == set(beyond())


def test_each_race_is_a_row_and_the_closest_come_first():
    rows = races_table(TOLD).rows
    assert len(rows) == len(pairs(TOLD)) > len(TOLD["races"])
    ratios = [float(row[-1].split()[0].replace(",", "")) for row in rows]
    assert ratios == sorted(ratios)
    for pair in pairs(TOLD):
        (race,) = [race for race in TOLD["races"] if race["title"] == pair["race"]]
        ours, theirs = (
            race["work"][name] / race["seconds"][name] for name in ("tunables", pair["peer"])
        )
        assert pair["ratio"] == pytest.approx(ours / theirs)


def test_the_chart_describes_its_ends():
    words = races_chart(TOLD).to_dict()["description"]
    ends = re.search(r"from (\S+) × .* to (\S+) × ", words)
    shown = [pair for pair in pairs(TOLD) if pair["peer"] != REFERENCE]
    assert ends
    for end, pair in zip(ends.groups(), (shown[0], shown[-1]), strict=True):
        assert float(end.replace(",", "")) == pytest.approx(pair["ratio"], rel=0.06)


def test_the_machine_and_what_the_others_do_are_described():
    assert "numba" in machine_text(TOLD)
    assert [row[0] for row in beyond_table(TOLD).rows] == sorted(TOLD["beyond"])


def test_a_suite_that_breaks_writes_nothing(tmp_path, monkeypatch):
    def races():
        yield Race(title="A", about="", unit="sum", runs=1, work={"a": 1}, seconds={"a": 1.0})
        raise ValueError("the answers differ")

    monkeypatch.setattr("benchmarks.suite.racing", lambda: [type("module", (), {"races": races})])
    with pytest.raises(ValueError, match="the answers differ"):
        main(tmp_path / "told.json")
    assert list(tmp_path.iterdir()) == []
