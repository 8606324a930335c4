"""What fits the tables of results as well as the case's own hypotheses."""

import pytest

from tunables.chapters.replication.calibration import predictions
from tunables.chapters.replication.results import (
    calibrated,
    lcrs_per_operation,
    operations,
    times,
)
from tunables.chapters.replication.rivals import far_times, own_ratio, own_stage, windows_needed

FITTED = calibrated()
PLAIN_S, COMPRESSED_S = times("plain"), times("compress")
LCRS = operations() * lcrs_per_operation()
STAGE = own_stage(FITTED, PLAIN_S, COMPRESSED_S, LCRS)


def test_a_window_for_each_path_gives_both_far_sites():
    windows = windows_needed(PLAIN_S, LCRS, FITTED["lcr_bytes"])
    assert windows == pytest.approx({"BNL": 98_559, "TRIUMF": 141_985}, abs=1)
    for site, window_bytes in windows.items():
        parameters = FITTED | {"law": "window", "window_bytes": window_bytes}
        assert predictions(parameters)["plain", site] == pytest.approx(PLAIN_S[site])


def test_a_stage_of_its_own_at_triumf_lets_both_share_a_ratio():
    assert STAGE["BNL"]["compression_ratio"] == STAGE["TRIUMF"]["compression_ratio"]
    assert STAGE["TRIUMF"]["apply_lcr_s"] == pytest.approx(9890, abs=0.5)
    seconds = far_times(FITTED, STAGE)
    assert seconds == pytest.approx({site: COMPRESSED_S[site] for site in seconds})
    larger = {site: changes | {"compression_ratio": 9} for site, changes in STAGE.items()}
    assert far_times(FITTED, larger) == pytest.approx(seconds)
    smaller = {site: changes | {"compression_ratio": 4.5} for site, changes in STAGE.items()}
    assert far_times(FITTED, smaller)["BNL"] > 1.01 * COMPRESSED_S["BNL"]


def test_without_that_stage_the_same_ratio_makes_triumf_too_fast():
    ratio_alone = {site: {"compression_ratio": STAGE["BNL"]["compression_ratio"]} for site in STAGE}
    triumf_s = far_times(FITTED, ratio_alone)["TRIUMF"]
    assert triumf_s / COMPRESSED_S["TRIUMF"] - 1 == pytest.approx(-0.056, abs=1e-3)


def test_a_ratio_for_each_gives_both_as_well():
    seconds = far_times(FITTED, own_ratio(PLAIN_S, COMPRESSED_S))
    assert seconds == pytest.approx({site: COMPRESSED_S[site] for site in seconds}, rel=0.003)
