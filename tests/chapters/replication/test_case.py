"""Chapter 5's two cases, against the chapter's claims."""

import math
from collections import Counter

import pytest

from tests.chapters.entries import entries_by_row
from tunables.chapters.replication import calibration as given
from tunables.chapters.replication.calibration import session_report
from tunables.chapters.replication.case import case, session_case
from tunables.chapters.replication.predictor import (
    ASSUMED_RTT_S,
    SITES,
    connection_throughput,
    predict,
    predict_session,
)
from tunables.chapters.replication.simulation import simulate_connection
from tunables.core.ledger import freedom

REPORT = session_report()
CELLS = [(table, site) for table in given.TABLES for site in SITES]


def entries():
    return entries_by_row(case(), seed=3)


def times_by(law, **changes):
    """Return the seconds of every cell under a law, with its fitted parameters or these changes."""
    return {
        (table, site): predict(
            **case().settings(
                law=law, rtt_s=ASSUMED_RTT_S[site], compress=given.TABLES[table], **changes
            )
        )["seconds"]
        for table, site in CELLS
    }


def test_an_operation_makes_three_lcrs_and_no_other_integer_fits():
    low, high = given.lcrs_per_operation_bounds()
    assert low < given.lcrs_per_operation() == 3 < high
    assert high - low < 0.002


def test_all_times_and_all_rates_are_in_the_ledger_with_their_statuses():
    statuses = {row: entry.number.status for row, entry in entries().items()}
    assert Counter(statuses.values()) == {"calibrated": 6, "consistent": 3, "identity": 15}
    seen = {row for row, status in statuses.items() if status == "consistent"}
    assert seen == {"plain-triumf-time", "plain-in2p3-time", "compress-in2p3-time"}
    assert statuses["plain-ral-txns"] == "calibrated"


def test_nine_numbers_pay_for_five_fitted_ones():
    found = freedom(case())
    assert (found.numbers, len(found.fitted), found.left) == (9, 5, 4)
    assert freedom(session_case()).left == 0


def test_the_model_beats_its_baseline_only_at_triumf_which_was_seen():
    baseline = case().baseline
    assert baseline
    errors = {
        row: (seconds / entries()[row].number.value - 1, entries()[row].predicted)
        for row, seconds in baseline.values.items()
        if row not in baseline.rows
    }
    assert {row for row, (error, _) in errors.items() if error} == {
        "plain-triumf-time",
        "compress-triumf-time",
    }
    assert errors["plain-triumf-time"][0] == pytest.approx(-0.117, abs=5e-4)
    assert entries()["plain-triumf-time"].number.status == "consistent"
    assert entries()["compress-triumf-time"].number.status == "calibrated"


def test_cubic_agrees_with_triumf_within_one_percent_and_the_window_is_off_by_44():
    assert entries()["plain-triumf-time"].error == pytest.approx(-0.002, abs=5e-4)
    by_window = times_by("window")
    assert by_window["plain", "BNL"] == pytest.approx(given.times("plain")["BNL"])
    assert by_window["plain", "TRIUMF"] / given.times("plain")["TRIUMF"] - 1 == pytest.approx(
        0.44, abs=0.005
    )


def test_a_shared_ratio_misses_both_sites_and_the_ledger_shows_it():
    bnl, triumf = (entries()[f"compress-{site}-time"] for site in ("bnl", "triumf"))
    assert bnl.error == pytest.approx(0.0293, abs=5e-4)
    assert triumf.error == pytest.approx(-0.0285, abs=5e-4)
    seconds = times_by("cubic")
    off = [seconds["compress", site] / given.times("compress")[site] for site in ("BNL", "TRIUMF")]
    assert math.prod(off) == pytest.approx(1)
    assert (bnl.number.status, bnl.agrees, triumf.agrees) == ("calibrated", False, False)


def test_every_other_fitted_time_is_reproduced_and_has_no_error():
    for row in ("plain-bnl-time", "plain-ral-time", "compress-ral-time"):
        entry = entries()[row]
        assert entry.predicted == pytest.approx(entry.number.value)
        assert entry.error is None


@pytest.mark.parametrize(("table", "site"), CELLS)
def test_a_rate_is_the_lcrs_over_the_published_time(table, site):
    rate = given.operations() * given.lcrs_per_operation() / given.times(table)[site]
    for column in ("lcr-rate", "txns"):
        number = entries()[f"{table}-{site.lower()}-{column}"].number
        off = abs(rate - number.value)
        cut_off = number.record.row_id == "compress-triumf-lcr-rate"
        assert (off <= number.resolution / 2) is not cut_off
        assert off < number.resolution


def test_the_simulated_pipeline_takes_what_the_closed_form_says():
    for entry in entries().values():
        assert entry.simulated == (pytest.approx(entry.predicted, rel=0.01), 0)


@pytest.mark.parametrize("law", ["window", "reno", "cubic", "stop-and-wait"])
@pytest.mark.parametrize("compress", ["off", "on"])
def test_every_law_simulates_to_its_closed_form(law, compress):
    settings = case().settings(law=law, compress=compress)
    simulated = case().simulate(1, **settings)
    closed = predict(**settings)
    assert simulated["seconds"][0] == pytest.approx(closed["seconds"], rel=0.03)


def test_the_link_limits_the_simulated_connection_too():
    settings = case().settings(law="window", window_bytes=10e6, link_gbps=0.01)
    assert case().simulate(1, **settings)["seconds"][0] == pytest.approx(
        18e6 * 400 / (1e7 / 8), rel=1e-3
    )


def test_random_losses_let_cubic_run_faster_than_evenly_spaced_losses():
    arguments = ("cubic", 0.095, 1, given.fitted_parameters()["loss"], 1460)
    even = connection_throughput(*arguments)
    assert simulate_connection(*arguments) == pytest.approx(even, rel=0.03)
    assert simulate_connection(*arguments, seed=1) > 1.1 * even


def session(**changes):
    return predict_session(**session_case().settings(**changes))


def test_the_session_is_bound_by_io():
    one = session()
    assert one["apply_s"] == pytest.approx(REPORT.apply_s)
    assert one["user_io_utilisation"] == pytest.approx(0.665, abs=5e-4)
    assert one["cpu_utilisation"] == pytest.approx(0.273, abs=5e-4)
    assert one["user_io_bound_lcr_s"] == pytest.approx(5050, abs=0.5)
    assert one["cpu_bound_lcr_s"] == pytest.approx(12_293, abs=0.5)
    assert pytest.approx(268.29, abs=1e-6) == REPORT.unaccounted_s
    assert 1e6 / one["throughput_lcr_s"] == pytest.approx(297.8, abs=0.05)


def test_more_replicats_approach_the_disk():
    rates = [session(replicats=n)["throughput_lcr_s"] for n in (1, 2, 3, 4, 8)]
    assert [round(rate) for rate in rates] == [3358, 4427, 4806, 4952, 5047]


def test_if_waits_for_io_are_a_delay_more_replicats_approach_the_cpu():
    rates = [session(replicats=n, io="delay")["throughput_lcr_s"] for n in (1, 2, 4, 8)]
    assert [round(rate) for rate in rates] == [3358, 6249, 10_227, 12_239]
    assert rates[-1] < session()["cpu_bound_lcr_s"]


def test_receiver_and_reader_pass_many_times_what_apply_does():
    one = session()
    assert pytest.approx(285 + 8.33 + 0.01) == REPORT.receiver_s
    assert pytest.approx(188.25 + 3.68) == REPORT.reader_s
    assert one["upstream_bound_lcr_s"] == pytest.approx(64_430, abs=0.5)
    slow = session(replicats=8, io="delay", receiver_s=2000)
    assert slow["throughput_lcr_s"] == slow["upstream_bound_lcr_s"] == REPORT.lcrs / 2000


@pytest.mark.parametrize("io", ["queue", "delay"])
@pytest.mark.parametrize("replicats", [1, 2, 4])
def test_the_closed_network_simulates_to_mean_value_analysis(replicats, io):
    settings = session_case().settings(replicats=replicats, io=io)
    closed = predict_session(**settings)
    for name, (mean, half_width) in session_case().simulate(5, **settings).items():
        assert abs(mean - closed[name]) <= 2 * half_width, name
        assert math.isclose(mean, closed[name], rel_tol=0.01)
