"""Chapter 4's case: statuses by structure, the default structure's row, the simulation, the map."""

import numpy as np
import pytest

from tests.chapters.entries import entries_by_row
from tests.core.asked import map_samples
from tunables.chapters.flow_priority.calibration import (
    FITTED_REALS,
    FITTED_TO,
    fitted_settings,
    goodput_bps,
    inferred_users,
    times,
    users_bound,
)
from tunables.chapters.flow_priority.case import case
from tunables.chapters.flow_priority.predictor import CLASSES, STRUCTURES, predict
from tunables.chapters.flow_priority.simulation import delays_of
from tunables.core.registry import find_map


def entries():
    return entries_by_row(case(), seed=2)


def modelled_times(structure, column):
    return [t.modelled for t in times(structure) if t.output.endswith(f"_{column}_s")]


def test_sharing_alone_gives_its_row():
    assert [round(t) for t in modelled_times("S0", "without")] == [325, 375, 422, 650, 647]


def test_the_default_structure_gives_its_row_within_three_in_a_thousand():
    assert modelled_times("M4", "without") == pytest.approx([572, 598, 689, 645, 641], rel=3e-3)
    assert modelled_times("M4", "with") == pytest.approx([390, 396, 479, 650, 646], rel=3e-3)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_fitted_time_is_met_and_has_no_error(structure):
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
            for name, value in fitted_settings()[structure].items()
            if name.endswith(("_delay_s", "_residual_s", "_excess_s")) and value
        ]
        assert count == 1 + len(without_rate)


def test_the_ledger_states_what_was_fitted():
    statuses = {row: entry.number.status for row, entry in entries().items()}
    predicted = {row for row, status in statuses.items() if status == "predicted"}
    assert predicted == {"large-1-with"}
    consistent = {row for row, status in statuses.items() if status == "consistent"}
    assert consistent == {"small-without", "medium-without", "transaction-delay"}
    assert sum(status == "calibrated" for status in statuses.values()) == 13
    assert entries()["transaction-delay"].agrees
    assert entries()["small-without"].error == pytest.approx(0.022, abs=1e-3)
    assert entries()["medium-without"].error == pytest.approx(0.025, abs=1e-3)
    assert entries()["port-traffic"].predicted == pytest.approx(10, abs=0.5)  # its resolution
    assert not entries()["large-1-with"].agrees


def test_the_defaults_are_the_fit_of_the_default_structure():
    settings = case().settings()
    fitted = fitted_settings()["M4"] | {"medium_excess_s": settings["medium_excess_s"]}
    assert settings == fitted
    assert inferred_users() == 20


def test_there_are_twenty_users_for_every_time_in_the_remark():
    payload = goodput_bps(10e9, 9000)
    assert [int(users_bound(payload, s)) for s in (623, 624, 654, 655)] == [19, 20, 20, 21]


@pytest.mark.slow
def test_with_all_but_the_last_packet_ahead_nothing_is_gained_in_the_simulation_either():
    settings = fitted_settings()["M4"] | {"max_packets": 14}
    closed, simulated = predict(**settings), case().simulate(4, **settings)
    assert closed["medium_with_s"] == pytest.approx(closed["medium_without_s"], rel=2e-3)
    for name in CLASSES:
        found = simulated[f"{name}_with_s"][0]
        assert found == pytest.approx(closed[f"{name}_with_s"], rel=3e-3), name


def test_labels_name_the_structures_in_words_and_links_use_their_short_names():
    [structure] = (p for p in case().parameters if p.name == "structure")
    assert structure.choices == STRUCTURES
    assert structure.text("M4") == "separate residuals"
    texts = [p.label + p.source for p in case().parameters] + [n.remark for n in case().numbers]
    assert not [text for text in texts if any(code in text for code in STRUCTURES)]


@pytest.mark.slow
@pytest.mark.parametrize("structure", ["S0", "M4"])
def test_the_simulation_agrees_with_the_product_form(structure):
    settings = dict(fitted_settings()[structure])
    closed, simulated = predict(**settings), case().simulate(4, **settings)
    for name in CLASSES:
        for column in ("without", "with"):
            output = f"{name}_{column}_s"
            assert simulated[output][0] == pytest.approx(closed[output], rel=3e-3), output


def test_delays_of_the_classes():
    milliseconds = [1e3 * z for z in delays_of(20, 9.5)]
    assert milliseconds == pytest.approx([7.16, 8.14, 9.66, 462, 1032], rel=1e-3)


def test_users_in_step_matter_less_where_the_port_is_nearly_full():
    def gap(users):
        settings, _ = find_map("dpp").split(users, 0)
        closed = find_map("dpp").case.predict(**settings)
        busy = closed["port_utilisation"]
        simulated_s = np.mean(map_samples("dpp", settings, spread=0.0))
        return busy, closed["large_1_with_s"] / simulated_s - 1

    (free, wide), (busy, narrow) = gap(8), gap(30)
    assert free < 0.85 < 0.99 < busy
    assert wide < -0.2 < -0.1 < narrow < 0
