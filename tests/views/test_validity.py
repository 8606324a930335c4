"""The validity map as a reader sees it: words, markup, widgets."""

import re

import pytest

from tests.views.asked import ask_view
from tunables.page.validity import judge, plain, verdict
from tunables.views.validity import validity_map

AXIS = {"short": "load", "unit": "1/s", "values": [1, 2, 3], "texts": ["1", "2", "3"]}
DESCRIPTION = {
    "x": AXIS,
    "y": {"short": "time", "unit": "", "values": [5, 6], "texts": ["5", "6"]},
    "unit": "s",
    "digits": 1,
    "cells": [
        [(10, 10, 0.1), (12, 10, 0.1), (13, 10, 0.1)],
        [(10, 10, 0.1), (10, 10, 0.1), (8, 10, 1.0)],
    ],
}


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ((105, 100, 0), "agrees"),
        ((105.1, 100, 0), "too high"),
        ((94.9, 100, 0), "too low"),
        ((110, 100, 10.1), "undecided"),
        ((110, 100, 9.9), "too high"),
        ((100, 100, 5), "agrees"),
        ((100, 100, 5.1), "undecided"),
    ],
)
def test_a_cell_parts_beyond_the_tolerance_and_beyond_the_noise(cell, said):
    assert verdict(cell, 0.05) == said


def test_the_summary_counts_the_cells_and_says_where_they_are():
    judged = judge(DESCRIPTION, 5)
    assert judged["summary"] == (
        "Closed form and simulation differ by more than 5% in 3 of 6 cells. The closed form is "
        "too high in 2 cells, where load is at least 2/s and time is 5; too low in 1 cell, "
        "where load is 3/s and time is 6."
    )
    assert judged["texts"][1][2] == (
        "closed form 8.0 s, simulated 10.0 ± 1.0 s, difference −20.0%: too low"
    )


def test_the_summary_says_what_noise_hides_and_when_nothing_disagrees():
    wide = DESCRIPTION | {"cells": [[(10, 10, 1.0)] * 3] * 2}
    assert judge(wide, 5)["summary"] == (
        "Closed form and simulation differ by more than 5% in 0 of 6 cells. "
        "Cells left undecided because the simulation is too noisy there: 6."
    )
    assert judge(wide, 20)["summary"].endswith("by more than 20% in 0 of 6 cells.")


@pytest.mark.parametrize("percent", [0, 51, "many", None])
def test_a_tolerance_off_the_slider_is_refused(percent):
    with pytest.raises(ValueError, match="tolerance"):
        judge(DESCRIPTION, percent)


def test_values_in_the_margin_have_no_exponent():
    assert [plain(value) for value in (0, 1e-6, 3e-05, 0.5, 100)] == [
        "0",
        "0.000001",
        "0.00003",
        "0.5",
        "100",
    ]


@pytest.fixture(scope="module")
def view():
    return validity_map("wlcg")


@pytest.mark.slow
def test_the_page_holds_the_whole_map_without_scripts(view):
    bundle = view._repr_mimebundle_()
    html = bundle["text/html"]
    cells = re.findall(
        r'<td data-verdict="([\w ]+)" data-size="[012]" aria-label="(closed form [^"]+)"', html
    )
    assert len(cells) == 144
    signs = html.count('">▲</td>') + html.count('">▼</td>')
    assert f"{signs} of 144 cells" in bundle["text/plain"]
    assert bundle["text/plain"] in html
    assert "make serve" in html
    assert "application/vnd.jupyter.widget-view+json" in bundle


@pytest.mark.slow
def test_the_same_map_gives_the_same_bytes(view):
    again = validity_map("wlcg")
    assert again._repr_mimebundle_()["text/html"] == view._repr_mimebundle_()["text/html"]


def test_the_kernel_judges_the_map_at_another_tolerance(view):
    assert "by more than 20%" in ask_view(view, {"tolerance": 20})["summary"]
    assert "tolerance = 0" in ask_view(view, {"tolerance": 0})["refusal"]


def test_a_case_without_a_map_is_refused():
    with pytest.raises(ValueError, match="map = 'lease'"):
        validity_map("lease")
