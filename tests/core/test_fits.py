"""Fits of made-up numbers: known parameters come back, odd data are refused, nothing leaks."""

from functools import cache
from importlib import import_module

import pytest

from tests.core.made import FILES, SCRIPT
from tunables.core.fit import FittedModel, FittedRows, HeldOut, elasticities, judge, mean_error
from tunables.core.registry import chapters_with, fit_source
from tunables.page.chapters import CHAPTERS

SLUGS = chapters_with("fit_request")
DATA = {slug: import_module(f"tests.chapters.{slug}.own_data") for slug in SLUGS}
SEEDS = [1, 2, 3, 4]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("chapter", DATA)
def test_the_parameters_that_made_the_data_come_back_and_the_model_fits(chapter, seed):
    fit = fit_source(chapter, DATA[chapter].follows(seed))
    assert fit.fits, fit.verdict
    for name, (value, band) in DATA[chapter].TRUTH.items():
        assert fit.value(name) == pytest.approx(value, rel=band, abs=1e-12), name


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("chapter", DATA)
def test_data_that_break_an_assumption_are_refused_with_a_reason(chapter, seed):
    fit = fit_source(chapter, DATA[chapter].breaks(seed))
    assert not fit.fits
    assert fit.verdict.startswith("This model does not fit: its mean error")
    assert fit.error > fit.model.band
    assert len(fit.verdict.split(". ")) > 1


@pytest.mark.parametrize("chapter", DATA)
def test_rows_held_out_are_held_out(chapter):
    """Spoiling them changes the verdict and not a parameter."""
    source = DATA[chapter].follows(1)
    before, after = (fit_source(chapter, each) for each in (source, DATA[chapter].spoil(source)))
    assert [p.value for p in after.parameters] == [p.value for p in before.parameters]
    assert before.fits
    assert not after.fits
    assert after.error > 1.5 * before.error


samples = cache(SCRIPT.samples)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_samples_are_what_their_script_makes(path):
    assert path.read_text(encoding="utf-8").splitlines() == samples()[path.name]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_sample_gets_the_verdict_of_its_name(path):
    chapter, kind = path.stem.split("-")
    assert fit_source(chapter, path).fits == (kind == "fits")


def test_an_unknown_chapter_is_refused():
    with pytest.raises(ValueError, match="chapter = 99: must be one of 1 "):
        fit_source(99, "a\n")


def row(measured, predicted, baseline):
    return HeldOut("x", "", measured, predicted, baseline)


@pytest.mark.parametrize(
    ("predicted", "baseline", "fits", "words"),
    [
        (1.05, 2.0, True, "This model fits: its mean error on the rows held out is 5.0%"),
        (1.05, 1.01, False, "These numbers do not need the model."),
        (1.2, 2.0, False, "more than 10.0%. Because."),
        (1.1, 1.1, True, "This model fits"),  # the edge of the band, and as good as the baseline
    ],
)
def test_the_rule(predicted, baseline, fits, words):
    model = FittedModel(CHAPTERS[0].slug, "law", "a guess", 0.1)
    fit = judge(model, [], [row(1.0, predicted, baseline)], "Because.", "x", [])
    assert fit.fits == fits
    assert words in fit.verdict


def fitted(measured, predicted, rise=0.0):
    return FittedRows(row(measured, predicted, measured), rise)


@pytest.mark.parametrize(
    ("seen", "fits", "words"),
    [
        (fitted(1.0, 1.3), True, "on the 1 of 5 rows held out is 5.0%"),
        (fitted(1.0, 1.31), False, "is 5.0%, but it is off by a factor of 1.3 for one row (x"),
        (fitted(1.31, 1.0), False, "measured 1.31, model 1). Because."),
        (fitted(1.0, 1.1, 0.19), True, "This model fits"),
        (fitted(1.0, 1.1, -0.2), False, "changes steadily with the load, by a factor of 1.2"),
    ],
)
def test_no_row_may_be_missed_far_and_no_trend_may_be_left(seen, fits, words):
    model = FittedModel(CHAPTERS[0].slug, "law", "a guess", 0.1, along="the load")
    rows = [row(1.0, 1.05, 2.0)]
    fit = judge(model, [], rows, "Because.", "x", [], (), seen, "1 of 5 rows held out")
    assert fit.fits == fits
    assert words in fit.verdict


def test_a_row_held_out_may_not_be_missed_far_either():
    rows = [row(1.0, 1.0, 2.0)] * 9 + [row(1.0, 1.4, 2.0)]
    model = FittedModel(CHAPTERS[0].slug, "law", "a guess", 0.1)
    assert not judge(model, [], rows, "Because.", "x", []).fits
    curve = FittedModel(CHAPTERS[0].slug, "law", "a guess", 0.1, "difference")
    assert judge(curve, [], rows, "Because.", "x", []).fits  # a cliff may be a little aside


def test_errors_are_relative_or_differences():
    rows = [row(2.0, 1.0, 4.0), row(0.0, 0.5, 0.0)]
    assert mean_error(rows, "relative") == pytest.approx((0.5 + 1) / 2)
    assert mean_error(rows, "relative", "baseline") == pytest.approx(0.5)
    assert mean_error(rows, "difference") == pytest.approx(0.75)


def test_elasticities_leave_out_what_has_none():
    found = dict(elasticities(lambda a, b, c: a**3 / b, {"a": 2.0, "b": 5.0, "c": 0.0}))
    assert found == {"a": pytest.approx(3), "b": pytest.approx(-1)}
