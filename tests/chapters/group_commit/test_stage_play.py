"""What the stage is given: the rows of the note, each explanation's b, and the run's own events."""

from statistics import mean

import pytest

from tests.chapters.group_commit.test_stage import (
    FEWER_ATTEMPTS,
    SEED,
    STUCK,
    clients_at,
    flushes,
    happened,
    mean_ms,
    responses_ms,
)
from tunables.chapters.group_commit.calibration import ROWS, row_settings
from tunables.chapters.group_commit.case import rival
from tunables.chapters.group_commit.predictor import HYPOTHESES, predict
from tunables.chapters.group_commit.simulation import run
from tunables.chapters.group_commit.stage import stage
from tunables.chapters.group_commit.stage_rows import TESTS, settings_of
from tunables.chapters.group_commit.stage_simulation import SECONDS, play
from tunables.simulators.batches_rows import ANSWERED, FLUSHED, HELD, QUERIES, WAITS, WORKS

DOES = {QUERIES: 0, WAITS: 1, WORKS: 2, HELD: 3, ANSWERED: 4}
CHANGES = dict.fromkeys(ROWS, ()) | {"fourth": FEWER_ATTEMPTS}


def row_of(test):
    return "original" if test == "fourth" else test


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_without_the_data_the_settings_are_those_that_are_fitted_to_it(hypothesis):
    for test in TESTS:
        expected = rival(hypothesis, row_of(test), **dict(CHANGES[test]))
        assert settings_of(hypothesis, test, 50) == pytest.approx(expected, abs=1e-12)
    assert settings_of("two caps", "fourth", 50)["retries"] == row_settings("both")["retries"]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("hypothesis", ["two caps", "commit stage", STUCK])
def test_the_stage_replays_what_happens(hypothesis, test):
    trace = happened(hypothesis, row_of(test), CHANGES[test])
    told = play(hypothesis=hypothesis, test=test, clients=50)
    shown = trace.time_s < SECONDS
    lasting = shown & [kind in DOES for kind in trace.kind]
    assert told["begin_us"] == [round(1e6 * time_s) for time_s in trace.time_s[lasting]]
    assert told["client"] == trace.client[lasting].tolist()
    assert told["does"] == [DOES[kind] for kind in trace.kind[lasting]]
    ended = sorted(trace.detail[shown & (trace.kind == FLUSHED)].tolist())
    assert sorted(flush for flush in told["flush"] if flush >= 0) == ended
    held = [does for does, flush in zip(told["does"], told["flush"], strict=True) if flush >= 0]
    assert set(held) <= {DOES[HELD]}
    settings = settings_of(hypothesis, test, 50)
    assert told["mean_s"] == run(SEED, **settings)["response_s"]
    assert told["formula_s"] == predict(**settings)["response_s"]
    assert round(1000 * told["mean_s"]) == round(mean(responses_ms(trace)))


def test_no_answer_that_is_shown_lies_beyond_the_axis():
    """Which ends at 13 s, and stands still."""
    longest_ms = max(
        max(responses_ms(happened(name, row_of(test), CHANGES[test]), SECONDS))
        for name in HYPOTHESES
        for test in TESTS
    )
    assert 12_000 < longest_ms < 13_000


def now(beat):
    """Return the clients by what they do at a beat, and the answers so far."""
    test = beat.settings["test"]
    trace = happened(beat.settings["hypothesis"], row_of(test), CHANGES[test])
    return clients_at(beat.at, trace), responses_ms(trace, beat.at)


def test_what_the_titles_of_the_beats_say_is_so():
    beats = {beat.name: beat for beat in stage().beats}
    assert now(beats["lease"]) == ({QUERIES: 50}, [])
    assert now(beats["held"]) == ({HELD: 50}, [])
    clients, answers = now(beats["short"])
    assert clients == {QUERIES: 50}
    assert mean_ms(answers) == 4122  # of which the lease query is 4 s
    clients, answers = now(beats["commit-stage"])
    assert clients == {QUERIES: 26, WAITS: 11, HELD: 13}
    means = [play(**beats[name].settings)["mean_s"] for name in ("held", "commit-stage")]
    assert means[0] == pytest.approx(means[1], rel=0.001)
    assert now(beats["decides"])[0] == {QUERIES: 9, WAITS: 28, HELD: 13}
    stage_s = [play(**beats[name].settings)["mean_s"] for name in ("commit-stage", "decides")]
    assert stage_s[0] == pytest.approx(stage_s[1], rel=0.01)
    time_s, freed = flushes(STUCK)[1]
    assert freed == 50
    assert 0 < beats["stuck"].at - time_s < 0.02


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hypothesis": "magic"}, "hypothesis = 'magic': must be"),
        ({"test": "normal load"}, "test = 'normal load': must be"),
        ({"clients": 51}, "clients = 51: must be"),
        ({"clients": 0}, "clients = 0: must be"),
    ],
)
def test_it_refuses_what_it_cannot_play(wrong, words):
    settings = {"hypothesis": "two caps", "test": "original", "clients": 50} | wrong
    with pytest.raises(ValueError, match=words):
        play(**settings)
