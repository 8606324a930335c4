"""Chapter 7's case: the rule of the split, the fit, the statuses, and what the document claims."""

import csv
import json
import math
import statistics

import numpy as np
import pytest
from scipy.optimize import least_squares

from tunables.chapters.file_or_row.calibration import (
    DEFAULTS,
    PAGES,
    SIMPLER,
    SIZES,
    cells,
    crossing_kb,
    data,
    errors,
    fitted_costs,
    points,
    ratio,
    simpler_costs,
)
from tunables.chapters.file_or_row.case import FITTED_ROWS, OTHERS, PREDICTED_ROWS, allowed, case
from tunables.chapters.file_or_row.fit import fit_points, fitted_pages, ratio_of
from tunables.core.ledger import fair_errors, ledger
from tunables.evidence.published import DATA


def test_the_split_is_the_rule_that_the_data_states():
    text = json.loads((DATA / "sqlite-blobs.json").read_text(encoding="utf-8"))["description"]
    assert "the rows whose page size SQLite has had as its default" in text
    assert all(f"{page}" in text for page in DEFAULTS)
    statuses = {number.record.row_id: number.status for number in case().numbers}
    assert statuses == dict.fromkeys(FITTED_ROWS, "calibrated") | dict.fromkeys(
        PREDICTED_ROWS, "predicted"
    )
    assert (len(FITTED_ROWS), len(PREDICTED_ROWS)) == (14, 35)


def test_each_number_of_the_matrix_is_in_the_case():
    with (DATA / "sqlite-blobs.csv").open(newline="", encoding="utf-8") as file:
        matrix = [row["row_id"] for row in csv.DictReader(file) if row["place"] == "the matrix"]
    assert [number.record.row_id for number in case().numbers] == matrix
    assert len(matrix) == data()["blob-test-cases"].value


def test_scipy_finds_the_same_costs():
    fitted = points(DEFAULTS)

    def residuals(logs):
        costs = [math.exp(log) for log in logs]
        return [math.log(ratio_of(point, costs) / point[3]) for point in fitted]

    found = least_squares(residuals, [4.0, 4.0, 1.0, 1.0], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert [math.exp(log) for log in found.x] == pytest.approx(
        list(fitted_costs().values()), rel=1e-6
    )


def test_the_fast_ratio_is_predicts():
    costs = fitted_costs()
    for (page, size), point in zip(cells(), points(), strict=True):
        exact = case().predict(blob_kb=SIZES[size], page_bytes=page, **costs)["ratio"]
        assert ratio_of(point, tuple(costs.values())) == pytest.approx(exact, rel=1e-12)


def test_the_predictions_miss_by_six_per_cent_in_the_middle_and_by_a_quarter_at_worst():
    missed = [abs(error) for error in errors(fitted_costs(), OTHERS).values()]
    assert statistics.median(missed) == pytest.approx(0.059, abs=0.001)
    assert max(missed) == pytest.approx(0.268, abs=0.001)
    worst = max(errors(fitted_costs(), OTHERS).items(), key=lambda each: abs(each[1]))[0]
    assert worst == (65536, "1m")


def test_where_the_model_fails_it_is_too_kind_to_large_pages_with_large_blobs():
    missed = errors(fitted_costs(), OTHERS)
    beyond = {cell for cell, error in missed.items() if abs(error) > 0.15}
    assert beyond == {(page, s) for page in (32768, 65536) for s in ("500k", "1m")} | {
        (16384, "1m")
    }
    assert all(missed[cell] > 0 for cell in beyond)


def test_the_model_beats_the_baseline_and_each_simpler_model():
    rival, own = zip(*fair_errors(case()), strict=True)
    assert statistics.median(map(abs, own)) < statistics.median(map(abs, rival)) / 2
    median = {
        name: statistics.median(map(abs, errors(simpler_costs(name), OTHERS).values()))
        for name in SIMPLER
    }
    first, *others = median.values()
    assert all(other > 1.8 * first for other in others)
    assert simpler_costs("no cost per page")["page_kb"] == 0


def refitted(way):
    """Return the costs fitted to the fourteen numbers, each moved by half a digit that way."""
    fitted = points(DEFAULTS)
    moved = [
        (*point[:3], point[3] + 0.0005 * sign) for point, sign in zip(fitted, way, strict=True)
    ]
    return fit_points(moved)


@pytest.mark.slow
def test_what_the_digits_allow_is_what_refits_to_numbers_within_them_reach():
    """At random corners of the box of the digits, and at those where a prediction moves most."""
    allowed_set, rng = allowed(), np.random.default_rng(7)
    place = PREDICTED_ROWS.index("blob-65536-1m")
    middle = [ratio_of(point, tuple(fitted_costs().values())) for point in points(OTHERS)]
    moves = np.array(
        [
            [ratio_of(point, refitted(np.eye(14)[k])) for point in points(OTHERS)]
            for k in range(14)
        ]
    ) - middle  # fmt: skip
    worst = np.sign(moves[:, place])
    ways = [*rng.choice([-1, 1], (20, 14)), worst, -worst]
    found = np.array([[ratio_of(p, refitted(way)) for p in points(OTHERS)] for way in ways])
    low, high = np.array([allowed_set.intervals[row] for row in PREDICTED_ROWS]).T
    slack = 0.02 * (high - low)  # the set is linear in the logarithms, and a refit isn't quite
    assert (low - slack <= found).all()
    assert (found <= high + slack).all()
    reached = found[-2:, place]
    assert reached.max() - reached.min() == pytest.approx((high - low)[place], rel=0.02)
    costs = np.array([refitted(way) for way in ways])
    least, most = np.array(list(allowed_set.ranges.values())).T
    assert ((least * 0.999 <= costs) & (costs <= most * 1.001)).all()


@pytest.mark.slow
def test_the_digits_allow_far_less_than_the_model_misses():
    intervals = allowed().intervals
    widths = [(high - low) / low for low, high in intervals.values()]
    assert max(widths) < 0.01
    outside = [
        row for row, (low, high) in intervals.items() if not low <= data()[row].value <= high
    ]
    assert len(outside) > 33


def test_simulation_and_closed_form_differ_by_little_where_the_cache_is_small():
    """The pages above the leaf cost a little; a leaf that is found again saves a little."""
    for entry in ledger(case(), seed=2):
        assert entry.simulated is not None
        assert entry.simulated[0] == pytest.approx(entry.predicted, rel=0.025)


def test_the_documents_rule_of_100_kb_holds_from_8_192_bytes_on():
    rule = data()["blob-rule-size"].value
    found = {page: crossing_kb(page) for page in PAGES}
    assert all(abs(found[page] / rule - 1) < 0.12 for page in PAGES if page >= 8192)
    assert found[1024] < rule / 4
    assert found[4096] < 0.8 * rule


def test_the_best_page_size_of_large_blobs_changes_from_column_to_column():
    best = {size: max(PAGES, key=lambda page: ratio(page, size)) for size in SIZES}
    assert [best[size] for size in ("200k", "500k", "1m")] == [32768, 16384, 8192]
    low, high = (data()[f"blob-rule-page-{end}"].value for end in ("low", "high"))
    assert (low, high) == (8192, 16384)


def test_the_cells_are_above_1_where_the_document_says_that_rows_are_faster():
    above = [cell for cell in cells() if ratio(*cell) > 1]
    assert len(above) == 21


def test_a_readers_two_page_sizes_are_the_rules_for_the_published_ones_but_one():
    """The fit of a reader's table takes the least and the middle page size, whatever they are."""
    assert fitted_pages(PAGES) == [1024, 8192]
