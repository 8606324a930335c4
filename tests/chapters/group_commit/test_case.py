"""Chapter 1's model against the published table and the chapter's own claims."""

from typing import Any

import pytest

from tunables.chapters.group_commit import calibration as rdu_calibration
from tunables.chapters.group_commit import case as rdu
from tunables.chapters.group_commit.calibration import ROWS, response_s, row_settings
from tunables.chapters.group_commit.predictor import HYPOTHESES, predict
from tunables.evidence.published import published
from tunables.parts.freedom import degrees_of_freedom
from tunables.parts.ledger import ledger

DATA = published("rdu-batch-tuning")
ENTRIES: dict[str, Any] = {
    entry.number.record.row_id: entry for entry in ledger(rdu.case(), seed=3)
}
RESPONSES = [f"{row}-response" for row in ROWS]
THROUGHPUTS = [f"{row}-throughput" for row in ROWS]
SURVIVORS = ("two caps", "commit stage")


def test_what_is_fitted_is_computed_from_the_table():
    defaults = rdu.case().settings()
    assert defaults["hypothesis"] == "two caps"
    assert rdu_calibration.caps_per_batch() == pytest.approx(3946 / 1975)
    assert defaults["base_s"] == pytest.approx(4.126 - 4 - 2 * 0.025)
    assert defaults["think_s"] == pytest.approx(50 / 43 - 1.131)
    assert defaults["pool_threads"] == 25
    assert defaults["commit_threads"] == 13
    assert {name: defaults[name] for name in row_settings("original")} == row_settings("original")


def test_the_threads_are_those_that_come_nearest_to_row_1():
    """Of all sizes of a commit stage, and of all pools with a base of at least 0."""
    parameters = rdu.rival("commit stage")

    def distance(threads):
        response = predict(**parameters | {"commit_threads": threads})["response_s"]
        return abs(response - response_s("original"))

    assert min(range(1, 51), key=distance) == parameters["commit_threads"]
    bare = rdu.rival("thread pool") | {"base_s": 0}
    sizes = range(1, 51)
    fits = [
        size
        for size in sizes
        if predict(**bare | {"pool_threads": size})["response_s"] <= response_s("original")
    ]
    assert fits[0] == bare["pool_threads"]


def test_the_ledger_calls_four_numbers_fitted_two_identities_and_none_predicted():
    statuses = {row_id: entry.number.status for row_id, entry in ENTRIES.items()}
    assert statuses == {
        "original-throughput": "identity",
        "original-response": "calibrated",
        "flush-throughput": "identity",
        "flush-response": "calibrated",
        "both-throughput": "calibrated",
        "both-response": "calibrated",
        "flush-delay-normal-low": "unexplained",
        "flush-delay-normal-high": "unexplained",
    }
    words = degrees_of_freedom(rdu.case())
    assert "8 published numbers: 2 identity, 4 calibrated, 2 unexplained." in words
    assert "Degrees of freedom: 4 - 3 = 1." in words


def test_the_baseline_misses_row_1_by_half_and_row_3_as_the_model_does():
    assert ENTRIES["original-response"].baseline_error == pytest.approx(-0.489, abs=5e-4)
    row_3 = ENTRIES["both-response"]
    assert row_3.baseline == pytest.approx(row_3.predicted, abs=1e-6)


def test_the_identities_hold_for_the_published_responses_without_any_model():
    for row in ("original", "flush"):
        throughput = DATA["concurrent-calls"].value / (
            response_s(row) + rdu_calibration.think_time_s()
        )
        assert round(throughput) == DATA[f"{row}-throughput"].value
        assert ENTRIES[f"{row}-throughput"].agrees


@pytest.mark.parametrize("row_id", RESPONSES)
def test_the_closed_form_is_within_half_a_percent_of_each_response(row_id):
    entry = ENTRIES[row_id]
    assert entry.predicted == pytest.approx(entry.number.value, rel=0.005)


@pytest.mark.parametrize("row_id", THROUGHPUTS)
def test_each_throughput_rounds_to_the_published_integer(row_id):
    """Closed form, and all 3000 batches by the time of the last, which is the longer count."""
    entry = ENTRIES[row_id]
    mean, half_width = entry.simulated
    assert round(entry.predicted) == round(mean) == entry.number.record.value
    assert round(mean - half_width) == round(mean + half_width) == round(mean)
    assert mean < entry.predicted


@pytest.mark.parametrize("row_id", RESPONSES)
def test_the_simulated_response_agrees_with_the_closed_form(row_id):
    mean, half_width = ENTRIES[row_id].simulated
    assert abs(mean - ENTRIES[row_id].predicted) <= 1.5 * half_width  # 99.5 %, three numbers
    assert half_width < 0.001


def test_what_is_left_to_test_with_misses_the_published_digits_and_says_so():
    entry = ENTRIES["both-response"]
    assert entry.agrees is False
    assert entry.error == pytest.approx(-0.0044, abs=5e-5)
    assert f"by {1000 * (entry.number.value - entry.predicted):.0f} ms" in entry.number.remark


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    settings = rdu.rival("two caps", "both")
    assert (
        rdu.case().simulate(1, **settings)
        == rdu.case().simulate(1, **settings)
        != rdu.case().simulate(2, **settings)
    )


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
@pytest.mark.parametrize("row", ROWS)
def test_every_hypothesis_simulates_to_its_closed_form(hypothesis, row):
    """With its own base; queues and cohorts are approximated, to within 1 %."""
    settings = rdu.rival(hypothesis, row)
    mean, half_width = rdu.case().simulate(2, **settings)["response_s"]
    slack = 0.01 * mean if "cap" not in hypothesis else 0
    assert abs(predict(**settings)["response_s"] - mean) <= 2 * half_width + slack


@pytest.mark.parametrize("hypothesis", SURVIVORS)
@pytest.mark.parametrize("row", ROWS)
def test_both_survivors_are_within_half_a_percent_of_the_whole_table(hypothesis, row):
    outputs = predict(**rdu.rival(hypothesis, row))
    assert outputs["response_s"] == pytest.approx(response_s(row), rel=0.005)
    assert round(outputs["throughput_per_s"]) == DATA[f"{row}-throughput"].value


def test_the_fourth_cell_tells_the_survivors_apart_and_simulation_says_the_same():
    cell: Any = row_settings("both") | {"max_delay_s": row_settings("original")["max_delay_s"]}
    expected = {"two caps": (5.076, 9.789), "commit stage": (8.049, 6.188)}
    for hypothesis, (response, throughput) in expected.items():
        settings = rdu.rival(hypothesis, **cell)
        outputs = predict(**settings)
        assert outputs["response_s"] == pytest.approx(response, abs=5e-4)
        assert outputs["throughput_per_s"] == pytest.approx(throughput, abs=5e-4)
        simulated, _ = rdu.case().simulate(1, **settings)["response_s"]
        assert simulated == pytest.approx(response, rel=0.01)
