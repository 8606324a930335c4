"""Chapter 2's retry storm against the chapter's own claims."""

import pytest

from tunables.chapters.time_outs import storm_case as storm
from tunables.parts.ledger import ledger


def test_the_published_totals_are_identities():
    entries = ledger(storm.case(), seed=2)
    assert [entry.predicted for entry in entries] == [4.0, 1.0]
    assert all(entry.number.status == "identity" and entry.agrees for entry in entries)


@pytest.mark.parametrize("rate", [20.0, 30.0, 70.0])
def test_simulation_ends_in_the_states_of_the_closed_form(rate):
    settings = storm.case().settings(arrival_rate_per_s=rate)
    exact = storm.case().predict(**settings)
    for output, (mean, half_width) in storm.case().simulate(1, **settings).items():
        assert abs(mean - exact[output]) <= 2 * half_width + 0.01 * exact[output]


def test_the_three_pairs_of_time_out_and_retries():
    """Default, half the advice (the case's own settings), the whole advice."""
    whole_advice = storm.row_settings("both")
    safe = [
        storm.case().predict(**storm.case().settings(**settings))["safe_arrivals_per_s"]
        for settings in (storm.row_settings("flush"), {}, whole_advice)
    ]
    assert safe == [25.0, 25.0, 50.0]
    defaults = storm.case().settings()
    assert defaults["timeout_s"] == whole_advice["timeout_s"]
    assert defaults["retries"] == storm.row_settings("flush")["retries"]
