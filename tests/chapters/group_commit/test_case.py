"""The case against the published table, its rivals, and the causes that its map names."""

from statistics import mean
from typing import Any

import numpy as np
import pytest

from tests.chapters.entries import entries_by_row
from tests.chapters.notebooks import ROOT, prose
from tests.core.asked import map_samples
from tunables.chapters.group_commit import case as rdu
from tunables.chapters.group_commit.case import ROWS, response_s, row_settings
from tunables.chapters.group_commit.predictor import HYPOTHESES, predict
from tunables.core.ledger import degrees_of_freedom
from tunables.core.registry import find_map
from tunables.evidence.published import published
from tunables.simulators.batches import simulate_batches

DATA = published("rdu-batch-tuning")
RESPONSES = [f"{row}-response" for row in ROWS]
THROUGHPUTS = [f"{row}-throughput" for row in ROWS]
SURVIVORS = ("two caps", "commit stage")


def entries():
    return entries_by_row(rdu.case(), seed=3)


def test_the_fitted_defaults_are_computed_from_the_table():
    defaults = rdu.case().settings()
    assert defaults["hypothesis"] == "two caps"
    assert rdu.caps_per_batch() == pytest.approx(3946 / 1975)
    assert defaults["base_s"] == pytest.approx(4.126 - 4 - 2 * 0.025)
    assert defaults["think_s"] == pytest.approx(50 / 43 - 1.131)
    assert defaults["pool_threads"] == 25
    assert defaults["commit_threads"] == 13
    assert {name: defaults[name] for name in row_settings("original")} == row_settings("original")


def test_the_fitted_threads_give_the_response_nearest_to_row_1():
    """No other size of the commit stage is nearer, nor a smaller pool with a base of at least 0."""
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
    statuses = {row_id: entry.number.status for row_id, entry in entries().items()}
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
    assert entries()["original-response"].baseline_error == pytest.approx(-0.489, abs=5e-4)
    row_3 = entries()["both-response"]
    assert row_3.baseline == pytest.approx(row_3.predicted, abs=1e-6)


def test_the_identities_hold_for_the_published_responses_without_any_model():
    for row in ("original", "flush"):
        throughput = DATA["concurrent-calls"].value / (response_s(row) + rdu.think_time_s())
        assert round(throughput) == DATA[f"{row}-throughput"].value
        assert entries()[f"{row}-throughput"].agrees


@pytest.mark.parametrize("row_id", RESPONSES)
def test_the_closed_form_is_within_half_a_percent_of_each_response(row_id):
    entry = entries()[row_id]
    assert entry.predicted == pytest.approx(entry.number.value, rel=0.005)


@pytest.mark.parametrize("row_id", THROUGHPUTS)
def test_each_throughput_rounds_to_the_published_integer(row_id):
    """Both the closed form and the simulation do; the latter counts to the last answer."""
    entry = entries()[row_id]
    mean, half_width = entry.simulated
    assert round(entry.predicted) == round(mean) == entry.number.record.value
    assert round(mean - half_width) == round(mean + half_width) == round(mean)
    assert mean < entry.predicted


@pytest.mark.parametrize("row_id", RESPONSES)
def test_the_simulated_response_agrees_with_the_closed_form(row_id):
    mean, half_width = entries()[row_id].simulated
    assert abs(mean - entries()[row_id].predicted) <= 1.5 * half_width  # 99.5%, three numbers
    assert half_width < 0.001


def test_the_only_number_left_for_a_test_misses_its_digits_and_says_so():
    entry = entries()["both-response"]
    assert entry.agrees is False
    assert entry.error == pytest.approx(-0.0044, abs=5e-5)
    assert f"by {1000 * (entry.number.value - entry.predicted):.0f} ms" in entry.number.remark


def test_the_seed_determines_the_numbers():
    settings = rdu.rival("two caps", "both")
    assert (
        rdu.case().simulate(1, **settings)
        == rdu.case().simulate(1, **settings)
        != rdu.case().simulate(2, **settings)
    )


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
@pytest.mark.parametrize("row", ROWS)
def test_every_hypothesis_simulates_to_its_closed_form(hypothesis, row):
    """Each has its own base. Queues and cohorts are approximations, good to 1%."""
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


def test_the_fourth_cell_distinguishes_the_survivors_in_simulation_too():
    cell: Any = row_settings("both") | {"max_delay_s": row_settings("original")["max_delay_s"]}
    expected = {"two caps": (5.076, 9.789), "commit stage": (8.049, 6.188)}
    for hypothesis, (response, throughput) in expected.items():
        settings = rdu.rival(hypothesis, **cell)
        outputs = predict(**settings)
        assert outputs["response_s"] == pytest.approx(response, abs=5e-4)
        assert outputs["throughput_per_s"] == pytest.approx(throughput, abs=5e-4)
        simulated, _ = rdu.case().simulate(1, **settings)["response_s"]
        assert simulated == pytest.approx(response, rel=0.01)


N, X = rdu.value("concurrent-calls"), rdu.value("original-throughput")


def row_1(commits, **changes) -> float:
    """Return the mean response of 20 runs of row 1 with this number of commits per batch."""
    settings = {
        "interval_s": row_settings("original")["max_delay_s"],
        "lease_s": 4.0,
        "base_s": rdu.fitted_base_s("two caps"),
        "think_s": rdu.think_time_s(),
    }
    return mean(
        rdu.simulate_periodic_flusher(seed, commits=commits, **settings | changes)
        for seed in range(20)
    )


def test_without_randomness_each_commit_takes_a_whole_interval():
    """A batch begins at a tick and thinks for 0 s: its query ends at a tick that it just misses."""
    still = {"interval_s": 2.0, "lease_s": 4.0, "base_s": 0.0, "think_s": 0.0}
    for commits in (1, 2, 3, 4):
        found = rdu.simulate_periodic_flusher(1, commits=commits, **still, clients=1, batches=400)
        assert found == pytest.approx(4 + 2 * commits, abs=2 / 400)


def test_commits_at_random_times_wait_half_an_interval():
    found = rdu.simulate_periodic_flusher(
        1, commits=1, interval_s=2.0, lease_s=0.0, base_s=1e4, think_s=0.0, batches=30_000
    )
    work_s = rdu.simulate_periodic_flusher(
        1, commits=1, interval_s=1e-6, lease_s=0.0, base_s=1e4, think_s=0.0, batches=30_000
    )
    assert found - work_s == pytest.approx(1.0, abs=0.02)


def test_the_evidence_says_what_a_periodic_flusher_gives():
    """The book once said that four commits which wait D/2 each take four seconds as well."""
    text = prose(ROOT / "book" / "evidence" / "01-group-commit.ipynb")
    two, four = row_1(2), row_1(4)
    assert f"With two commits per batch the response time is {two:.2f} s" in text
    assert f"with four it is {four:.2f} s" in text
    assert f"{1000 * (response_s('original') - two):.0f} ms less than in row 1" in text
    assert four - response_s("original") > 3.8
    assert "wait $D/2$ each" not in text


@pytest.mark.slow
def test_no_pause_and_no_base_brings_two_commits_to_row_1():
    longest_s = N / (X - 0.5) - response_s(
        "original"
    )  # the longest pause that row 1's digits allow
    for think_s in (0.0, 0.018, 0.045, 0.3, longest_s):
        for base_s in (0.02, 0.076, 0.2):
            assert row_1(2, think_s=think_s, base_s=base_s) < 8.0 < response_s("original")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"commits": 0}, "commits = 0: must be a whole number at least 1"),
        ({"interval_s": 0}, "interval_s = 0: must be a finite number above 0"),
        ({"lease_s": -1}, "lease_s = -1"),
        ({"base_s": -1}, "base_s = -1"),
        ({"think_s": -1}, "think_s = -1"),
        ({"clients": 0}, "clients = 0"),
        ({"batches": 49}, "batches = 49: must be a whole number at least 50"),
    ],
)
def test_the_periodic_flusher_refuses_bad_input(changes, message):
    settings = {"commits": 2, "interval_s": 2, "lease_s": 4, "base_s": 0.1, "think_s": 0}
    with pytest.raises(ValueError, match=message):
        rdu.simulate_periodic_flusher(1, **settings | changes)


@pytest.mark.parametrize("commits", [1, 2])
@pytest.mark.parametrize("clients", [1, 10, 100])
def test_the_caps_are_exact(commits, clients):
    settings = rdu.case().settings(hypothesis=("one cap", "two caps")[commits - 1], clients=clients)
    run = {name: settings[name] for name in ("timeout_s", "retries", "max_delay_s", "base_s")}
    response_s = simulate_batches(clients=clients, commits=commits, **run)[1]
    assert response_s == pytest.approx(rdu.case().predict(**settings)["response_s"], rel=2e-3)


def test_a_cap_runs_out_in_vain_only_if_the_lease_query_is_longer():
    validity = find_map("rdu")

    def gap(**lease):
        settings, _ = validity.split(12, 0.9)
        settings |= lease
        simulated = np.mean(map_samples("rdu", settings))
        return validity.case.predict(**settings)["response_s"] / simulated - 1

    assert gap() < -0.15
    assert abs(gap(timeout_s=0.1, retries=0)) < 0.05
