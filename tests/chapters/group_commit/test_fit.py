"""The fit of a user's numbers: what it finds, and what it refuses."""

import pytest

from tests.core.made import text
from tests.page.test_user_numbers import assert_fitted, page_answers, question
from tunables.chapters.group_commit.fit import report, solve
from tunables.core.registry import fit_source


def test_the_published_table_is_a_table_of_runs():
    """Rows 1 and 2 of chapter 1, and two that its law gives: two delays per commit, not one."""
    rows = [(50, 2000, 8072, 6.19), (50, 25, 4126, 12.1), (50, 500, 5076, 9.85), (50, 1, 4078, 12)]
    fit = fit_source("group_commit", text("clients,delay_ms,response_ms,throughput_per_s", rows))
    assert fit.fits, fit.verdict
    assert fit.value("k") == pytest.approx(2, rel=0.01)


RUNS = ((2, 1.28, 1516), (8, 1.82, 4264), (32, 3.98, 7799), (64, 6.86, 9050), (128, 12.62, 9838))


def test_runs_whose_response_grows_with_the_clients_do_not_fit_whatever_is_held_out():
    """The law gives all of them nearly the same response, which the middle one happens to have."""
    fit = fit_source("group_commit", text("clients,response_ms,throughput_per_s", RUNS))
    assert fit.error < fit.model.band
    assert not fit.fits
    assert "on the 1 of 5 rows held out is" in fit.verdict
    assert "off by a factor of" in fit.verdict
    assert "grows with the number of clients" in fit.verdict


def test_a_response_that_does_not_depend_on_the_clients_is_explained():
    runs = [(1, 7.01, 133), (5, 7.05, 662), (10, 7.1, 1316), (20, 7.2, 2597), (35, 7.35, 4458)]
    fit = fit_source("group_commit", text("clients,response_ms,throughput_per_s", runs))
    assert "hardly depends on the number of clients" in fit.verdict


def test_a_link_made_before_the_fitted_rows_were_judged_still_opens():
    source = text("clients,response_ms,throughput_per_s", RUNS)
    result = solve({"log": None, "table": [[n, 0.0, ms / 1000, x] for n, ms, x in RUNS]})
    assert report(result).verdict == fit_source("group_commit", source).verdict
    old = {key: result[key] for key in result if key not in ("runs", "worst", "trend")}
    assert "on the rows held out is 4.7%" in report(old).verdict


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
        ("clients,response_s,time_s\n1,2,3\n4,2,3\n", "1 consecutive commits with 1 clients"),
        ("clients,response_s,time_s\n" + "1,2,3\n" * 50, "time_s does not change"),
    ],
)
def test_the_fits_refusals_say_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("group_commit", source)
