"""The fit of a user's numbers: what it finds, and what it refuses."""

import pytest

from tests.core.made import text
from tests.page.test_user_numbers import assert_fitted, page_answers, question
from tunables.core.registry import fit_source


def test_the_published_table_is_a_table_of_runs():
    """Rows 1 and 2 of chapter 1, and two that its law gives: two delays per commit, not one."""
    rows = [(50, 2000, 8072, 6.19), (50, 25, 4126, 12.1), (50, 500, 5076, 9.85), (50, 1, 4078, 12)]
    fit = fit_source("group_commit", text("clients,delay_ms,response_ms,throughput_per_s", rows))
    assert fit.fits, fit.verdict
    assert fit.value("k") == pytest.approx(2, rel=0.01)


def test_runs_with_the_same_setting_keep_their_order_in_the_page():
    rows = [(50, 25, 4000 + 997 * n % 701, 12) for n in range(9)] + [(50, 500, 5076, 9.85)]
    source = text("clients,delay_ms,response_ms,throughput_per_s", rows)
    answers = page_answers({"ties": question("group_commit", source.encode())})
    assert_fitted(answers["ties"], "group_commit", fit_source("group_commit", source))


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("clients,response_s\n1,2\n", "either a column time_s"),
        ("clients,response_s,throughput_per_s\n1,2,3\n", "runs: 1, but at least 3 are needed"),
        ("clients,response_s,time_s\n1,2,3\n4,2,3\n", "1 commits in a row with 1 clients"),
        ("clients,response_s,time_s\n" + "1,2,3\n" * 50, "time_s does not change"),
    ],
)
def test_the_fits_refusals_say_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("group_commit", source)
