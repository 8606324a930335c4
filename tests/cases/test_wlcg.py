"""Chapter 5's two models against the chapter's own claims."""

import math
from collections import Counter

import pytest

from tunables.cases import wlcg, wlcg_session
from tunables.cases import wlcg_parameters as given
from tunables.cases.ledger import ledger
from tunables.cases.wlcg_paths import ASSUMED_RTT_S, SITES
from tunables.cases.wlcg_simulation import simulated_connection
from tunables.predictors.wlcg import connection_throughput, predict
from tunables.predictors.wlcg_session import predict as predict_session

ENTRIES = {entry.number.record.row_id: entry for entry in ledger(wlcg.CASE, seed=3)}
CELLS = [(table, site) for table in given.TABLES for site in SITES]


def times_by(law, **changes):
    """Return the seconds of every cell under a law, calibrated for it anew or by changes."""
    return {
        (table, site): predict(
            **wlcg.CASE.settings(
                law=law, rtt_s=ASSUMED_RTT_S[site], compress=given.TABLES[table], **changes
            )
        )["seconds"]
        for table, site in CELLS
    }


def test_an_operation_makes_three_lcrs_and_no_other_whole_number():
    low, high = given.lcrs_per_operation_bounds()
    assert low < given.LCRS_PER_OPERATION == 3 < high
    assert high - low < 0.002


def test_all_times_and_all_rates_are_in_the_ledger_with_their_statuses():
    assert Counter(entry.number.status for entry in ENTRIES.values()) == {
        "calibrated": 5,
        "predicted": 3,
        "identity": 16,
    }
    predicted = {row for row, entry in ENTRIES.items() if entry.number.status == "predicted"}
    assert predicted == {"plain-triumf-time", "plain-in2p3-time", "compress-in2p3-time"}


def test_triumf_is_predicted_within_one_percent_by_cubic_and_missed_by_44_by_the_window():
    assert ENTRIES["plain-triumf-time"].error == pytest.approx(-0.002, abs=5e-4)
    by_window = times_by("window")
    assert by_window["plain", "BNL"] == pytest.approx(given.PLAIN_S["BNL"])
    assert by_window["plain", "TRIUMF"] / given.PLAIN_S["TRIUMF"] - 1 == pytest.approx(
        0.44, abs=0.005
    )


def test_a_shared_ratio_misses_both_sites_and_the_ledger_shows_it():
    bnl, triumf = (ENTRIES[f"compress-{site}-time"] for site in ("bnl", "triumf"))
    assert bnl.error == pytest.approx(0.028, abs=5e-4)
    assert triumf.error == pytest.approx(-0.029, abs=6e-4)
    assert (bnl.number.status, bnl.agrees, triumf.agrees) == ("calibrated", False, False)


def test_every_other_fitted_time_comes_back_and_claims_nothing():
    for row in ("plain-bnl-time", "plain-ral-time", "compress-ral-time"):
        entry = ENTRIES[row]
        assert entry.predicted == pytest.approx(entry.number.value)
        assert entry.error is None


@pytest.mark.parametrize(("table", "site"), CELLS)
def test_a_rate_is_the_lcrs_over_the_published_time(table, site):
    rate = given.OPERATIONS * given.LCRS_PER_OPERATION / given.times(table)[site]
    for column in ("lcr-rate", "txns"):
        number = ENTRIES[f"{table}-{site.lower()}-{column}"].number
        off = abs(rate - number.value)
        cut_off = number.record.row_id == "compress-triumf-lcr-rate"
        assert (off <= number.resolution / 2) is not cut_off
        assert off < number.resolution


def test_the_simulated_pipeline_takes_what_the_closed_form_says():
    for entry in ENTRIES.values():
        assert entry.simulated == (pytest.approx(entry.predicted, rel=0.01), 0)


@pytest.mark.parametrize("law", ["window", "reno", "cubic", "stop-and-wait"])
@pytest.mark.parametrize("compress", ["off", "on"])
def test_every_law_simulates_to_its_closed_form(law, compress):
    settings = wlcg.CASE.settings(law=law, compress=compress)
    simulated = wlcg.simulate(1, **settings)
    closed = predict(**settings)
    assert simulated["seconds"][0] == pytest.approx(closed["seconds"], rel=0.03)


def test_the_link_limits_the_simulated_connection_too():
    settings = wlcg.CASE.settings(law="window", window_bytes=10e6, link_gbps=0.01)
    assert wlcg.simulate(1, **settings)["seconds"][0] == pytest.approx(
        18e6 * 400 / (1e7 / 8), rel=1e-3
    )


def test_losses_at_random_let_cubic_run_faster_than_losses_evenly_spaced():
    arguments = ("cubic", 0.095, 1, given.FITTED["loss"], 1460)
    even = connection_throughput(*arguments)
    assert simulated_connection(*arguments) == pytest.approx(even, rel=0.03)
    assert simulated_connection(*arguments, seed=1) > 1.1 * even


def session(**changes):
    return predict_session(**wlcg_session.CASE.settings(**changes))


def test_the_session_is_bound_by_io():
    one = session()
    assert one["apply_s"] == pytest.approx(wlcg_session.APPLY_S)
    assert one["user_io_utilisation"] == pytest.approx(0.665, abs=5e-4)
    assert one["cpu_utilisation"] == pytest.approx(0.273, abs=5e-4)
    assert one["user_io_bound_lcr_s"] == pytest.approx(5050, abs=0.5)
    assert one["cpu_bound_lcr_s"] == pytest.approx(12_293, abs=0.5)
    assert pytest.approx(268.29, abs=1e-6) == wlcg_session.UNACCOUNTED_S
    assert 1e6 / one["throughput_lcr_s"] == pytest.approx(297.8, abs=0.05)


def test_more_replicats_approach_the_disk():
    rates = [session(replicats=n)["throughput_lcr_s"] for n in (1, 2, 3, 4, 8)]
    assert [round(rate) for rate in rates] == [3358, 4427, 4806, 4952, 5047]


@pytest.mark.parametrize("replicats", [1, 2, 4])
def test_the_closed_network_simulates_to_mean_value_analysis(replicats):
    settings = wlcg_session.CASE.settings(replicats=replicats)
    closed = predict_session(**settings)
    for name, (mean, half_width) in wlcg_session.simulate(5, **settings).items():
        assert abs(mean - closed[name]) <= 2 * half_width, name
        assert math.isclose(mean, closed[name], rel_tol=0.01)
