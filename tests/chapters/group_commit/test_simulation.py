"""The simulation against the predictor, the document and the public simulator."""

import pytest

from tests.simulators.test_batches import (
    DATA,
    RIVALS,
    ROWS,
    THINK_S,
    TWO_CAPS,
    intervals,
    row_settings,
)
from tunables.chapters.group_commit.case import case
from tunables.chapters.group_commit.predictor import HYPOTHESES, calibrated_base, predict
from tunables.chapters.group_commit.simulation import BATCHES, run
from tunables.simulators.batches import simulate_batches


@pytest.mark.parametrize("row", ROWS)
def test_two_caps_reproduce_the_table(row):
    """20 seeds x 3000 batches: the closed form's R is within the interval, X as published."""
    (throughput, _), (response_s, half_width) = intervals(**TWO_CAPS, **row_settings(row))
    exact = predict(base_s=0.076, think_s=THINK_S, **row_settings(row))
    assert abs(exact["response_s"] - response_s) <= half_width
    assert half_width < 0.001
    assert round(throughput) == DATA[f"{row}-throughput"].value
    # X is lower only by the drain at the end, which is shorter than a response time.
    drain_s = 3000 / throughput - 3000 / exact["throughput_per_s"]
    assert 0 < drain_s < response_s


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("hypothesis", RIVALS)
def test_every_rivals_closed_form_is_near_its_simulation(hypothesis, row):
    """The caps are exact; pools and cohorts are approximations, good to 1%."""
    _, (response_s, half_width) = intervals(level=0.999, **RIVALS[hypothesis], **row_settings(row))
    exact = predict(
        hypothesis=hypothesis,
        base_s=RIVALS[hypothesis]["base_s"],
        think_s=THINK_S,
        **row_settings(row),
    )["response_s"]
    slack_s = 0 if "cap" in hypothesis else 0.01 * response_s
    assert abs(exact - response_s) <= half_width + slack_s


def test_the_rivals_bases_are_the_calibrated_ones():
    at = {"think_s": THINK_S, "clients": 50}
    first, second = (DATA[f"{row}-response"].value / 1000 for row in ROWS[:2])
    for hypothesis in ("one cap", "two caps", "commit stage"):
        base = calibrated_base(second, hypothesis=hypothesis, **at, **row_settings("flush"))
        assert RIVALS[hypothesis]["base_s"] == pytest.approx(base)
    base = calibrated_base(first, hypothesis="thread pool", **at, **row_settings("original"))
    assert RIVALS["thread pool"]["base_s"] == pytest.approx(base, abs=5e-5)


def test_the_number_of_batches_is_the_documents():
    assert DATA["batches"].value == BATCHES


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_the_experiment_equals_the_public_simulator_bit_for_bit(hypothesis):
    """With fewer clients than threads and with as many, and the case's think time and base."""
    for clients in (5, 50):
        settings = case().settings(hypothesis=hypothesis, clients=clients)
        public = RIVALS[hypothesis] | {"base_s": settings["base_s"], "seed": 3}
        limited = "batch_threads" if hypothesis == "thread pool" else "commit_threads"
        if limited in public:
            threads = {"batch_threads": "pool_threads"}.get(limited, limited)
            public[limited] = settings[threads]
        lease = {name: settings[name] for name in ("timeout_s", "retries", "max_delay_s")}
        expected = simulate_batches(
            clients=clients, think_time_s=settings["think_s"], **lease, **public
        )
        assert tuple(run(3, **settings).values()) == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hypothesis": "three caps"}, "hypothesis = 'three caps'"),
        ({"clients": 0}, "clients = 0"),
        ({"retries": 1.5}, "retries = 1.5"),
        ({"base_s": -1}, "base_s = -1"),
        ({"think_s": -1}, "think_s = -1"),
        ({"max_delay_s": -1}, "max_delay_s = -1"),
        ({"timeout_s": -1}, "timeout_s = -1"),
        ({"pool_threads": 0}, "pool_threads = 0"),
        ({"commit_threads": 0}, "commit_threads = 0"),
        ({"timeout_s": 0, "max_delay_s": 0, "base_s": 0, "think_s": 0}, "time of all batches"),
    ],
)
def test_bad_settings_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        run(1, **case().settings() | changes)
