"""The fit of a user's numbers: what it finds, and what it refuses."""

import pytest

from tests.chapters.hedged_requests.own_data import breaks, follows
from tests.core.made import lines, text
from tunables.core.registry import fit_source


def test_copies_that_share_nothing_or_everything_are_recognised():
    heading, rows = lines(follows())
    times = [row.split(",")[0] for row in rows]
    for seconds, share in ((times[1:] + times[:1], 0), (times, 1)):
        fit = fit_source("hedged_requests", text(heading, zip(times, seconds, strict=True)))
        assert fit.value("c") == pytest.approx(share, abs=0.04)
        assert fit.fits


def test_a_pause_of_both_is_named():
    verdict = fit_source("hedged_requests", breaks(1)).verdict
    assert "a single share can't describe what the copies have in common" in verdict


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("first_ms,second_ms\n1,1\n", "too few rows \\(1\\): this fit needs"),
        ("first_ms,second_ms\n" + "5,5\n" * 1000, "all copies take the same time"),
        ("first_ms\n" + "5\n" * 1000, "second_s"),
    ],
)
def test_the_fits_refusals_say_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("hedged_requests", source)
