"""The fitted parameters of chapter 4 and the table of models that they give."""

import pytest

from tunables.chapters.flow_priority.calibration import (
    calibrate,
    goodput_bps,
    least_squares_fit,
    users_bound,
)
from tunables.chapters.flow_priority.predictor import CLASSES, predict
from tunables.evidence.published import published

DATA = published("nexus-dpp")


def published_column(which):
    return [DATA[f"{name.replace('_', '-')}-{which}"].value for name in CLASSES]


WITHOUT, WITH = published_column("without"), published_column("with")


@pytest.fixture(scope="module")
def fitted():
    return calibrate(WITHOUT, WITH)


def columns(settings):
    answered = predict(**settings)
    return tuple([answered[f"{n}_{which}_s"] for n in CLASSES] for which in ("without", "with"))


def test_sharing_alone_explains_the_large_rows_and_no_other(fitted):
    without, with_dpp = columns(fitted["S0"])
    assert [round(time) for time in without] == [325, 375, 422, 650, 647]
    assert [round(time) for time in with_dpp] == [300, 301, 301, 650, 647]
    assert without[3] + without[4] == pytest.approx(WITHOUT[3] + WITHOUT[4])


def test_one_queueing_delay_fitted_to_one_row_predicts_the_next(fitted):
    without, _ = columns(fitted["S1"])
    assert 1e3 * fitted["S1"]["queueing_delay_s"] == pytest.approx(6.01, rel=3e-3)
    assert without[0] == pytest.approx(572)
    assert without[1:] == pytest.approx([584, 591, 650, 647], rel=6e-3)


def test_residuals_from_the_dpp_column_predict_the_column_without(fitted):
    settings = fitted["M4"]
    without, with_dpp = columns(settings)
    assert 1e3 * settings["queueing_delay_s"] == pytest.approx(3.89, rel=2e-3)
    residuals = [settings[f"{name}_residual_s"] * 1e3 for name in CLASSES[:3]]
    assert residuals == pytest.approx([2.15, 2.62, 5.85], rel=4e-3)
    assert with_dpp[:3] == pytest.approx(WITH[:3])
    assert without == pytest.approx([572, 598, 689, 645, 641], rel=3e-3)
    errors = [100 * (ours / theirs - 1) for ours, theirs in zip(without, WITHOUT, strict=True)]
    assert errors == pytest.approx([0, 2.2, 2.5, -0.1, -1.5], abs=0.1)


def test_one_residual_for_all_and_one_excess(fitted):
    settings = fitted["M5"]
    without, with_dpp = columns(settings)
    assert 1e3 * settings["queueing_delay_s"] == pytest.approx(3.89, rel=2e-3)
    assert 1e3 * settings["extra_small_residual_s"] == pytest.approx(2.15, rel=2e-3)
    assert 1e3 * settings["medium_excess_s"] == pytest.approx(3.03, rel=3e-3)
    assert without == pytest.approx([572, 581, 672, 647, 643], rel=1.5e-3)
    assert with_dpp[:3] == pytest.approx([390, 379, 459], rel=1e-3)


def test_least_squares_on_all_ten(fitted):
    best = least_squares_fit(WITHOUT, WITH, fitted["M5"])
    times = [time for column in columns(best) for time in column]
    errors = [ours / theirs - 1 for ours, theirs in zip(times, WITHOUT + WITH, strict=True)]
    rms = (sum(error**2 for error in errors) / len(errors)) ** 0.5
    assert rms == pytest.approx(0.013, abs=5e-4)
    assert max(map(abs, errors)) == pytest.approx(0.024, abs=5e-4)


def test_the_number_of_users_is_in_the_table():
    bound = users_bound(goodput_bps(10e9, DATA["mtu-set"].value), WITH[4])
    assert 20 <= bound < 21


def test_columns_that_no_delay_can_meet_are_refused():
    with pytest.raises(ValueError, match=r"\['queueing_delay_s'\] cannot meet"):
        calibrate([310, *WITHOUT[1:]], WITH)  # below what sharing the port takes
