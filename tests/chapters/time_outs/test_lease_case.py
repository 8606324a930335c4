"""Chapter 2's lease query against the chapter's own claims."""

import pytest

from tunables.chapters.time_outs import lease_case as lease
from tunables.parts.freedom import degrees_of_freedom, freedom, rests_on
from tunables.parts.ledger import ledger
from tunables.parts.rival import fair_errors

ENTRIES = {entry.number.record.row_id: entry for entry in ledger(lease.case(), seed=3)}
ROWS = ("original", "flush", "both")


def test_nothing_is_fitted_and_the_totals_are_identities():
    assert "Fitted parameters: 0 (none)." in degrees_of_freedom(lease.case())
    for row_id, total_s in (("lease-total-default", 4.0), ("lease-total-recommended", 1.0)):
        assert ENTRIES[row_id].number.status == "identity"
        assert ENTRIES[row_id].predicted == total_s
        assert ENTRIES[row_id].agrees


def test_nothing_is_predicted_the_six_bounds_are_the_totals_again():
    assert {entry.number.status for entry in ENTRIES.values()} == {"identity"}
    assert freedom(lease.case()).left == 0
    for row, total in (("original", "default"), ("flush", "default"), ("both", "recommended")):
        response, throughput = (ENTRIES[f"{row}-{what}"] for what in ("response", "throughput"))
        assert rests_on(lease.case(), response.number) == (f"lease-total-{total}",)
        assert f"{row}-response" in rests_on(lease.case(), throughput.number)
        assert (throughput.predicted or 0) * (response.predicted or 0) == pytest.approx(50)


def test_the_rival_is_the_pool_of_25_and_misses_what_the_bounds_do_not():
    """From row 1 in proportion: as slow in row 2, a quarter of it in row 3."""
    baseline = lease.case().baseline
    assert baseline
    values = baseline.values
    assert values["flush-response"] == pytest.approx(8.072)
    assert values["both-response"] == pytest.approx(8.072 / 4)
    for rival, own in fair_errors(lease.case()):
        assert abs(own) < 0.17 < 0.42 < abs(rival)


@pytest.mark.parametrize("row", ROWS)
def test_the_lease_query_alone_bounds_every_row(row):
    response, throughput = ENTRIES[f"{row}-response"], ENTRIES[f"{row}-throughput"]
    assert (response.error or 0) < 0 < (throughput.error or 0)


def test_the_totals_are_in_the_rows_that_they_are_measured_in():
    errors = {row: ENTRIES[f"{row}-response"].error for row in ROWS}
    assert errors == pytest.approx({"original": -0.504, "flush": -0.031, "both": -0.116}, abs=5e-4)


def test_simulation_gives_the_closed_form_of_every_row():
    for entry in ENTRIES.values():
        assert entry.simulated is not None
        mean, half_width = entry.simulated
        assert mean == pytest.approx(entry.predicted, abs=half_width + 1e-9)


def test_simulation_of_random_failures_agrees_where_every_call_has_a_thread():
    settings = lease.case().settings(failure_probability=0.4, backoff_base_s=0.3, backoff_cap_s=1.0)
    exact, simulated = lease.case().predict(**settings), lease.case().simulate(5, **settings)
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
        settings = lease.case().settings(threads=25, **lease.row_settings(row))
        assert lease.case().predict(**settings)["throughput_per_s"] == throughput
        mean, half_width = lease.case().simulate(1, **settings)["throughput_per_s"]
        assert mean == pytest.approx(throughput, abs=half_width + 1e-9)


def test_a_pool_bounds_what_chance_leaves_of_it():
    settings = lease.case().settings(failure_probability=0.5, threads=10)
    exact, simulated = lease.case().predict(**settings), lease.case().simulate(1, **settings)
    mean, half_width = simulated["throughput_per_s"]
    assert mean <= exact["throughput_per_s"] + half_width
    assert mean == pytest.approx(exact["throughput_per_s"], rel=0.03)
