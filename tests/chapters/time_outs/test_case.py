"""The cases against the note and the chapter's own claims, and the cause that the map names."""

import pytest

from tests.chapters.entries import entries_by_row
from tests.core.asked import map_samples
from tunables.chapters.time_outs.case import lease_case, row_settings, storm_case
from tunables.core.ledger import (
    compare_with_baseline,
    degrees_of_freedom,
    fair_errors,
    freedom,
    ledger,
    rests_on,
)
from tunables.core.registry import find_map
from tunables.simulators.retry_storm import simulate_retry_storm

ROWS = ("original", "flush", "both")


def lease():
    return entries_by_row(lease_case(), seed=3)


def test_nothing_is_fitted_and_the_totals_are_identities():
    assert "Fitted parameters: 0 (none)." in degrees_of_freedom(lease_case())
    for row_id, total_s in (("lease-total-default", 4.0), ("lease-total-recommended", 1.0)):
        assert lease()[row_id].number.status == "identity"
        assert lease()[row_id].predicted == total_s
        assert lease()[row_id].agrees


def test_nothing_is_predicted_and_the_table_is_only_bounded():
    """Nothing printed implies 8.072 s or 43 per second, so they are no identities."""
    sides = {"response": "at least", "throughput": "at most"}
    for row_id, entry in lease().items():
        what = row_id.split("-")[-1]
        expected = ("bound", sides[what]) if what in sides else ("identity", "")
        assert (entry.number.status, entry.number.side) == expected
    assert freedom(lease_case()).left == 0
    for row, total in (("original", "default"), ("flush", "default"), ("both", "recommended")):
        response, throughput = (lease()[f"{row}-{what}"] for what in ("response", "throughput"))
        assert rests_on(lease_case(), response.number) == (f"lease-total-{total}",)
        assert rests_on(lease_case(), throughput.number) == (f"lease-total-{total}",)
        assert (throughput.predicted or 0) * (response.predicted or 0) == pytest.approx(50)


def test_the_rival_is_the_pool_of_25_and_misses_rows_that_the_bounds_hold_for():
    """In proportion to row 1, row 2 is as slow and row 3 takes a quarter of it."""
    baseline = lease_case().baseline
    assert baseline
    values = baseline.values
    assert values["flush-response"] == pytest.approx(8.072)
    assert values["both-response"] == pytest.approx(8.072 / 4)
    assert fair_errors(lease_case()) == []  # a bound has no error
    rows = {"flush": 4.126, "both": 1.131}
    off = [round(100 * (values[f"{row}-response"] / real - 1)) for row, real in rows.items()]
    assert f"off by {off[0]}% in row 2 and by {off[1]}% in row 3" in compare_with_baseline(
        lease_case()
    )
    assert min(off) > 75


@pytest.mark.parametrize("row", ROWS)
def test_the_lease_query_alone_bounds_every_row(row):
    response, throughput = lease()[f"{row}-response"], lease()[f"{row}-throughput"]
    assert response.agrees
    assert throughput.agrees
    assert (response.predicted or 0) < response.number.value
    assert (throughput.predicted or 0) > throughput.number.value
    assert response.error is throughput.error is None


def test_how_far_the_bounds_are_from_the_rows():
    short = {
        row: (entry.predicted or 0) / entry.number.value - 1
        for row in ROWS
        for entry in [lease()[f"{row}-response"]]
    }
    assert short == pytest.approx({"original": -0.504, "flush": -0.031, "both": -0.116}, abs=5e-4)


def test_simulation_gives_the_closed_form_of_every_row():
    for entry in lease().values():
        assert entry.simulated is not None
        mean, half_width = entry.simulated
        assert mean == pytest.approx(entry.predicted, abs=half_width + 1e-9)


def test_simulation_of_random_failures_agrees_if_every_call_has_a_thread():
    settings = lease_case().settings(failure_probability=0.4, backoff_base_s=0.3, backoff_cap_s=1.0)
    exact, simulated = lease_case().predict(**settings), lease_case().simulate(5, **settings)
    assert set(exact) - set(simulated) == {"latency_p99_s"}
    for output in ("attempts", "all_fail_probability", "latency_s", "longest_s"):
        mean, half_width = simulated[output]
        assert abs(mean - exact[output]) <= 2 * half_width
    assert simulated["response_s"][0] == pytest.approx(exact["response_s"], rel=0.02)
    # At the end of a run the clients wait for the slowest query, which takes at most this long.
    slowest_s = exact["longest_s"] + (0.3 + 0.6 + 1.0) / 2  # pauses at their bounds
    steady_s, run_s = 3000 / exact["throughput_per_s"], 3000 / simulated["throughput_per_s"][0]
    assert steady_s * 0.98 <= run_s <= steady_s * 1.02 + slowest_s


def test_a_pool_of_25_gives_row_1_and_not_the_others():
    for row, throughput in (("original", 6.25), ("flush", 6.25), ("both", 25.0)):
        settings = lease_case().settings(threads=25, **row_settings(row))
        assert lease_case().predict(**settings)["throughput_per_s"] == throughput
        mean, half_width = lease_case().simulate(1, **settings)["throughput_per_s"]
        assert mean == pytest.approx(throughput, abs=half_width + 1e-9)


def test_a_pool_with_random_failures_stays_below_its_bound():
    settings = lease_case().settings(failure_probability=0.5, threads=10)
    exact, simulated = lease_case().predict(**settings), lease_case().simulate(1, **settings)
    mean, half_width = simulated["throughput_per_s"]
    assert mean <= exact["throughput_per_s"] + half_width
    assert mean == pytest.approx(exact["throughput_per_s"], rel=0.03)


def test_the_totals_repeated_in_the_table_are_identities():
    entries = ledger(storm_case(), seed=2)
    assert [entry.predicted for entry in entries] == [4.0, 1.0]
    assert all(entry.number.status == "identity" and entry.agrees for entry in entries)


@pytest.mark.parametrize("rate", [20.0, 30.0, 70.0])
def test_the_storms_simulation_ends_in_the_states_of_the_closed_form(rate):
    settings = storm_case().settings(arrival_rate_per_s=rate)
    exact = storm_case().predict(**settings)
    for output, (mean, half_width) in storm_case().simulate(1, **settings).items():
        assert abs(mean - exact[output]) <= 2 * half_width + 0.01 * exact[output]


def test_the_three_pairs_of_time_out_and_retries():
    """The default, half of the advice (the case's own settings), and the whole advice."""
    whole_advice = row_settings("both")
    safe = [
        storm_case().predict(**storm_case().settings(**settings))["safe_arrivals_per_s"]
        for settings in (row_settings("flush"), {}, whole_advice)
    ]
    assert safe == [25.0, 25.0, 50.0]
    defaults = storm_case().settings()
    assert defaults["timeout_s"] == whole_advice["timeout_s"]
    assert defaults["retries"] == row_settings("flush")["retries"]


def test_retries_spread_in_time_agree_with_the_formula_again():
    settings, _ = find_map("storm").split(70, 0.2)
    closed = find_map("storm").case.predict(**settings)["offered_per_s"]
    assert min(map_samples("storm", settings)) > 3 * closed
    spread, _ = simulate_retry_storm(
        70, 100, 0.2, 3, outage_s=0, horizon_s=400, backoff_base_s=60, backoff_cap_s=60, seed=1
    )
    assert spread[-100:].mean() == pytest.approx(closed, rel=0.05)
