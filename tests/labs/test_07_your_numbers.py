"""The lab Your numbers: what its words say of the samples, and the answers to its exercises."""

import re

import pytest

from tests.chapters.notebooks import ROOT, cells, prose
from tests.core.made import lines, text
from tunables.core.registry import chapters_with, fit_source
from tunables.page.chapters import find_chapter

LAB = ROOT / "labs" / "07-your-numbers.ipynb"
OWN = ROOT / "labs" / "samples" / "own"
NUMBERS = [find_chapter(slug).number for slug in chapters_with("fit_request")]


@pytest.fixture(scope="module")
def fits():
    stems = {path: path.stem.split("-") for path in OWN.iterdir()}
    return {(int(number), kind): fit_source(number, path) for path, (number, kind) in stems.items()}


def test_the_two_capacities_of_the_opening(fits):
    shared, in_line = (fits[4, kind].value("C") / 1e6 for kind in ("fits", "misfit"))
    opening = re.search(
        r"capacity is (\d+) Mbit/s in the first log and (\d+) Mbit/s in the second", prose(LAB)
    )
    assert opening
    assert [int(number) for number in opening.groups()] == [round(shared), round(in_line)]


def test_the_shares_of_the_outages(fits):
    verdict = fits[2, "misfit"].verdict
    assert "eight first attempts in a hundred failed, but after a failure three" in prose(LAB)
    assert "fails in 75% of the cases, but a first attempt fails in 8%" in verdict


def test_half_the_bands_turn_chapter_3_alone(fits):
    turned = [n for n in NUMBERS if fits[n, "fits"].error > fits[n, "fits"].model.band / 2]
    assert turned == [3]
    assert "half as wide:* only the verdict of chapter 3" in prose(LAB)
    errors = sorted(abs(row.predicted - row.measured) for row in fits[3, "fits"].held_out)
    assert errors[-1] > 0.2 > 0.025 > errors[-2]  # one capacity beside the cliff


def test_a_thousand_flows_are_too_few():
    heading, rows = lines((OWN / "4-fits.csv").read_text())
    with pytest.raises(
        ValueError,
        match=r"9 windows and 3 size classes, and in one window, one class has only 24 flo",
    ):
        fit_source(4, text(heading, rows[:1000]))


def test_more_flows_at_one_load_get_a_note():
    heading, rows = lines((OWN / "4-fits.csv").read_text())
    quiet = [[float(cell) for cell in row.split(",")] for row in rows[:500]]
    span = quiet[-1][0]
    many = [(start + copy * span, *rest) for copy in range(9) for start, *rest in quiet]
    assert "look the same" in fit_source(4, text(heading, many)).notes[-1]


def test_a_log_without_its_delays_is_refused():
    _, rows = lines((OWN / "1-fits.csv").read_text())
    cells = (row.split(",") for row in rows)
    fit = fit_source(1, text("time_s,clients,response_s", ((t, n, r) for t, n, _, r in cells)))
    assert fit.error > 2 * fit.model.band
    assert "None of the runs has a delay" in fit.notes[0]


def test_every_report_and_every_verdict_is_shown():
    source = "\n".join(cell["source"] for cell in cells(LAB, "code"))
    for number in NUMBERS:
        assert f"FitReport(follows[{number}])" in source
        assert f"print(breaks[{number}].verdict)" in source
