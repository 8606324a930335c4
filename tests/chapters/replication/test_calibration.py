"""What is fitted to the tables of results, and the rivals that fit them as well."""

import math

import pytest

from tunables.chapters.replication.calibration import (
    RTT_EXPONENTS,
    calibrate,
    cubic_lcr_bytes_range,
    far_times,
    fitted_parameters,
    great_circle_rtt,
    loss_for,
    predictions,
    ratio_per_site,
    required_rtt_ratio,
    shared_compression_ratio,
    speed_up_bounds,
    stage_at_triumf,
    windows_needed,
)
from tunables.chapters.replication.predictor import (
    ASSUMED_RTT_S,
    LAWS,
    SITES,
    connection_throughput,
)
from tunables.evidence.published import published
from tunables.theory.pipelines import lag_drain_time


def value(row_id, table="wlcg-results"):
    return published(table)[row_id].value


def times(cells):
    return {site: value(f"{cells}-{site.lower()}-time") for site in SITES}


PLAIN_S = times("plain")
COMPRESSED_S = times("compress")
OPERATIONS = value("plain-operations")
HALF_WIDTH_S = published("wlcg-results")["plain-bnl-time"].resolution / 2
CELLS = [(cells, site) for cells in ("plain", "compress") for site in SITES]


def lcrs_per_operation():
    """Return 3, the integer that all eight cells of the last column allow to three decimals."""
    bounds = [
        (value(row) + sign * 0.005) * 1000 * time_s / OPERATIONS
        for cells, site in CELLS
        for row, time_s in [(f"{cells}-{site.lower()}-txns", times(cells)[site])]
        for sign in (-1, 1)
    ]
    low, high = max(bounds[::2]), min(bounds[1::2])
    assert low < 3 < high
    assert high - low < 0.003
    return round((low + high) / 2)


LCRS_PER_OPERATION = lcrs_per_operation()
LCRS = OPERATIONS * LCRS_PER_OPERATION


def calibrate_law(law, **changes):
    return calibrate(law, PLAIN_S, COMPRESSED_S, OPERATIONS, LCRS_PER_OPERATION, **changes)


@pytest.mark.parametrize(("cells", "site"), CELLS)
def test_the_rate_columns_repeat_the_time_except_for_one_truncated_digit(cells, site):
    rate = LCRS / times(cells)[site] / 1000
    name = f"{cells}-{site.lower()}"
    assert abs(rate - value(name + "-txns")) <= 0.005
    rounds = abs(rate - value(name + "-lcr-rate")) <= 0.05
    assert rounds == ((cells, site) != ("compress", "TRIUMF"))
    if not rounds:
        assert value(name + "-lcr-rate") == math.floor(10 * rate) / 10


def test_eight_times_are_five_multiples_of_20_s():
    distinct = {*PLAIN_S.values(), *COMPRESSED_S.values()}
    assert len(distinct) == 5
    assert math.gcd(*(int(time_s) for time_s in distinct)) == 20
    seconds = [record for record in published("wlcg-results").values() if record.unit == "s"]
    assert {record.resolution for record in seconds} == {20}


def test_speed_ups_at_bnl_and_triumf_do_not_overlap():
    bnl, triumf, ral = (
        speed_up_bounds(PLAIN_S[site], COMPRESSED_S[site], HALF_WIDTH_S)
        for site in ("BNL", "TRIUMF", "RAL")
    )
    assert bnl == pytest.approx((4.529, 4.566, 4.603), abs=5e-4)
    assert triumf == pytest.approx((4.290, 4.319, 4.348), abs=5e-4)
    assert triumf[2] < bnl[0]
    assert ral[1] - 1 == pytest.approx(0.105, abs=5e-4)
    assert shared_compression_ratio(PLAIN_S, COMPRESSED_S) == pytest.approx(4.44, abs=0.005)


@pytest.mark.parametrize("law", LAWS)
def test_fitted_cells_are_reproduced(law):
    seconds = predictions(calibrate_law(law))
    assert seconds["plain", "BNL"] == pytest.approx(PLAIN_S["BNL"], rel=1e-9)
    assert seconds["plain", "RAL"] == pytest.approx(PLAIN_S["RAL"], rel=1e-9)
    assert seconds["compressed", "RAL"] == pytest.approx(COMPRESSED_S["RAL"], rel=1e-9)


@pytest.mark.parametrize(
    ("law", "triumf_s"),
    [("window", 11_323), ("reno", 11_323), ("stop-and-wait", 11_148), ("cubic", 7844)],
)
def test_triumf_from_bnl_by_each_law(law, triumf_s):
    assert predictions(calibrate_law(law))["plain", "TRIUMF"] == pytest.approx(triumf_s, abs=0.6)


def test_cubic_predicts_the_cells_it_was_not_fitted_to():
    seconds = predictions(calibrate_law("cubic"))
    errors = {
        ("plain", "TRIUMF"): seconds["plain", "TRIUMF"] / PLAIN_S["TRIUMF"] - 1,
        ("plain", "IN2P3"): seconds["plain", "IN2P3"] / PLAIN_S["IN2P3"] - 1,
        ("compressed", "IN2P3"): seconds["compressed", "IN2P3"] / COMPRESSED_S["IN2P3"] - 1,
        ("compressed", "BNL"): seconds["compressed", "BNL"] / COMPRESSED_S["BNL"] - 1,
        ("compressed", "TRIUMF"): seconds["compressed", "TRIUMF"] / COMPRESSED_S["TRIUMF"] - 1,
    }
    assert list(errors.values()) == pytest.approx([-0.002, 0, 0, 0.029, -0.0285], abs=1e-3)


def test_waiting_for_acknowledgements_is_refuted_twice():
    waiting = calibrate_law("stop-and-wait")
    wait_s = {site: waiting["round_trips"] * ASSUMED_RTT_S[site] for site in SITES}
    assert wait_s["RAL"] - wait_s["IN2P3"] == pytest.approx(912, abs=0.5)
    assert predictions(waiting)["plain", "TRIUMF"] > 1.4 * PLAIN_S["TRIUMF"]


def test_the_ratio_of_round_trips_that_each_law_needs():
    low, ratio, high = speed_up_bounds(PLAIN_S["TRIUMF"], PLAIN_S["BNL"], HALF_WIDTH_S)
    needs = [required_rtt_ratio("cubic", bound) for bound in (low, ratio, high)]
    assert needs == pytest.approx([1.628, 1.645, 1.663], abs=5e-4)
    assert required_rtt_ratio("window", ratio) == pytest.approx(1.133, abs=5e-4)
    shortest = great_circle_rtt("TRIUMF") / great_circle_rtt("BNL")
    assert required_rtt_ratio("window", ratio) < shortest < needs[0]


@pytest.mark.parametrize("law", RTT_EXPONENTS)
def test_exponents_are_those_of_the_closed_forms(law):
    near, far = (connection_throughput(law, rtt_s, 65_536, 1e-6, 1460) for rtt_s in (0.1, 0.2))
    assert near / far == pytest.approx(2 ** RTT_EXPONENTS[law], rel=1e-12)


def test_cubic_holds_only_for_a_range_of_lcr_sizes():
    least, greatest = cubic_lcr_bytes_range(PLAIN_S, LCRS)
    assert (least, greatest) == pytest.approx((334.8, 508.9), abs=0.1)
    assert least < calibrate_law("cubic")["lcr_bytes"] < greatest

    def error(site, lcr_bytes):
        return (
            predictions(calibrate_law("cubic", lcr_bytes=lcr_bytes))["plain", site] / PLAIN_S[site]
            - 1
        )

    assert abs(error("TRIUMF", least * 1.001)) < 0.003
    assert abs(error("RAL", greatest * 0.999)) < 1e-9
    assert error("TRIUMF", 250) > 0.15
    assert error("RAL", 1000) > 0.25


def test_the_assumed_round_trips_are_longer_than_light_in_fibre():
    shortest_ms = [great_circle_rtt(site) * 1000 for site in SITES]
    assert shortest_ms == pytest.approx([59.9, 81.5, 7.8, 1.0], abs=0.06)
    assert all(ASSUMED_RTT_S[site] > great_circle_rtt(site) for site in SITES)


@pytest.mark.parametrize("law", ["reno", "cubic"])
@pytest.mark.parametrize("loss", [1e-9, 1e-4, 0.3])
def test_loss_for_inverts_the_law(law, loss):
    throughput = connection_throughput(law, 0.095, 0, loss, 1460)
    assert loss_for(law, throughput, 0.095, 1460) == pytest.approx(loss, rel=1e-12)


def test_the_lag_of_the_session_is_ten_days():
    lag_s = value("reader-lag", "wlcg-session")
    assert lag_drain_time(lag_s, 2, 1) / 86_400 == pytest.approx(10.59, abs=0.005)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: calibrate_law("vegas"), "law"),
        (lambda: calibrate_law("cubic", window=1), "assumption"),
        (lambda: calibrate_law("cubic", lcr_bytes=0), "throughput_bytes_s"),
        (lambda: calibrate_law("stop-and-wait", rtt_s=dict.fromkeys(SITES, 0.1)), "rtt_s"),
        (lambda: calibrate("cubic", PLAIN_S | {"BNL": 0}, COMPRESSED_S, 1, 3), "plain_s.'BNL'"),
        (lambda: calibrate("cubic", PLAIN_S, {"RAL": -1}, 1, 3), "compressed_s.'RAL'"),
        (lambda: speed_up_bounds(10, 20, 10), "plain_s"),
        (lambda: speed_up_bounds(20, 10, 10), "compressed_s"),
        (lambda: speed_up_bounds(20, 10, -1), "half_width_s"),
        (lambda: required_rtt_ratio("stop-and-wait", 1.1), "law"),
        (lambda: required_rtt_ratio("cubic", 0), "time_ratio"),
        (lambda: loss_for("window", 1e6, 0.1, 1460), "law"),
        (lambda: loss_for("cubic", 1.0, 0.1, 1460), "throughput_bytes_s"),
        (lambda: great_circle_rtt("CERN"), "site"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()


FITTED = fitted_parameters()
STAGE = stage_at_triumf(FITTED, PLAIN_S, COMPRESSED_S, LCRS)


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


def test_a_ratio_for_each_site_gives_both_times_as_well():
    seconds = far_times(FITTED, ratio_per_site(PLAIN_S, COMPRESSED_S))
    assert seconds == pytest.approx({site: COMPRESSED_S[site] for site in seconds}, rel=0.003)
