"""The page "How many runs are enough": what it says is so, of the numbers that it shows."""

import re
from pathlib import Path

import pytest
from scipy import stats

from book._ext import runs as shown
from tunables.core.registry import find_case
from tunables.views import how_many_runs as runs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "how-many-runs.md").read_text(encoding="utf-8")


def test_every_number_and_table_is_on_the_page_once_or_more_and_no_other():
    assert set(re.findall(r"\{runs\}`([^`]+)`", PAGE)) == set(shown.WORDS)
    assert re.findall(r"\{runs-table\} (\S+)", PAGE) == list(shown.TABLES)


def test_dearer_work_seems_to_get_more_done_and_does_not():
    published, same, other = runs.batches_per_s()
    assert other[1] > published[1]
    assert all(b < a for a, b in zip(published, same, strict=True))


def test_the_published_runs_are_those_of_the_ledger():
    case = find_case("rdu")
    assert case.simulation is not None
    samples = [run["throughput_per_s"] for run in case.simulation.runs(1, **case.settings())]
    assert runs.batches_per_s()[0][: len(samples)] == samples


def test_the_start_biases_and_the_warm_up_mends_it():
    exact = runs.exact_s()
    (short, width), *_, (mended, mended_width) = (runs.short_runs_s(n) for n in runs.WARM_UPS)
    assert short + 5 * width < exact
    assert abs(mended - exact) <= mended_width


def test_the_intervals_are_scipys():
    for n in runs.STEPS:
        samples = runs.batches_per_s()[0][:n]
        low, high = stats.t.interval(0.95, n - 1, 0.0, stats.sem(samples))
        mean, half_width = runs.differences(n, True)[0]
        assert mean == pytest.approx(sum(samples) / n)
        assert half_width == pytest.approx((high - low) / 2)


def test_the_width_falls_with_the_root_of_the_runs():
    scaled = [runs.differences(n, True)[0][1] * n**0.5 for n in runs.STEPS]
    assert max(scaled) < 1.25 * min(scaled)


def test_95_percent_is_within_chance_of_what_the_intervals_hold():
    assert stats.binomtest(runs.count_covering(), runs.COVERED, 0.95).pvalue > 0.01


def test_common_numbers_tell_with_a_fraction_of_the_runs():
    assert runs.runs_to_tell(common=True) < runs.runs_to_tell(common=False) / 10
    for n in runs.STEPS:
        same, other = (runs.differences(n, common)[2][1] for common in (True, False))
        assert same < other / 20


def test_a_second_server_gains_nothing_from_common_numbers():
    assert runs.second_server(common=True)[1] > runs.second_server(common=False)[1]


def test_what_the_prose_says_of_the_experiments():
    users, servers, think_s, service_s = runs.ONE
    assert (users, servers, runs.TWO) == (20, 1, (20, 2, think_s, service_s))
    assert f"Twenty people share a printer. Each thinks for {think_s:.0f} s" in PAGE
    assert f"prints for {service_s:.0f} s" in PAGE
    assert f"measures {runs.COUNTED} pages" in PAGE
    assert f"the mean of {runs.STARTS:,} runs" in PAGE
    assert runs.RUNS == 10
    assert "each computed from ten runs" in PAGE
    assert f"{100 * (runs.DEARER - 1):.0f}% more expensive" in PAGE
    assert f"With different random numbers, {runs.STEPS[-1]} runs give" in PAGE
