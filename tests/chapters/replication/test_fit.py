"""The fit of user data: what it finds, and what it refuses."""

import numpy as np
import pytest

from tests.core.made import text
from tests.page.test_user_numbers import assert_fitted, page_answers, question
from tunables.core.registry import fit_source


def test_stage_rates_that_are_given_are_not_fitted():
    rows = [(0.001 * rtt, min(90e6, 8e6 / (0.001 * rtt)), 200e6, 90e6) for rtt in range(20, 200, 9)]
    fit = fit_source("replication", text("rtt_s,throughput_bps,source_bps,apply_bps", rows))
    assert fit.fits, fit.verdict
    (limit, window) = fit.parameters
    assert (limit.value, limit.origin, limit.what) == (
        90e6,
        "given",
        "rate of the slowest stage, apply",
    )
    assert window.value == pytest.approx(1e6, rel=1e-3)


@pytest.mark.parametrize(
    ("law", "rate"),
    [
        ("cubic", lambda rtt: 30e6 * rtt**-0.25),
        ("stop-and-wait", lambda rtt: 1 / (1 / 300e6 + rtt / 8e6)),
    ],
)
def test_the_law_of_the_round_trip_is_chosen_by_the_data(law, rate):
    rows = [(rtt, rate(rtt)) for rtt in np.linspace(0.01, 0.3, 15)]
    fit = fit_source("replication", text("rtt_s,throughput_bps", rows))
    assert fit.fits, fit.verdict
    assert f"Law chosen: {law}" in fit.notes[0]


@pytest.mark.slow
def test_equal_transfers_keep_their_order_in_the_page():
    """The stages of equal transfers differ, and the rank correlation counts them as ties."""
    rows = [(0.05, 34.1e6, 20e6 + 7e6 * (5 * n % 9)) for n in range(9)] + [(0.2, 65.9e6, 90e6)]
    source = text("rtt_s,throughput_bps,source_bps", rows)
    answers = page_answers({"ties": question("replication", source.encode())})
    assert_fitted(answers["ties"], "replication", fit_source("replication", source))


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("rtt_s,throughput_bps\n" + "1,2\n" * 7, "rtt_s is the same in all rows"),
    ],
)
def test_what_the_fit_refuses_says_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("replication", source)
