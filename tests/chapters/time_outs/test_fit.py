"""The fit of a user's numbers: what it finds, and what it refuses."""

import pytest

from tests.chapters.time_outs.own_data import follows
from tests.core.made import lines, text
from tunables.core.registry import fit_source


@pytest.mark.long  # thousands are fitted in tests/core/test_fits.py
def test_a_million_rows_are_fitted():
    heading, rows = lines(follows())
    many = rows * (1_000_000 // len(rows) + 1)
    assert fit_source("time_outs", text(heading, many)).parameters[0].value > 0


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("latency_s,timeout_s,retries\n1,1,1\n", "too few rows \\(1\\): this fit needs"),
        ("latency_s,timeout_s,retries\n" + "1,1,1\n1,2,1\n" * 500, "fit one setting at a time"),
        ("latency_s,timeout_s,retries\n" + "2,1,1\n" * 1000, "no request was answered"),
        ("latency_s,timeout_s,retries\n" + "2,1,1e9\n" * 1000, "at most 100"),
    ],
)
def test_the_fits_refusals_say_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("time_outs", source)
