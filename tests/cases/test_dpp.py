"""Chapter 4's case: statuses by structure, the default structure's row, the simulation."""

import pytest

from tunables.cases import dpp
from tunables.cases.dpp_calibration import goodput_bps, users_bound
from tunables.cases.dpp_simulation import delays_of, simulate
from tunables.cases.dpp_structures import FITTED_REALS, FITTED_SETTINGS, FITTED_TO, times
from tunables.cases.ledger import ledger
from tunables.predictors.dpp import CLASSES, STRUCTURES, predict

ENTRIES = {entry.number.record.row_id: entry for entry in ledger(dpp.CASE, seed=2)}


def modelled(structure, column):
    return [t.modelled for t in times(structure) if t.output.endswith(f"_{column}_s")]


def test_sharing_alone_gives_its_row():
    assert [round(t) for t in modelled("S0", "without")] == [325, 375, 422, 650, 647]


def test_the_default_structure_gives_its_row_within_three_in_a_thousand():
    assert modelled("M4", "without") == pytest.approx([572, 598, 689, 645, 641], rel=3e-3)
    assert modelled("M4", "with") == pytest.approx([390, 396, 479, 650, 647], rel=3e-3)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_time_that_is_called_fitted_is_met_and_has_no_error(structure):
    for time in times(structure):
        fitted = time.output in FITTED_TO[structure]
        assert (time.status == "calibrated") == fitted == (time.error is None)
        if fitted and not time.output.startswith("large"):
            assert time.modelled == pytest.approx(time.published, rel=1e-6)


def test_no_structure_counts_fewer_fitted_reals_than_it_has():
    for structure, names in FITTED_REALS.items():
        count = 3 * ("three residuals" in names) + len([n for n in names if "three" not in n])
        without_rate = [
            name
            for name, value in FITTED_SETTINGS[structure].items()
            if name.endswith(("_delay_s", "_residual_s", "_excess_s")) and value
        ]
        assert count == 1 + len(without_rate)


def test_the_ledger_says_what_was_fitted():
    statuses = {row: entry.number.status for row, entry in ENTRIES.items()}
    predicted = {row for row, status in statuses.items() if status == "predicted"}
    assert predicted == {"port-traffic", "small-without", "medium-without", "large-1-with"}
    assert sum(status == "calibrated" for status in statuses.values()) == 12
    assert statuses["transaction-delay"] == "unexplained"
    assert ENTRIES["small-without"].error == pytest.approx(0.022, abs=1e-3)
    assert ENTRIES["medium-without"].error == pytest.approx(0.025, abs=1e-3)
    assert ENTRIES["port-traffic"].agrees
    assert not ENTRIES["large-1-with"].agrees


def test_the_defaults_are_the_fit_of_the_default_structure():
    settings = dpp.CASE.settings()
    fitted = FITTED_SETTINGS["M4"] | {"medium_excess_s": settings["medium_excess_s"]}
    assert settings == fitted
    assert dpp.inferred_users() == 20


def test_users_stay_twenty_for_every_time_that_the_remark_names():
    payload = goodput_bps(10e9, 9000)
    assert [int(users_bound(payload, s)) for s in (623, 624, 654, 655)] == [19, 20, 20, 21]


@pytest.mark.parametrize("structure", ["S0", "M4"])
def test_every_transaction_simulated_agrees_with_the_product_form(structure):
    settings = dict(FITTED_SETTINGS[structure])
    closed, simulated = predict(**settings), simulate(4, **settings)
    for name in CLASSES:
        for column in ("without", "with"):
            output = f"{name}_{column}_s"
            assert simulated[output][0] == pytest.approx(closed[output], rel=3e-3), output


def test_delays_alone():
    milliseconds = [1e3 * z for z in delays_of(20, 9.5e9)]
    assert milliseconds == pytest.approx([7.16, 8.14, 9.66, 462, 1032], rel=1e-3)
