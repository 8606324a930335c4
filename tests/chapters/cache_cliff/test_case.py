"""Chapter 3's case against the chapter's claims, and its map at both ends of disorder."""

from typing import Any

import numpy as np
import pytest

from tests.chapters.entries import entries_by_row
from tests.core.asked import map_samples
from tunables.chapters.cache_cliff.case import bytes_per_graph, case
from tunables.chapters.cache_cliff.experiment import capacity_test, disordered_trace
from tunables.chapters.cache_cliff.predictor import SCHEMES, capacity_graphs, predict
from tunables.core.registry import find_map
from tunables.evidence.published import published
from tunables.theory.caching import shuffled_hit_ratio, slowdown

GRAPH = bytes_per_graph()


def entries():
    return entries_by_row(case(), seed=3)


def test_the_calibration_reproduces_its_row_and_room_is_in_proportion():
    data = published("rrd-system-cache")
    memory_gib = data["memory-upgraded-server"].value
    tested = data["graphs-at-98-percent"].value
    for share in (0.25, 1, 3):
        assert capacity_graphs(share * memory_gib, 98, GRAPH) == share * tested


def test_the_ledger_has_two_fitted_two_seen_one_predicted_and_two_unexplained_numbers():
    statuses = [entry.number.status for entry in entries().values()]
    seen = ["calibrated"] * 2 + ["consistent"] * 2
    assert sorted(statuses) == [*seen, "predicted", *["unexplained"] * 2]
    assert entries()["graphs-fit-old-server"].predicted == 45_000
    assert entries()["graphs-fit-new-server"].predicted == 36_562
    assert entries()["graphs-at-80-percent"].error == pytest.approx(0.0496, abs=1e-4)
    tested = [e for e in entries().values() if e.number.status in ("consistent", "predicted")]
    assert all(entry.agrees for entry in tested)


def test_at_the_default_setting_the_old_server_would_have_overflowed():
    load = entries()["graphs-fit-old-server"].number.value
    assert capacity_graphs(4, 80, GRAPH) < load <= capacity_graphs(4, 98, GRAPH)
    assert case().settings()["usage_maximum_percent"] == 98


def test_simulation_agrees_with_the_closed_form_for_every_number_of_the_ledger():
    for entry in entries().values():
        if entry.simulated is not None and entry.predicted is not None:
            mean, half_width = entry.simulated
            assert abs(mean - entry.predicted) <= half_width + 1e-9 * entry.predicted


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_simulates_to_its_closed_form(scheme):
    settings = case().settings(scheme=scheme)
    mean, half_width = case().simulate(2, **settings)["slowdown"]
    # The closed forms of random and of the scan orders are limits for many objects, and that of
    # 2Q is a mean over a period that is longer than the measured scans.
    assert predict(**settings)["slowdown"] == pytest.approx(mean, rel=0.01, abs=half_width)


def test_the_capacity_test_finds_the_last_size_that_fits():
    assert capacity_test(1) == 1
    assert capacity_test(1234) == 1234


def test_no_disorder_gives_the_scan_and_great_disorder_a_shuffle():
    trace = disordered_trace(1, 1_000, 2, 0.0)
    assert trace.tolist() == [*range(1_000), *range(1_000)]
    settings: dict[str, Any] = find_map("rrd").split(3.25, 0)[0]
    capacity = find_map("rrd").case.predict(**settings)["capacity_graphs"]
    shuffled = slowdown(shuffled_hit_ratio(capacity / settings["graphs"]), 20)
    assert np.mean(map_samples("rrd", settings, disorder=1e4)) == pytest.approx(shuffled, rel=0.02)
