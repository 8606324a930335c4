"""Chapter 3's model against the chapter's own claims."""

import pytest

from tunables.cases import rrd
from tunables.cases.ledger import ledger
from tunables.cases.rrd_simulation import capacity_test
from tunables.predictors.rrd import SCHEMES, capacity_graphs, predict

GRAPH = rrd.bytes_per_graph()
ENTRIES = {entry.number.record.row_id: entry for entry in ledger(rrd.CASE, seed=3)}


def test_the_calibration_is_eight_gibibytes_over_ninety_thousand_graphs():
    assert pytest.approx(95_443.7, abs=0.1) == GRAPH
    sizes = {3.25: 36_562, 4: 45_000, 8: 90_000, 16: 180_000}
    assert {gib: capacity_graphs(gib, 98, GRAPH) for gib in sizes} == sizes


def test_the_ledger_calls_two_numbers_fitted_three_predicted_and_two_unexplained():
    statuses = [entry.number.status for entry in ENTRIES.values()]
    assert sorted(statuses) == ["calibrated"] * 2 + ["predicted"] * 3 + ["unexplained"] * 2
    assert ENTRIES["graphs-fit-old-server"].predicted == 45_000
    assert ENTRIES["graphs-fit-new-server"].predicted == 36_562
    assert ENTRIES["graphs-at-80-percent"].error == pytest.approx(0.0496, abs=1e-4)
    assert all(entry.agrees for entry in ENTRIES.values() if entry.number.status == "predicted")


def test_at_the_default_threshold_of_ram_the_old_server_would_have_overflowed():
    assert capacity_graphs(4, 80, GRAPH) == 36_734
    assert 70_000 * 4 / 8 < 40_000


def test_simulation_agrees_with_the_closed_form_for_every_number_of_the_ledger():
    for entry in ENTRIES.values():
        if entry.simulated is not None and entry.predicted is not None:
            mean, half_width = entry.simulated
            assert abs(mean - entry.predicted) <= half_width + 1e-9 * entry.predicted


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_simulates_to_its_closed_form(scheme):
    settings = rrd.CASE.settings(scheme=scheme)
    mean, half_width = rrd.simulate(2, **settings)["slowdown"]
    # The closed forms of random and of the scan orders are limits of many objects, and that of
    # 2Q is a mean over a period that is longer than the scans measured.
    assert predict(**settings)["slowdown"] == pytest.approx(mean, rel=0.01, abs=half_width)


def test_the_capacity_test_finds_the_last_size_that_fits():
    assert capacity_test(1) == 1
    assert capacity_test(1234) == 1234
